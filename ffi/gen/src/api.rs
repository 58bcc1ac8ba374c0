//! The description of a machine, `ffi/api/MACHINE.toml`: what C has besides what the core's source says.
//!
//! Every key is explained here; `README.md` says how a description comes about. A key that is not known is an error.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Deserialize;
use toml::{Table, Value};

/// `ffi/api/common.toml`: what all machines say in the same way.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// Files of the core with names of rows that all machines use.
    pub ids: Vec<String>,
    /// What is said about a parameter of this name, unless the machine says something else.
    pub params: BTreeMap<String, String>,
    /// Words of the core, and what C calls it.
    pub words: BTreeMap<String, String>,
    /// Types of the core that are written by hand in C, for all machines.
    pub types: BTreeMap<String, ByHand>,
    /// Statuses.
    pub status: Statuses,
}

/// What C says of statuses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statuses {
    /// Faults whose names C has for other things, and their names in C.
    pub renamed: BTreeMap<String, String>,
    /// Statuses that are no faults: name, number, text; `Ok` first.
    pub own: Vec<(String, u32, String)>,
}

/// A type of the core whose form in C is written by hand.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByHand {
    /// Its struct in C.
    pub c: String,
    /// Its type in C++.
    pub cpp: String,
    /// The module of the ABI crate that has it; nothing said: the machine's own, in its `hand.rs`.
    #[serde(default)]
    pub module: String,
    /// Whether C++ has no class for it: the struct itself is the type.
    #[serde(default)]
    pub is_raw: bool,
    /// The module of crate `gpusched` that has it; nothing said: the crate itself.
    #[serde(default)]
    pub core: String,
}

/// The key of the machine that this is one of several objects of: its description says what is not said here. The configuration, the
/// structs that are listed there and the enumerations that they need are that machine's, and all types are called after it.
pub const OF: &str = "of";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Api {
    /// Where in the core: folders and files.
    pub core: Vec<String>,
    /// The module of crate `gpusched` that has the types, `laperm` if nothing is said of `laperm`.
    pub module: Option<String>,
    /// What C's types begin with where that is not the machine's name: `equalizer` of `equalizer_sm`.
    pub family: Option<String>,
    /// What words call it, if not as the core does.
    pub title: Option<String>,
    /// The machine's type, its class in C++ if that is called otherwise, and the type of its configuration. If that is the machine's
    /// type there is no object: C's functions are those of a configuration. Nothing said: there is no configuration, either, and C's
    /// functions are the core's.
    #[serde(default)]
    pub object: String,
    pub cpp: Option<String>,
    #[serde(default = "config")]
    pub config: String,
    /// Tells this machine's blocks from other machines'.
    #[serde(default)]
    pub kind: u16,
    /// What operations on a tape begin with.
    pub op: String,
    /// Size of the configuration's struct in the first version of the interface.
    #[serde(default)]
    pub first_size: usize,
    /// The preset of the configuration, and words about it.
    #[serde(default)]
    pub preset: String,
    #[serde(default)]
    pub preset_doc: String,
    /// Presets that C chooses from by a number: what C calls it, and words about it. The core's constant is called as C's.
    #[serde(default)]
    pub presets: Vec<[String; 2]>,
    /// Parameters whose type is written by hand: their fields in C, each with its type and words. `put_by_hand` and `get_by_hand` of
    /// the configuration's struct carry them over.
    #[serde(default)]
    pub fields: BTreeMap<String, Vec<[String; 3]>>,
    /// The function that tells the storage in hardware, its record, and methods of that record that are told, too. Nothing said: it is
    /// no hardware.
    pub storage: Option<Storage>,
    /// The function that reads the configuration of an image.
    #[serde(default = "image_config")]
    pub image_config: String,
    /// Words about the object.
    pub doc: String,
    /// What else C++ programmers should read first: lines of an example.
    #[serde(default)]
    pub example: String,
    /// Parts whose methods are the machine's, too: how it is reached, its type.
    #[serde(default)]
    pub parts: BTreeMap<String, String>,
    /// Methods of the configuration that C asks the machine for.
    #[serde(default)]
    pub of_config: Vec<String>,
    /// Verbs that no rule expresses: `hand.rs` of the ABI crate, of the tests and of the boards has them.
    #[serde(default)]
    pub verbs_by_hand: Vec<String>,
    /// Public methods that C does not get.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Types that C has as one number though they are no row's name; conversions are by hand, and in C++ the type.
    #[serde(default)]
    pub numbers: Vec<String>,
    /// Types that are written by hand for this machine.
    #[serde(default)]
    pub types: BTreeMap<String, ByHand>,
    /// Enumerations that C has whatever their variants hold, and their names in C++. They keep the numbers of the lock.
    #[serde(default)]
    pub enums: BTreeMap<String, String>,
    /// Other names than the core's for types, in C.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// Words about parameters of the configuration.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
    #[serde(default)]
    pub record: BTreeMap<String, Record>,
    #[serde(default)]
    pub call: BTreeMap<String, Call>,
    /// What the enumeration of presets is called in C, if not `preset`.
    pub preset_type: Option<String>,
    /// Machines that may be part of this one. By the name of the part, which the core's method that reaches it has, too.
    #[serde(default)]
    pub part: BTreeMap<String, Part>,
    /// Whether its verbs tell decisions, which C keeps until they are read: `hand.rs` has what holds them (`Object`), calls and answers
    /// as values are written by hand in the tests, and so is what boards do.
    #[serde(default)]
    pub decides: bool,
}

/// A machine that may be part of another one: its queries and parameters are that one's, too, behind the part's name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its description; none: only its parameters are told.
    pub of: Option<String>,
    /// The status that says that there is no such part.
    #[serde(default)]
    pub none: String,
    /// Queries of it that this machine has not.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// What its parameters are in the core: the type of the part, the file with its configuration, and the configuration.
    pub parameters: [String; 3],
    /// What words about its parameters begin with.
    pub title: String,
    /// What its types begin with in C, its namespace in C++, and its module in the tests, if that is not its own name. Nothing in quotes:
    /// what it chooses from is this machine's, and so is its configuration.
    pub family: Option<String>,
    /// The core's method that reaches it, which its queries are called after, if that is not the part's name.
    pub reach: Option<String>,
    /// The core's method that tells its configuration, if the part itself cannot be reached.
    pub config: Option<String>,
}

/// What the description of an object says only where it differs from that of its machine.
const INHERITED: [&str; 10] =
    ["core", "module", "config", "first_size", "preset", "presets", "storage", "types", "names", "record"];

impl Api {
    /// A description, and that of the machine if it is one of several objects of it.
    pub fn of(mut own: Table, machine: Option<&Table>) -> Result<Self> {
        own.remove(OF);
        for key in INHERITED {
            let Some(theirs) = machine.and_then(|all| all.get(key)) else { continue };
            match (own.get_mut(key), theirs) {
                (None, theirs) => drop(own.insert(key.to_owned(), theirs.clone())),
                (Some(Value::Table(own)), Value::Table(theirs)) => {
                    *own = theirs.clone().into_iter().chain(std::mem::take(own)).collect();
                }
                (Some(_), _) => {}
            }
        }
        Ok(own.try_into()?)
    }

    /// Whether there is an object, and not only functions of a configuration.
    pub fn has_object(&self) -> bool {
        self.has_config() && self.object != self.config
    }

    /// Whether there are parameters.
    pub fn has_config(&self) -> bool {
        !self.object.is_empty()
    }

    /// The record of the storage in hardware.
    pub fn storage_record(&self) -> &str {
        self.storage.as_ref().map_or("", |storage| &storage.record)
    }
}

fn config() -> String {
    "Config".into()
}

fn image_config() -> String {
    "image_config".into()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    #[serde(default = "storage_bits")]
    pub function: String,
    #[serde(default = "storage_record")]
    pub record: String,
    #[serde(default)]
    pub methods: Vec<String>,
}

fn storage_bits() -> String {
    "storage_bits".into()
}

fn storage_record() -> String {
    "StorageBits".into()
}

/// A type of the core that C has as a struct. Only what differs from the rule is said.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its name in C.
    pub c: Option<String>,
    /// An enumeration with contents: the field that says which variant it is.
    pub tag: Option<String>,
    /// Other names of the tag's values.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Fields of the core that C does not get, or only in the tag: the reason of a stall.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Whether C's struct ends with 32 bits that are 0, since another struct holds it and its fields would leave padding there.
    #[serde(default)]
    pub reserved: bool,
    /// Optional fields for which C has no number that says "none", and the field that says whether there is one.
    #[serde(default)]
    pub flags: BTreeMap<String, String>,
    /// Optional structs that are laid flat, with C's name of each of their fields: all of them are something, or none is.
    #[serde(default)]
    pub flat: BTreeMap<String, BTreeMap<String, String>>,
    /// Lists that C has as an array: the field that counts, and the constant that is the array's length.
    #[serde(default)]
    pub lists: BTreeMap<String, [String; 2]>,
    /// `Variant.field`: fields that a variant lacks, and that C has as GPUSCHED_NONE.
    #[serde(default)]
    pub none: Vec<String>,
    /// Words about fields.
    #[serde(default)]
    pub doc: BTreeMap<String, String>,
    /// Whether a function that is written by hand tells it.
    #[serde(default)]
    pub told_by_hand: bool,
    /// Whether C tells it in other words than the core, so that nothing leads back.
    #[serde(default)]
    pub one_way: bool,
    /// C++: whether the struct itself is the type.
    #[serde(default)]
    pub raw: bool,
    /// C++: the variant that has a class of its own.
    pub class: Option<String>,
    /// C++: the name of the class.
    pub cpp: Option<String>,
    /// C++: whether the class is written by hand, in `ffi/api/MACHINE.hpp`.
    #[serde(default)]
    pub hand: bool,
    /// What C's struct is filled with before a program says what it knows: a constant of the core's type.
    pub preset: Option<String>,
    /// The field for what is in variants around a number.
    pub value: Option<String>,
}

/// A method of the core that C has as a function. Only what differs from the rule is said.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Its name in C.
    pub c: Option<String>,
    /// The out-parameter.
    pub out: Option<String>,
    /// What the out-parameter receives.
    pub gives: Option<String>,
    /// Whether vectors have it among the events, although it neither changes the object nor can be refused.
    #[serde(default)]
    pub event: bool,
    /// Whether the out-parameter may be null.
    #[serde(default)]
    pub null: bool,
    /// An optional struct: the second out-parameter, which receives whether there is one.
    pub present: Option<String>,
    /// The status that stands for `None`.
    pub none: Option<String>,
    /// What of the configuration tells how many rows there are, a parameter or a method, and the status of a row beyond them.
    pub rows: Option<Rows>,
    /// Lists whose items C has in another form: the constant of the core that says how many there may be.
    #[serde(default)]
    pub most: BTreeMap<String, String>,
    /// Words about parameters; of an array `{i}` is a place in it.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
    /// Vectors: other names of parameters; `.` if the step itself says what it is.
    #[serde(default)]
    pub json: BTreeMap<String, String>,
    /// Vectors: values of parameters that a step may leave out.
    #[serde(default)]
    pub missing: BTreeMap<String, u32>,
    /// Its name in C++.
    pub cpp: Option<String>,
    /// A method that says whether something is there that this one needs, and the status if it is not.
    pub needs: Option<[String; 2]>,
    /// A verb that tells decisions: how many it may tell at most, as Rust says it of the object `m`.
    pub room: Option<String>,
}

/// How many rows there are, and the status of a row beyond them: of the first parameter, or of each.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub enum Rows {
    First([String; 2]),
    Each(Vec<[String; 2]>),
}

impl Rows {
    pub fn each(&self) -> Vec<[String; 2]> {
        match self {
            Self::First(first) => vec![first.clone()],
            Self::Each(each) => each.clone(),
        }
    }
}
