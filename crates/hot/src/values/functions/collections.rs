//! Functions that make lists and maps, or look into them.

use std::sync::Arc;

use locus_schema::unknown::TOO_LARGE;
use locus_schema::{Content, Datum, Field, Why};
use locus_source::Place;
use rustc_hash::FxHashSet;

use super::{Call, nth};
use crate::values::evaluate::Evaluator;
use crate::version::Version;
use locus_source::words::short;

/// The longest list that is made or searched item by item.
const LONGEST_LIST: usize = 100_000;

impl Evaluator<'_> {
    pub(super) fn repeat(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "{ template: a %i%, for_each: { '%i%': [x, y] } }";
        match &given.value {
            Content::Map(_) => {}
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a map with `template` and `for_each`", EXAMPLE),
        }
        let (Some(template), Some(for_each)) = (given.get("template"), given.get("for_each")) else {
            return self.wrong(call, given.place, "needs `template` and `for_each`", EXAMPLE);
        };
        let nested = match given.get("permutations").map(|datum| &datum.value) {
            Some(Content::Bool(nested)) => *nested,
            None => true,
            Some(_) if self.version < Version::V2017September => true,
            Some(_) => {
                return self.wrong(call, given.place, "needs true or false as `permutations`", EXAMPLE);
            }
        };
        let fields = match &for_each.value {
            Content::Map(fields) => fields,
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, for_each.place, "needs a map as `for_each`", EXAMPLE),
        };
        let mut lists: Vec<(&Arc<str>, Vec<Arc<str>>)> = Vec::new();
        for field in fields.iter() {
            match self.repeated(&field.value) {
                Some(Ok(values)) => lists.push((&field.key, values)),
                Some(Err(what)) => return self.wrong(call, field.value.place, what, EXAMPLE),
                None => return call.unknown(),
            }
        }
        self.combinations(call, template, &lists, nested)
    }

    /// The texts that a variable of `repeat` takes, what is wrong with them, or nothing if they are not known.
    fn repeated(&self, value: &Datum) -> Option<Result<Vec<Arc<str>>, &'static str>> {
        match &value.value {
            Content::Null => Some(Ok(Vec::new())),
            Content::List(items) => {
                let mut texts = Vec::with_capacity(items.len());
                for item in items.iter() {
                    match &item.value {
                        Content::Str(text) => texts.push(Arc::clone(text)),
                        Content::Unknown(_) | Content::Location(_) => return None,
                        _ => {
                            return Some(Err(
                                "puts strings in the place of variables; write numbers in quotes",
                            ));
                        }
                    }
                }
                Some(Ok(texts))
            }
            Content::Map(fields) if self.version >= Version::V2016October => {
                Some(Ok(fields.iter().map(|field| Arc::clone(&field.key)).collect()))
            }
            Content::Unknown(_) => None,
            _ => Some(Err("needs a list for each variable")),
        }
    }

    fn combinations(
        &mut self,
        call: Call<'_>,
        template: &Datum,
        lists: &[(&Arc<str>, Vec<Arc<str>>)],
        nested: bool,
    ) -> Datum {
        let lengths = || lists.iter().map(|(_, values)| values.len());
        let count = if nested {
            lengths().try_fold(1_usize, usize::checked_mul)
        } else if lengths().min() == lengths().max() {
            lengths().min()
        } else {
            return self.wrong(
                call,
                template.place,
                "needs lists of the same length without permutations",
                "",
            );
        };
        // What is put in may be long, and may be put in for every few characters.
        let longest =
            |(_, values): &(_, Vec<Arc<str>>)| values.iter().map(|value| value.len()).max().unwrap_or(0);
        let size = size(template).saturating_mul(1 + lists.iter().map(longest).sum::<usize>());
        let Some(count) = count.filter(|count| count.saturating_mul(size) <= self.budget) else {
            return Datum::unknown(Why::plain(&TOO_LARGE), call.place);
        };
        self.budget -= count * size;
        let mut results = Vec::with_capacity(count);
        for number in 0..count {
            let mut rest = number;
            let mut chosen: Vec<(&str, &str)> = Vec::with_capacity(lists.len());
            // As in nested loops, the last variable runs fastest.
            for (key, values) in lists.iter().rev() {
                let index = if nested { rest % values.len() } else { number };
                rest /= values.len().max(1);
                chosen.push((key, &values[index]));
            }
            chosen.reverse();
            results.push(substitute(template, &chosen));
        }
        call.gives(Content::List(results.into()))
    }

    pub(super) fn map_merge(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "[{ a: 1 }, { b: 2 }]";
        let items = match &given.value {
            Content::List(items) => items,
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a list of maps", EXAMPLE),
        };
        let mut merged: Vec<Field> = Vec::new();
        let mut index: rustc_hash::FxHashMap<Arc<str>, usize> = rustc_hash::FxHashMap::default();
        let mut unknown = false;
        for item in items.iter() {
            match &item.value {
                Content::Map(fields) => {
                    self.budget = self.budget.saturating_sub(fields.len());
                    for field in fields.iter() {
                        let at = *index.entry(Arc::clone(&field.key)).or_insert(merged.len());
                        if at == merged.len() {
                            merged.push(field.clone());
                        } else {
                            merged[at] = field.clone();
                        }
                    }
                }
                Content::Null => {}
                Content::Unknown(_) => unknown = true,
                other => {
                    let what = format!("merges maps, not {}", other.kind_name());
                    return self.wrong(call, item.place, &what, EXAMPLE);
                }
            }
            if self.budget == 0 {
                return Datum::unknown(Why::plain(&TOO_LARGE), call.place);
            }
        }
        if unknown { call.unknown() } else { call.gives(Content::Map(merged.into())) }
    }

    pub(super) fn map_replace(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "[{ a: b }, { keys: { a: c }, values: { b: d } }]";
        let items = match &given.value {
            Content::List(items) if items.len() == 2 => items,
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a map and what to replace in it", EXAMPLE),
        };
        let fields = |datum: &Datum| match &datum.value {
            Content::Map(fields) => Some(Ok(Arc::clone(fields))),
            Content::Null => Some(Ok(Arc::from([]))),
            Content::Unknown(_) => None,
            _ => Some(Err(())),
        };
        let (Some(map), Some(replace)) = (fields(&items[0]), fields(&items[1])) else {
            return call.unknown();
        };
        let (Ok(map), Ok(replace)) = (map, replace) else {
            return self.wrong(call, given.place, "takes maps", EXAMPLE);
        };
        if let Some(field) = replace.iter().find(|field| !["keys", "values"].contains(&&*field.key)) {
            let what = format!("replaces `keys` and `values`, not `{}`", short(&field.key));
            return self.wrong(call, field.place, &what, EXAMPLE);
        }
        let part = |name: &str| items[1].get(name).cloned().unwrap_or_else(|| call.gives(Content::Null));
        let (keys, values) = (part("keys"), part("values"));
        if [&keys, &values].iter().any(|part| part.value.is_partly_unknown()) {
            return call.unknown();
        }
        if let Some((at, place)) = collision(&map, &keys) {
            let what = format!("replaces two keys by `{}`, or one by a key that the map has", short(&at));
            return self.wrong(call, place, &what, "");
        }
        let replaced = map.iter().map(|field| {
            let key = keys.get(&field.key).and_then(|key| key.value.to_text());
            let value = field.value.value.to_text().and_then(|text| values.get(&text).cloned());
            Field {
                key: key.unwrap_or_else(|| Arc::clone(&field.key)),
                place: field.place,
                value: value.unwrap_or_else(|| field.value.clone()),
            }
        });
        call.gives(Content::Map(replaced.collect()))
    }

    pub(super) fn filter(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "[[unwanted], [wanted, unwanted]]";
        let items = match &given.value {
            Content::List(items) if items.len() == 2 => items,
            Content::Unknown(_) => return call.unknown(),
            _ => {
                return self.wrong(
                    call,
                    given.place,
                    "takes a list of values and a list to take them from",
                    EXAMPLE,
                );
            }
        };
        let (values, list) = match (&items[0].value, &items[1].value) {
            (_, Content::Null) => return call.gives(Content::Null),
            (Content::Null, other) => return call.gives(other.clone()),
            (Content::List(values), Content::List(list)) => (values, list),
            (Content::Unknown(_), _) | (_, Content::Unknown(_)) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes two lists", EXAMPLE),
        };
        if values.len().saturating_mul(list.len()) > LONGEST_LIST * 10 {
            return Datum::unknown(Why::plain(&TOO_LARGE), call.place);
        }
        let mut kept = Vec::new();
        for item in list.iter() {
            match is_in(item, values) {
                Some(false) => kept.push(item.clone()),
                Some(true) => {}
                None => return call.unknown(),
            }
        }
        call.gives(Content::List(kept.into()))
    }

    pub(super) fn list_concat(&mut self, call: Call<'_>, given: &Datum, unique: bool) -> Datum {
        const EXAMPLE: &str = "[[a], [b, c]]";
        let items = match &given.value {
            Content::List(items) => items,
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a list of lists", EXAMPLE),
        };
        let mut unknown = false;
        let mut joined: Vec<Datum> = Vec::new();
        for item in items.iter() {
            match &item.value {
                Content::List(items) if joined.len() + items.len() <= LONGEST_LIST => {
                    joined.extend_from_slice(items);
                }
                Content::List(_) => return Datum::unknown(Why::plain(&TOO_LARGE), call.place),
                Content::Null => {}
                Content::Unknown(_) => unknown = true,
                other => {
                    let what = format!("joins lists, not {}", other.kind_name());
                    return self.wrong(call, item.place, &what, EXAMPLE);
                }
            }
        }
        if joined.len() > self.budget || unique && joined.len() > 2_000 {
            return Datum::unknown(Why::plain(&TOO_LARGE), call.place);
        }
        self.budget -= joined.len();
        if unique {
            let mut kept: Vec<Datum> = Vec::new();
            for item in joined {
                match is_in(&item, &kept) {
                    Some(false) => kept.push(item),
                    Some(true) => {}
                    None => return call.unknown(),
                }
            }
            joined = kept;
        }
        if unknown { call.unknown() } else { call.gives(Content::List(joined.into())) }
    }

    pub(super) fn contains(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "[value, [one, other]]";
        let items = match &given.value {
            Content::List(items) if items.len() == 2 => items,
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a value and a list", EXAMPLE),
        };
        let found = match (&items[0].value, &items[1].value) {
            (_, Content::List(list)) => is_in(&items[0], list),
            (Content::Str(part), Content::Str(text)) => Some(text.contains(&**part)),
            (Content::Unknown(_) | Content::Location(_), _)
            | (_, Content::Unknown(_) | Content::Location(_)) => None,
            _ => return self.wrong(call, items[1].place, "needs a list to look in", EXAMPLE),
        };
        found.map_or_else(|| call.unknown(), |found| call.gives(Content::Bool(found)))
    }

    /// `Fn::Select` of the older language.
    pub(super) fn select(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        let items = match &given.value {
            Content::List(items) if items.len() == 2 => items,
            Content::Unknown(_) => return call.unknown(),
            _ => {
                return self.wrong(
                    call,
                    given.place,
                    "takes a number or key and a list or map",
                    "[0, [a, b]]",
                );
            }
        };
        match (items[0].value.to_text(), &items[1].value) {
            (Some(key), Content::Map(_)) => {
                items[1].get(&key).map_or_else(|| call.gives(Content::str("")), Clone::clone)
            }
            (Some(key), Content::List(list)) => {
                let found = key.parse().ok().and_then(|index| nth(list, index));
                found.map_or_else(|| call.gives(Content::str("")), Clone::clone)
            }
            _ => call.unknown(),
        }
    }
}

/// Whether a list has a value, if that is known.
fn is_in(value: &Datum, list: &[Datum]) -> Option<bool> {
    let mut result = Some(false);
    for item in list {
        match value.value.equals(&item.value) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}

/// How many values and characters there are, about.
fn size(datum: &Datum) -> usize {
    1 + match &datum.value {
        Content::Str(text) => text.len() / 8,
        Content::List(items) => items.iter().map(size).sum(),
        Content::Map(fields) => fields.iter().map(|field| size(&field.value)).sum(),
        _ => 0,
    }
}

/// A copy with the variables replaced, in keys and in texts.
fn substitute(datum: &Datum, chosen: &[(&str, &str)]) -> Datum {
    let text = |text: &Arc<str>| -> Arc<str> {
        let mut result = Arc::clone(text);
        for (key, value) in chosen {
            if !key.is_empty() && result.contains(key) {
                result = result.replace(key, value).into();
            }
        }
        result
    };
    let value = match &datum.value {
        Content::Str(one) => Content::Str(text(one)),
        Content::List(items) => Content::List(items.iter().map(|item| substitute(item, chosen)).collect()),
        Content::Map(fields) => {
            let replaced = fields.iter().map(|field| Field {
                key: text(&field.key),
                place: field.place,
                value: substitute(&field.value, chosen),
            });
            Content::Map(replaced.collect())
        }
        Content::Unknown(unknown) => return datum.with_given(unknown, |given| substitute(given, chosen)),
        other => other.clone(),
    };
    Datum { value, ..datum.clone() }
}

/// A key that `map_replace` would make though the map has it, or has got it before, and where that is said.
fn collision(map: &[Field], keys: &Datum) -> Option<(Arc<str>, Place)> {
    let has: FxHashSet<&str> = map.iter().map(|field| &*field.key).collect();
    let mut got: FxHashSet<Arc<str>> = FxHashSet::default();
    for field in map {
        let new = keys.get(&field.key).filter(|new| !matches!(new.value, Content::Null));
        let Some((new, place)) = new.and_then(|new| Some((new.value.to_text()?, new.place))) else {
            got.insert(Arc::clone(&field.key));
            continue;
        };
        if (has.contains(&*new) && new != field.key) || !got.insert(Arc::clone(&new)) {
            return Some((new, place));
        }
    }
    None
}
