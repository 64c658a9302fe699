//! The words that a service runs.

use locus_rules::{AtomId, Item as Fact};

use super::{Filling, list, text_fact};
use crate::datum::Datum;

/// So many words of a service are looked at.
const MOST: usize = 1_000;

impl Filling<'_, '_> {
    pub(super) fn words(&mut self, service: AtomId, value: &Datum) {
        if let Some(entrypoint) = value.get("entrypoint").filter(|entrypoint| !entrypoint.is_null()) {
            self.put(service, "Service", "entrypoint", Fact::Atom(self.truths[1]), entrypoint.place);
        }
        let words = list(value, &["entrypoint"]).iter().chain(list(value, &["command"]));
        for (position, word) in words.take(MOST).enumerate() {
            let Some(text) = word.as_str() else { continue };
            let atom = self.atom("Word", text, word.place);
            self.put(service, "Service", "words", Fact::Atom(atom), word.place);
            self.put(atom, "Word", "text", text_fact(text), word.place);
            self.put(atom, "Word", "position", Fact::Int(position as i64), word.place);
        }
    }
}
