//! Names: the texts of strings and model values, each stored once per run.
//!
//! A value holds only the number of a text. Numbers are given in the order in which texts are first met (the
//! module, then the configuration), and that order is also the order of strings in a normalised set, as in TLC.

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

/// The number of a text in [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u64);

/// All texts of a run. Shared by the workers; texts are only ever added.
#[derive(Default, Debug)]
pub struct Names {
    table: RwLock<Table>,
}

#[derive(Default, Debug)]
struct Table {
    numbers: FxHashMap<Arc<str>, u64>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of `text`, given now if it is new.
    pub fn intern(&self, text: &str) -> Symbol {
        if let Some(&number) = self.table.read().expect("no panic while the lock is held").numbers.get(text) {
            return Symbol(number);
        }
        let mut table = self.table.write().expect("no panic while the lock is held");
        if let Some(&number) = table.numbers.get(text) {
            return Symbol(number);
        }
        let number = table.texts.len() as u64;
        let text: Arc<str> = Arc::from(text);
        table.texts.push(Arc::clone(&text));
        table.numbers.insert(text, number);
        Symbol(number)
    }

    /// All texts, in the order of their numbers.
    pub fn texts(&self) -> Vec<Arc<str>> {
        self.table.read().expect("no panic while the lock is held").texts.clone()
    }

    /// The text with number `symbol`.
    pub fn text(&self, symbol: Symbol) -> Arc<str> {
        Arc::clone(&self.table.read().expect("no panic while the lock is held").texts[symbol.0 as usize])
    }
}
