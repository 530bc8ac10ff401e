// SPDX-License-Identifier: MIT OR Apache-2.0
//! `hdl/registers/awgstar_smb.svd`: the registers in CMSIS-SVD, for debuggers and `svd2rust`.

use awgstar::contract::{
    board::{Access, Register, VERSION},
    registers::{MEMORY, RANGE, SUMMARY, WINDOW, WINDOW_BYTES, all, describe, items, plain},
};
use svd_encoder::encode;
use svd_rs::{
    Access as SvdAccess, AddressBlock, AddressBlockUsage, Device, DimElement, EnumeratedValue,
    EnumeratedValues, Field, FieldInfo, MaybeArray, ModifiedWriteValues, Peripheral,
    PeripheralInfo, ReadAction, RegisterCluster, RegisterInfo, RegisterProperties, SvdError,
    ValidateLevel::Strict,
};

const HEAD: &str = "<!-- SPDX-License-Identifier: MIT OR Apache-2.0
     Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.
     Do not edit: `cargo xtask contract check` and the tests fail on drift.
     Base addresses are those of the host port; add that of the board in your system. -->
";

/// The text of the file.
///
/// # Panics
/// If CMSIS-SVD has no place for a register of the contract.
#[must_use]
pub fn text() -> String {
    let device = device().expect("registers that CMSIS-SVD has a place for");
    let text = encode(&device).expect("a device that was checked");
    match text.split_once('\n') {
        Some((declaration, rest)) => format!("{declaration}\n{HEAD}{rest}\n"),
        None => text,
    }
}

fn device() -> Result<Device, SvdError> {
    let registers = all().map(register).collect::<Result<_, _>>()?;
    let word = RegisterInfo::builder()
        .name("WORD[%s]".into())
        .description(Some(MEMORY.into()))
        .address_offset(0)
        .reset_mask(Some(0))
        .build(Strict)?;
    let words = vec![MaybeArray::Array(word, row(WINDOW_BYTES / 4)?).into()];
    Device::builder()
        .vendor(Some("AWG-STAR".into()))
        .vendor_id(Some("awgstar".into()))
        .name("AWGSTAR_SMB".into())
        .version(VERSION.reset.to_string())
        .description(SUMMARY.into())
        .schema_version("1.3".into())
        .no_namespace_schema_location("CMSIS-SVD.xsd".into())
        .address_unit_bits(8)
        .width(32)
        .default_register_properties(
            RegisterProperties::new()
                .size(Some(32))
                .access(Some(SvdAccess::ReadWrite))
                .reset_value(Some(0))
                .reset_mask(Some(u64::from(u32::MAX))),
        )
        .peripherals(vec![
            peripheral(
                "SMB",
                "Registers of the host port",
                0,
                (RANGE, AddressBlockUsage::Registers),
                registers,
            )?,
            peripheral(
                "SMB_MEMORY",
                MEMORY,
                WINDOW,
                (WINDOW_BYTES, AddressBlockUsage::Buffer),
                words,
            )?,
        ])
        .build(Strict)
}

fn peripheral(
    name: &str,
    description: &str,
    base: u32,
    (size, usage): (u32, AddressBlockUsage),
    registers: Vec<RegisterCluster>,
) -> Result<Peripheral, SvdError> {
    let block = AddressBlock::builder().offset(0).size(size).usage(usage).build(Strict)?;
    let info = PeripheralInfo::builder()
        .name(name.into())
        .version(Some(VERSION.reset.to_string()))
        .description(Some(description.into()))
        .group_name(Some("SMB".into()))
        .base_address(base.into())
        .address_block(Some(vec![block]))
        .registers(Some(registers))
        .build(Strict)?;
    Ok(Peripheral::Single(info))
}

fn row(count: u32) -> Result<DimElement, SvdError> {
    DimElement::builder().dim(count).dim_increment(4).build(Strict)
}

fn register(one: &Register) -> Result<RegisterCluster, SvdError> {
    let (access, modified) = match one.access {
        Access::Ro => (SvdAccess::ReadOnly, None),
        Access::Wo => (SvdAccess::WriteOnly, None),
        Access::Rw | Access::Config => (SvdAccess::ReadWrite, None),
        Access::W1c => (SvdAccess::ReadWrite, Some(ModifiedWriteValues::OneToClear)),
        Access::W1s => (SvdAccess::ReadWrite, Some(ModifiedWriteValues::OneToSet)),
    };
    let many = one.count > 1;
    let info = RegisterInfo::builder()
        .name(format!("{}{}", one.name, if many { "[%s]" } else { "" }))
        .description(Some(describe(one)))
        .address_offset(one.offset.0)
        .access(Some(access))
        .reset_value(Some(one.reset.into()))
        .modified_write_values(modified)
        .read_action(one.read_depends_on_state().then_some(ReadAction::ModifyExternal))
        .fields(Some(fields(one)?))
        .build(Strict)?;
    Ok(if many {
        MaybeArray::Array(info, row(one.count)?).into()
    } else {
        MaybeArray::Single(info).into()
    })
}

fn fields(register: &Register) -> Result<Vec<Field>, SvdError> {
    let number = |n: usize| u32::try_from(n).expect("a bit of a register");
    let mut all = Vec::new();
    for item in items(register) {
        let values = item.values.iter().map(|value| {
            EnumeratedValue::builder()
                .name(value.name.into())
                .description(Some(plain(value.doc)))
                .value(Some(value.code.into()))
                .build(Strict)
        });
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let mut field = FieldInfo::builder()
            .name(item.name)
            .description(Some(plain(&item.doc)))
            .bit_offset(number(item.bit))
            .bit_width(number(item.bits));
        if !values.is_empty() {
            field = field
                .enumerated_values(vec![EnumeratedValues::builder().values(values).build(Strict)?]);
        }
        all.push(Field::Single(field.build(Strict)?));
    }
    Ok(all)
}
