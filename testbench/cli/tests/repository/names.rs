// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names, widths and encodings are the same in Verilog and model (LCK-2).

use awgstar::rtl::{LockEngine, Parameters, RingNode, Smb, SmbAxi4, state::State};
use awgstar_lockstep::states;
use awgstar_simulator::{SimError, elaborate};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn differences(hdl: &Path) -> Vec<String> {
    let verilog = elaborate::elaborate(hdl, "ring_node", &Parameters::DEFAULT)
        .unwrap_or_else(|error| panic!("{error}"));
    elaborate::differences(&verilog, &RingNode::layout())
}

/// A copy of the Verilog with `edit` done to the text of one file.
fn edited(file: &str, edit: impl Fn(&str) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (repository().join("hdl"), folder.path());
    fs::create_dir(to.join("include")).unwrap();
    for part in ["", "include"] {
        for entry in fs::read_dir(from.join(part)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), to.join(part).join(entry.file_name())).unwrap();
            }
        }
    }
    let path = to.join(file);
    let text = fs::read_to_string(&path).unwrap();
    let new = edit(&text);
    assert!(new != text, "the edit must change something");
    fs::write(path, new).unwrap();
    folder
}

#[test]
fn names_agree() {
    let found = differences(&repository().join("hdl"));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn names_of_the_boards_agree() {
    for (top, layout) in [("smb", Smb::layout()), ("smb_axi4", SmbAxi4::layout())] {
        let verilog = elaborate::elaborate(&repository().join("hdl"), top, &Parameters::DEFAULT)
            .unwrap_or_else(|error| panic!("{error}"));
        let found = elaborate::differences(&verilog, &layout);
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn names_of_the_lock_engine_agree() {
    let hdl = repository().join("hdl");
    let verilog = elaborate::elaborate(&hdl, "lock_engine", &Parameters::DEFAULT)
        .unwrap_or_else(|error| panic!("{error}"));
    let found = elaborate::differences(&verilog, &LockEngine::layout());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn encodings_are_those_of_the_contract() {
    let found = states::problems(&repository().join("hdl")).unwrap();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_renamed_register_is_named() {
    let hdl = edited("ring_ingress.v", |text| text.replace("s1_valid_q", "first_valid_q"));
    let found = differences(hdl.path());
    for expected in [
        "register `first_valid_q` of ring_ingress is in the Verilog but not in the model",
        "register `s1_valid_q` of ring_ingress is in the model but not in the Verilog",
    ] {
        assert!(found.iter().any(|f| f == expected), "{found:#?}");
    }
}

#[test]
fn a_narrower_register_is_named() {
    let hdl = edited("ring_egress.v", |text| text.replacen("[8:0]  left_q", "[7:0]  left_q", 1));
    let found = differences(hdl.path());
    let expected = "register `left_q` of ring_egress: 8 bits in the Verilog, 9 bits in the model";
    assert!(found.iter().any(|f| f == expected), "{found:#?}");
}

#[test]
fn a_bare_number_for_a_state_is_named() {
    let hdl =
        edited("ring_egress.v", |text| text.replacen("<= `AWG_RING_EGRESS_READY", "<= 2'd0", 1));
    let found = states::problems(hdl.path()).unwrap();
    assert!(
        found.iter().any(|f| f.contains("ring_egress.v") && f.contains("bare number")),
        "{found:#?}"
    );
}

// The name of a file must not become a command of the script.
#[test]
fn a_name_with_control_characters_is_refused() {
    let folder = edited("order_gate.v", |text| text.to_owned() + "\n");
    let (evil, marker) = ("z.v\nexec\t--\ttouch\tmarker\nread_verilog\tz.v", "marker");
    fs::write(folder.path().join(evil), "module z; endmodule\n").unwrap();
    let error =
        elaborate::elaborate(folder.path(), "order_gate", &Parameters::DEFAULT).unwrap_err();
    assert!(matches!(error, SimError::Name { .. }), "{error}");
    assert!(error.to_string().contains(r"z.v\nexec\t--\ttouch"), "{error}");
    assert!(!folder.path().join(marker).exists() && !Path::new(marker).exists());
}

// Names that a script or a shell would split or run are taken, and shown as they are.
#[test]
fn odd_names_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("é; exec -- touch marker; $(touch marker) \"it's");
    fs::create_dir_all(odd.join("include")).unwrap();
    let text = fs::read_to_string(repository().join("hdl/order_gate.v")).unwrap();
    let file = odd.join("order gate;.v");
    fs::write(&file, &text).unwrap();
    let module = elaborate::elaborate(&odd, "order_gate", &Parameters::DEFAULT)
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(module.registers.contains_key("ahead_q"));
    fs::write(&file, text.replace("endmodule", "endmodul")).unwrap();
    let error =
        elaborate::elaborate(&odd, "order_gate", &Parameters::DEFAULT).unwrap_err().to_string();
    assert!(error.contains(&format!("{}:", file.display())), "{error}");
    assert!(!odd.join("marker").exists() && !Path::new("marker").exists());
}
