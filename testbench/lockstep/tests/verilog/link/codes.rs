// SPDX-License-Identifier: MIT OR Apache-2.0
//! 8b/10b, exhaustive: the tables of the standard, written here once more, against the Verilog of both
//! simulators and the model.

use super::{Tool, play, repository};
use awgstar::rtl::code_8b10b::encode;
use awgstar::rtl::{Dec8b10b, dec_8b10b};
use awgstar_simulator::Token;
use std::collections::HashMap;
use std::path::Path;

/// IEEE 802.3, table 36-1: abcdei of D0 to D31, for negative and, if it differs, positive disparity.
const D_SIX: &str = "100111/011000 011101/100010 101101/010010 110001 110101/001010 101001 011001 \
    111000/000111 111001/000110 100101 010101 110100 001101 101100 011100 010111/101000 \
    011011/100100 100011 010011 110010 001011 101010 011010 111010/000101 110011/001100 100110 \
    010110 110110/001001 001110 101110/010001 011110/100001 101011/010100";
/// fghj of Dx.0 to Dx.7, by the disparity after the first six bits.
const D_FOUR: &str = "1011/0100 1001 0101 1100/0011 1101/0010 1010 0110 1110/0001";
/// Table 36-2: the 12 K characters for negative disparity; the other column is the complement.
const K: &str = "1C:0011110100 3C:0011111001 5C:0011110101 7C:0011110011 9C:0011110010 BC:0011111010 \
    DC:0011110110 FC:0011111000 F7:1110101000 FB:1101101000 FD:1011101000 FE:0111101000";

/// (positive disparity, K, byte) gives (code, bit a lowest; positive disparity after it).
type Table = HashMap<(bool, bool, u8), (u16, bool)>;

fn bits(text: &str) -> u16 {
    text.bytes().rev().fold(0, |value, bit| value << 1 | u16::from(bit == b'1'))
}

fn ones(text: &str) -> usize {
    text.bytes().filter(|&bit| bit == b'1').count()
}

fn column(entry: &str, positive: bool) -> &str {
    let mut columns = entry.split('/');
    let negative = columns.next().unwrap();
    if positive { columns.next().unwrap_or(negative) } else { negative }
}

fn tables() -> Table {
    let mut table = Table::new();
    for (x, six) in D_SIX.split_whitespace().enumerate() {
        for (y, four) in D_FOUR.split_whitespace().enumerate() {
            for rd in [false, true] {
                let six = column(six, rd);
                let middle = rd ^ (ones(six) != 3);
                let four = match (y, middle, x) {
                    (7, false, 17 | 18 | 20) => "0111",
                    (7, true, 11 | 13 | 14) => "1000",
                    _ => column(four, middle),
                };
                let code = bits(six) | bits(four) << 6;
                let byte = u8::try_from(y << 5 | x).unwrap();
                table.insert((rd, false, byte), (code, middle ^ (ones(four) != 2)));
            }
        }
    }
    for entry in K.split_whitespace() {
        let (byte, code) = entry.split_once(':').unwrap();
        let byte = u8::from_str_radix(byte, 16).unwrap();
        let flips = ones(code) != 5;
        table.insert((false, true, byte), (bits(code), flips));
        table.insert((true, true, byte), (!bits(code) & 0x3FF, !flips));
    }
    assert_eq!(table.len(), 2 * (256 + 12));
    table
}

/// What a decoder says of a code: byte, K, code error, disparity error, positive disparity after it.
fn decoded(table: &Table, code: u16, rd: bool) -> (u8, bool, bool, bool, bool) {
    let find = |rd| table.iter().find(|(key, value)| key.0 == rd && value.0 == code);
    let own = find(rd);
    let text = format!("{code:010b}").chars().rev().collect::<String>();
    // 36.2.4.4, block by block.
    let step = |block: &str, rd: bool| match (ones(block) * 2).cmp(&block.len()) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal if matches!(block, "000111" | "0011") => true,
        std::cmp::Ordering::Equal if matches!(block, "111000" | "1100") => false,
        std::cmp::Ordering::Equal => rd,
    };
    let after = step(&text[6..], step(&text[..6], rd));
    match own.or_else(|| find(!rd)) {
        Some((&(_, k, byte), _)) => (byte, k, false, own.is_none(), after),
        None => (0, false, true, false, after),
    }
}

/// Prints `E` lines of the encoder and `D` lines of the decoder. K28.5 of the one or the other column
/// is before the code and gives the disparity; D0.0 of the column for negative disparity, behind it,
/// has a disparity error if the code leaves a positive one.
fn bench() -> String {
    format!(
        r#"`default_nettype none
module codes;
    reg clk = 1'b0, k, rd;
    reg [7:0] data;
    wire [9:0] code;
    wire rd_next;
    code_8b10b enc (.data(data), .k(k), .rd(rd), .code(code), .rd_next(rd_next));
    reg [39:0] word;
    wire [31:0] bytes;
    wire [3:0] ks, code_err, disp_err;
    dec_8b10b dec (.clk(clk), .rst(1'b0), .s_code(word), .m_data(bytes), .m_k(ks),
        .m_code_err(code_err), .m_disp_err(disp_err));
    integer n;
    initial begin
        for (n = 0; n < 1024; n = n + 1) begin
            {{rd, k, data}} = n[9:0];
            #1 $display("{token} E %0d %0d %0d %0d %0d", rd, k, data, code, rd_next);
        end
        for (n = 0; n < 2048; n = n + 1) begin
            // K28.5 that leaves positive or negative disparity, the code, D0.0, D21.5.
            word = {{10'b0101010101, 10'b0010111001, n[9:0], n[10] ? 10'b0101111100 : 10'b1010000011}};
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            #1 $display("{token} D %0d %0d %0d %0d %0d %0d %0d", n[10], n[9:0], bytes[15:8], ks[1],
                code_err[1], disp_err[1], disp_err[2]);
        end
        $finish;
    end
endmodule
"#,
        token = Token::PLACE
    )
}

/// The differences of the Verilog in `hdl` from the tables.
pub(super) fn differences(tool: Tool, hdl: &Path, out: &Path) -> Vec<String> {
    let table = tables();
    let folder = tempfile::tempdir().unwrap();
    let lines = play(tool, hdl, out, "codes", bench(), folder.path())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut wrong = Vec::new();
    let (mut encoded, mut seen) = (0, 0);
    for line in &lines {
        let (kind, rest) = line.split_once(' ').unwrap();
        let v: Vec<u16> = rest.split(' ').map(|word| word.parse().unwrap_or(u16::MAX)).collect();
        if kind == "E" {
            let key = (v[0] == 1, v[1] == 1, u8::try_from(v[2]).unwrap());
            if let Some(&(code, rd)) = table.get(&key) {
                encoded += 1;
                if (v[3], v[4]) != (code, rd.into()) {
                    wrong.push(format!("{key:?}: {line}, not {code:010b} and {rd}"));
                }
            }
        } else {
            seen += 1;
            let (byte, k, code_err, disp_err, after) = decoded(&table, v[1], v[0] == 1);
            let expected =
                [byte.into(), k.into(), code_err.into(), disp_err.into(), u16::from(after)];
            if v[2..] != expected {
                wrong.push(format!("{line}, not {expected:?}"));
            }
        }
    }
    if (encoded, seen) != (536, 2048) {
        wrong.push(format!("{encoded} codes of 536 and {seen} of 2,048 came"));
    }
    wrong
}

// checks COD-1, COD-2, COD-3
#[test]
fn verilog_has_the_tables_of_the_standard() {
    for tool in [Tool::Icarus, Tool::Verilator] {
        let hdl = repository().join("hdl");
        let wrong = differences(tool, &hdl, &repository().join("target/cosim"));
        assert!(wrong.is_empty(), "{tool:?}: {wrong:#?}");
    }
}

// checks COD-1, COD-2, COD-3
#[test]
fn model_has_the_tables_of_the_standard() {
    let table = tables();
    for (&(rd, k, byte), &expected) in &table {
        assert_eq!(encode(byte, k, rd), expected, "{byte:02X} {k} {rd}");
    }
    for code in 0..1024u16 {
        for rd in [false, true] {
            let mut dec = Dec8b10b { rd_q: rd, ..Dec8b10b::default() };
            // The other lanes are balanced: D21.5.
            let word = u64::from(code) | 0b01_0101_0101_0101_0101_0101_0101_0101 << 10;
            dec.clock(&dec_8b10b::Inputs { rst: false, s_code: word });
            let o = dec.outputs();
            let found = (
                o.m_data.to_le_bytes()[0],
                o.m_k & 1 != 0,
                o.m_code_err & 1 != 0,
                o.m_disp_err & 1 != 0,
                dec.rd_q,
            );
            assert_eq!(found, decoded(&table, code, rd), "{code:010b} {rd}");
        }
    }
}

/// Properties of the code itself, so that the tables above are not only compared with each other:
/// no code stands for two characters, ones and zeros differ by 0 or 2, and no more than five equal bits
/// stand in a row within two codes.
#[test]
fn tables_are_those_of_a_line_code() {
    let table = tables();
    for (key, &(code, after)) in &table {
        assert!([4, 5, 6].contains(&code.count_ones()), "{key:?}");
        assert_eq!(after, if code.count_ones() == 5 { key.0 } else { code.count_ones() == 6 });
        let twice = table
            .iter()
            .filter(|(other, value)| value.0 == code && (other.1, other.2) != (key.1, key.2));
        assert_eq!(twice.count(), 0, "{key:?}");
        for (next, &(second, _)) in table.iter().filter(|(next, _)| next.0 == after && !next.1) {
            let both = u32::from(code) | u32::from(second) << 10;
            let runs = |value: u32| (0..15).any(|at| value >> at & 0x3F == 0x3F);
            let inverse = !both & 0xF_FFFF;
            // K28.7 is the one that may make a run of six, which is why no link sends it beside data.
            if !(key.1 && key.2 == 0xFC) {
                assert!(!runs(both) && !runs(inverse), "{key:?} {next:?}");
            }
        }
    }
}
