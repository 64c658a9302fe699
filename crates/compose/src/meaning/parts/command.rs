//! The words that a service runs.

use locus_meaning::{Related, Subject};

use super::{Filling, list};
use crate::values::datum::Datum;

/// So many words of a service are looked at.
const MOST: usize = 1_000;

impl Filling<'_, '_> {
    pub(super) fn words(&mut self, service: Subject, value: &Datum) {
        if let Some(entrypoint) = value.get("entrypoint").filter(|entrypoint| !entrypoint.is_null()) {
            self.put(service, "Service", "entrypoint", Related::Truth(true), entrypoint.place);
        }
        let words = list(value, &["entrypoint"]).iter().chain(list(value, &["command"]));
        for (position, word) in words.take(MOST).enumerate() {
            let Some(text) = word.as_str() else { continue };
            let atom = self.part("Word", text, word.place);
            self.put(service, "Service", "words", Related::To(atom), word.place);
            self.put(atom, "Word", "text", Related::text(text), word.place);
            self.put(atom, "Word", "position", Related::Int(position as i64), word.place);
        }
    }
}
