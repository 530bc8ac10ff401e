// SPDX-License-Identifier: MIT OR Apache-2.0
//! Yosys: a run that ends with its JSON, and the parts of that JSON that are read.

use crate::process::Task;
use crate::{Scratch, SimError};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    fs,
    marker::PhantomData,
    path::Path,
    process::Command,
    time::Duration,
};

/// An object whose keys keep their order.
pub(crate) struct Ordered<T>(pub(crate) Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Ordered(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Ordered<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    list.push(entry);
                }
                Ok(Ordered(list))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// A net: a number, or "0", "1", "x".
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Clone)]
#[serde(untagged)]
pub(crate) enum Bit {
    Net(u64),
    Constant(String),
}

#[derive(Deserialize)]
pub(crate) struct JsonPort {
    pub(crate) direction: String,
    pub(crate) bits: Vec<Bit>,
}

#[derive(Deserialize)]
pub(crate) struct JsonCell {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) parameters: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) port_directions: BTreeMap<String, String>,
    pub(crate) connections: BTreeMap<String, Vec<Bit>>,
}

#[derive(Deserialize)]
pub(crate) struct JsonNet {
    pub(crate) hide_name: u8,
    #[serde(default)]
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) bits: Vec<Bit>,
}

#[derive(Deserialize)]
pub(crate) struct JsonMemory {
    pub(crate) width: usize,
    pub(crate) size: usize,
}

#[derive(Deserialize)]
pub(crate) struct JsonModule {
    #[serde(default)]
    pub(crate) ports: Ordered<JsonPort>,
    #[serde(default)]
    pub(crate) cells: BTreeMap<String, JsonCell>,
    #[serde(default)]
    pub(crate) netnames: BTreeMap<String, JsonNet>,
    #[serde(default)]
    pub(crate) memories: BTreeMap<String, JsonMemory>,
}

#[derive(Deserialize)]
pub(crate) struct Json {
    pub(crate) modules: BTreeMap<String, JsonModule>,
}

/// The JSON of the Verilog in these folders after this script. The first folder has the files that are included.
pub(crate) fn netlist(
    folders: &[&Path],
    top: &'static str,
    script: &str,
) -> Result<String, SimError> {
    let mut scratch = Scratch::new()?;
    let file = scratch.path().join("netlist.json");
    let mut read = String::new();
    for (number, folder) in folders.iter().enumerate() {
        if number == 0 {
            let _ = write!(read, "-I{}", scratch.link(&folder.join("include"))?.display());
        }
        for source in crate::library::sources(folder)? {
            let _ = write!(read, " {}", scratch.link(&source)?.display());
        }
    }
    let script = format!("read_verilog -sv {read}; {script}; write_json {}", file.display());
    let task = Task::new("yosys", Duration::from_secs(120)).doing("making a netlist");
    let done = task.run(Command::new("yosys").args(["-q", "-p", &script]))?;
    if !done.success {
        let log = scratch.names().restore(&done.text);
        return Err(SimError::build("yosys", top, log));
    }
    fs::read_to_string(&file).map_err(SimError::io(&file))
}
