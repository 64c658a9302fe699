//! The bytes of the table: the index, and the inflating of one type.

use std::sync::OnceLock;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use serde_json::Value as Json;

use super::ResourceType;

static BYTES: &[u8] = include_bytes!("registry.bin");

/// Where a type is in the table, and what it says once somebody has asked.
pub(super) struct Slot {
    pub(super) name: &'static str,
    deflated: &'static [u8],
    size: usize,
    pub(super) decoded: OnceLock<ResourceType>,
}

struct Table {
    source: [&'static str; 3],
    names: Vec<&'static str>,
    slots: Vec<Slot>,
    dictionary: &'static [u8],
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut rest = BYTES;
        let mut line = || {
            let end = rest.iter().position(|&byte| byte == b'\n').expect("the head has seven lines");
            let (line, after) = rest.split_at(end);
            rest = &after[1..];
            std::str::from_utf8(line).expect("the head is text")
        };
        let _form = line();
        let source = [line(), line(), line()];
        let [_, index, dictionary] = [line(), line(), line()].map(|line| line.parse().expect("a number"));
        let (index, rest): (&[u8], &[u8]) = rest.split_at(index);
        let (dictionary, data) = rest.split_at(dictionary);
        let slots: Vec<Slot> = std::str::from_utf8(index)
            .expect("the index is text")
            .lines()
            .map(|line| {
                let mut fields = line.split('\t');
                let name = fields.next().expect("a name");
                let mut number =
                    || fields.next().and_then(|one| one.parse::<usize>().ok()).expect("a number");
                let (at, length, size) = (number(), number(), number());
                Slot { name, deflated: &data[at..at + length], size, decoded: OnceLock::new() }
            })
            .collect();
        Table { source, names: slots.iter().map(|slot| slot.name).collect(), slots, dictionary }
    })
}

impl Slot {
    /// The facts about the type. They stand behind the dictionary, from which they were deflated.
    pub(super) fn facts(&self) -> Json {
        let start = table().dictionary.len();
        let mut out = Vec::with_capacity(start + self.size);
        out.extend_from_slice(table().dictionary);
        out.resize(start + self.size, 0);
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, _, written) =
            decompress(&mut DecompressorOxide::new(), self.deflated, &mut out, start, flags);
        assert!(status == TINFLStatus::Done && written == self.size, "the table is whole");
        serde_json::from_slice(&out[start..]).expect("the table has JSON")
    }
}

pub(super) fn slot(name: &str) -> Option<&'static Slot> {
    let at = table().names.binary_search(&name).ok()?;
    Some(&table().slots[at])
}

pub(super) fn names() -> &'static [&'static str] {
    &table().names
}

pub(super) fn source() -> [&'static str; 3] {
    table().source
}
