//! The types of things.

use std::sync::LazyLock;

use locus_schema::modules::TypeModule;
use locus_schema::{Property, Type};

/// A type of things.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// In order of names.
    pub(crate) properties: Vec<Property>,
    /// The phases of its process.
    pub(crate) phases: &'static [&'static str],
}

static ALL: LazyLock<[Kind; 2]> = LazyLock::new(|| {
    let property = |name: &str, kind| Property::new(name, kind);
    let disk = Property { kind_named: Some("store".into()), ..property("disk", Type::String) };
    let size = || property("size", Type::Integer);
    // A store is made anew where it is to have another size.
    let fixed = Property { required: true, update_allowed: false, ..size() };
    [
        Kind { name: "server", properties: vec![disk, size()], phases: &["made", "running"] },
        Kind { name: "store", properties: vec![fixed], phases: &["made"] },
    ]
});

/// The names of all types.
pub(crate) const NAMES: [&str; 2] = ["server", "store"];

/// A type by its name.
pub(crate) fn find(name: &str) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.name == name)
}

impl Kind {
    /// The text of its module.
    pub(crate) fn module(&self) -> String {
        let (module, sig, properties) = (&format!("toy/types/{}", self.name), self.name, &self.properties);
        let doc = &format!("A {sig}.");
        TypeModule { module, core: "toy/core", sig, extends: "Thing", doc, properties }.to_string()
    }
}
