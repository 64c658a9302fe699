//! The types and fields that occur in a document: rules that are only about others hold of it.

use rustc_hash::FxHashSet;

/// The modules of types and the fields that an instance has anything for.
#[derive(Clone, Debug)]
pub struct Occurring {
    /// The folder of the modules that are made from types. Only what they declare can be absent.
    folder: &'static str,
    modules: FxHashSet<String>,
    fields: FxHashSet<String>,
}

impl Occurring {
    /// Nothing yet. The modules of types are in this folder: `hot/types/`.
    pub fn new(folder: &'static str) -> Self {
        Self { folder, modules: FxHashSet::default(), fields: FxHashSet::default() }
    }

    /// Adds a type, by the name of its module.
    pub fn add_module(&mut self, module: String) {
        self.modules.insert(module);
    }

    /// Adds a field, of whichever type.
    pub fn add_field(&mut self, field: String) {
        self.fields.insert(field);
    }

    /// Whether there is nothing of a signature or a field, by the name of its module and its own.
    pub(crate) fn lacks(&self, module: &str, name: &str) -> bool {
        let Some(sig) = module.strip_prefix(self.folder) else { return false };
        // Signatures of a type have its name, or begin with it.
        !self.modules.contains(module) || !(name.starts_with(sig) || self.fields.contains(name))
    }

    /// Whether another has all of this.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.folder == other.folder
            && self.modules.is_subset(&other.modules)
            && self.fields.is_subset(&other.fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_types_declare_is_lacking() {
        let mut occurring = Occurring::new("toy/types/");
        occurring.add_module("toy/types/Box".to_owned());
        occurring.add_field("prop_size".to_owned());
        let lacks = |module, name| occurring.lacks(module, name);
        assert!(lacks("toy/types/Bag", "Bag") && lacks("toy/types/Bag", "prop_size"));
        assert!(lacks("toy/types/Box", "prop_colour"));
        assert!(!lacks("toy/types/Box", "Box") && !lacks("toy/types/Box", "Box_doors_elements"));
        assert!(!lacks("toy/types/Box", "prop_size") && !lacks("toy/core", "anything"));
        let mut more = occurring.clone();
        more.add_field("prop_colour".to_owned());
        assert!(occurring.is_within(&more) && !more.is_within(&occurring));
    }
}
