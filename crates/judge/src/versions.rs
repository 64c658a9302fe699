//! When each version of each element is there: an element of the old document, of the new one, or of both.

use locus_language::Document;
use locus_meaning::{Element, Key, Standing};
use locus_plan::Fate;
use locus_rules::{Passes, Span};
use rustc_hash::FxHashMap;

use crate::Way;
use crate::order::{Events, Order};

/// The versions of the elements of both documents.
pub(crate) struct Versions {
    /// When each version is there: within any of these.
    pub(crate) spans: Vec<Vec<Span>>,
    /// The key of the element that each is of.
    pub(crate) keys: Vec<Key>,
    /// The keys of the things that each is: its copies.
    pub(crate) things: Vec<Vec<Key>>,
    /// The word that tells each from the other version of its element.
    pub(crate) marks: Vec<&'static str>,
    /// By document, the old one first, and by the number of an element: its fate.
    passes: [Vec<Passes>; 2],
}

/// Which document an element is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Old,
    New,
}

impl Versions {
    pub(crate) fn of(way: &Way<'_>, order: &Order) -> Self {
        let mut events: FxHashMap<&Key, Vec<&Events>> = FxHashMap::default();
        for (kind, found) in &order.components {
            events.entry(&way.pivot.parts[kind.0 as usize].key).or_default().push(found);
        }
        let mut finding = Finding {
            fates: way.pivot.differences.iter().map(|one| (&one.key, one.fate)).collect(),
            events,
            stays: FxHashMap::default(),
            spans: Vec::new(),
            keys: Vec::new(),
            things: Vec::new(),
            marks: Vec::new(),
        };
        let [old, new] = [(way.old, Of::Old), (way.new, Of::New)]
            .map(|(one, of)| finding.document(one.map(|one| one.document), of));
        Self {
            spans: finding.spans,
            keys: finding.keys,
            things: finding.things,
            marks: finding.marks,
            passes: [old, new],
        }
    }

    /// The fate of an element of the old document.
    pub(crate) fn of_old(&self, element: u32) -> Passes {
        self.passes[0][element as usize]
    }

    /// The fate of an element of the new document.
    pub(crate) fn of_new(&self, element: u32) -> Passes {
        self.passes[1][element as usize]
    }
}

/// Versions, as they are found.
struct Finding<'f> {
    fates: FxHashMap<&'f Key, Fate>,
    /// The events of the components of each thing.
    events: FxHashMap<&'f Key, Vec<&'f Events>>,
    /// The numbers of elements that both documents have and that nothing happens to.
    stays: FxHashMap<Key, u32>,
    spans: Vec<Vec<Span>>,
    keys: Vec<Key>,
    things: Vec<Vec<Key>>,
    marks: Vec<&'static str>,
}

impl Finding<'_> {
    fn document(&mut self, document: Option<&dyn Document>, of: Of) -> Vec<Passes> {
        let Some(meaning) = document.and_then(|document| document.meaning().ok()) else { return Vec::new() };
        let mut passes: Vec<Passes> = Vec::new();
        for (_, element) in meaning.elements() {
            let one = self.element(element, of, &passes);
            passes.push(one);
        }
        passes
    }

    fn element(&mut self, element: &Element<'_>, of: Of, before: &[Passes]) -> Passes {
        if let Standing::Member(maker) | Standing::Inside(maker) = element.standing
            && let Some(Passes::Version(version)) = before.get(maker.number() as usize)
        {
            return Passes::Version(*version);
        }
        let spans = if element.is_planned() { self.spans(element, of) } else { None };
        if let Some(spans) = spans {
            self.spans.push(spans);
            self.keys.push(element.key.clone());
            let copies = 0..element.copies.count;
            self.things.push(copies.map(|copy| element.copies.key(&element.key, copy)).collect());
            self.marks.push(self.mark(element, of));
            Passes::Version(self.spans.len() - 1)
        } else {
            let next = self.stays.len() as u32;
            Passes::Stays(*self.stays.entry(element.key.clone()).or_insert(next))
        }
    }

    /// When an element is there: while any of its copies is. None if one of them is not touched.
    fn spans(&self, element: &Element<'_>, of: Of) -> Option<Vec<Span>> {
        let in_effect = element.process.as_deref().map_or(0, |process| process.in_effect);
        let mut spans = Vec::new();
        for copy in 0..element.copies.count {
            let key = element.copies.key(&element.key, copy);
            let fate = self.fates.get(&key).copied();
            let is_old = match (fate, of) {
                (None | Some(Fate::Keep), _) => return None,
                (Some(Fate::Leave), Of::Old) => {
                    spans.push(Span { comes: None, goes: None });
                    continue;
                }
                (Some(Fate::Change), of) => {
                    spans.extend(self.changed(&key, of));
                    continue;
                }
                (Some(_), of) => of == Of::Old,
            };
            let events = self.events.get(&key).into_iter().flatten();
            for events in events.filter(|events| events.is_old == is_old) {
                let ends = if in_effect > 0 { events.ends.or(events.deleted) } else { events.deleted };
                spans.push(Self::span(
                    if is_old { None } else { events.phases.get(in_effect).copied().flatten() },
                    ends,
                ));
            }
        }
        Some(spans)
    }

    /// The word for the version of a document, if the other one has a version too.
    fn mark(&self, element: &Element<'_>, of: Of) -> &'static str {
        let fates = (0..element.copies.count)
            .filter_map(|copy| self.fates.get(&element.copies.key(&element.key, copy)));
        match (fates.into_iter().any(|fate| matches!(fate, Fate::Change | Fate::Replace)), of) {
            (false, _) => "",
            (true, Of::Old) => "old",
            (true, Of::New) => "new",
        }
    }

    /// When the version of a document is there of something that is changed in place.
    fn changed(&self, key: &Key, of: Of) -> Option<Span> {
        let mut events = self.events.get(key)?.iter();
        let updated = events.find_map(|events| events.updated);
        Some(match of {
            Of::Old => Self::span(None, updated),
            Of::New => Self::span(updated, None),
        })
    }

    fn span(comes: Option<u32>, goes: Option<u32>) -> Span {
        Span { comes: comes.map(|step| step as usize), goes: goes.map(|step| step as usize) }
    }
}
