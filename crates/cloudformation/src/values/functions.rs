//! The functions of templates.

use std::sync::Arc;

use locus_schema::{Content, Datum};
use locus_source::words::{did_you_mean_word, short};
use locus_source::{Finding, Node, Place};

use super::text::{Piece, pieces};
use super::{Evaluator, why};
use crate::rules::{EXTENSION, FUNCTION, MAPPING, UNKNOWN_FUNCTION, UNKNOWN_NAME};

/// All functions, those of conditions and rules included.
pub(crate) const FUNCTIONS: &[&str] = &[
    "Fn::And",
    "Fn::Base64",
    "Fn::Cidr",
    "Fn::Contains",
    "Fn::EachMemberEquals",
    "Fn::EachMemberIn",
    "Fn::Equals",
    "Fn::FindInMap",
    "Fn::GetAZs",
    "Fn::GetAtt",
    "Fn::GetStackOutput",
    "Fn::If",
    "Fn::ImportValue",
    "Fn::Join",
    "Fn::Length",
    "Fn::Not",
    "Fn::Or",
    "Fn::RefAll",
    "Fn::Select",
    "Fn::Split",
    "Fn::Sub",
    "Fn::ToJsonString",
    "Fn::Transform",
    "Fn::ValueOf",
    "Fn::ValueOfAll",
    "Ref",
];

/// Texts that functions make are not longer than this.
const LONGEST: usize = 1 << 20;

impl<'t> Evaluator<'_, 't> {
    /// The value of a call. `node` is the whole of it. What is made of a secret is one.
    pub(super) fn call(&mut self, name: &str, argument: Node<'t>, node: Node<'t>) -> Datum {
        let before = self.secrets;
        let result = self.result(name, argument, node);
        if self.secrets > before { result.secret() } else { result }
    }

    fn result(&mut self, name: &str, argument: Node<'t>, node: Node<'t>) -> Datum {
        let place = node.use_place();
        let made = Datum::unknown(why::made(name), place);
        if matches!(name, "Fn::Length" | "Fn::ToJsonString") && !self.scope.has_extensions {
            self.say(&EXTENSION, place, format!("`{name}` needs the transform `AWS::LanguageExtensions`"));
        }
        match name {
            "Ref" => match argument.value() {
                locus_source::Value::Str(text) => self.reference(text, place),
                _ if self.scope.has_extensions => {
                    let name = self.argument(argument, node);
                    match name.as_str() {
                        Some(text) => self.reference(text, place),
                        None => made,
                    }
                }
                _ => self.malformed(name, "the name of a resource or a parameter", place),
            },
            "Fn::GetAtt" => self.get_att(argument, place),
            "Fn::Sub" => self.sub(argument, place),
            "Fn::If" => self.choice(argument, place),
            "Fn::Join" => self.join(argument, place),
            "Fn::Select" => self.select(argument, place),
            "Fn::Split" => self.split(argument, place),
            "Fn::FindInMap" => self.find_in_map(argument, place),
            "Fn::Base64" => {
                let inner = self.argument(argument, node);
                self.lists.insert(place, false);
                if matches!(inner.value, Content::List(_) | Content::Map(_)) {
                    return self.malformed(name, "a text", place);
                }
                made
            }
            "Fn::GetAZs" => {
                self.argument(argument, node);
                self.lists.insert(place, true);
                made
            }
            "Fn::Cidr" => self.cidr(argument, place),
            "Fn::ImportValue" | "Fn::GetStackOutput" => {
                self.argument(argument, node);
                self.lists.insert(place, false);
                Datum::unknown(why::made(name), place)
            }
            "Fn::Length" => match &self.argument(argument, node).value {
                Content::List(items) if items.iter().all(|item| !matches!(item.value, Content::Absent)) => {
                    Datum::new(Content::Int(items.len() as i64), place)
                }
                Content::Unknown(_) | Content::List(_) => made,
                _ => self.malformed(name, "a list", place),
            },
            "Fn::ToJsonString" => {
                let inner = self.argument(argument, node);
                self.lists.insert(place, false);
                match inner.value.to_json().filter(|text| text.len() <= LONGEST) {
                    Some(text) => Datum::new(Content::Str(text.into()), place),
                    None => made,
                }
            }
            "Fn::Transform" => Datum::unknown(why::function(name), place),
            "Fn::And" | "Fn::Or" | "Fn::Not" | "Fn::Equals" | "Condition" => {
                let message =
                    format!("`{name}` stands in conditions only; where a value is wanted, use `Fn::If`");
                self.say(&FUNCTION, place, message);
                Datum::unknown(why::wrong(), place)
            }
            "Fn::Contains"
            | "Fn::EachMemberEquals"
            | "Fn::EachMemberIn"
            | "Fn::RefAll"
            | "Fn::ValueOf"
            | "Fn::ValueOfAll" => {
                self.say(&FUNCTION, place, format!("`{name}` stands in the section `Rules` only"));
                Datum::unknown(why::wrong(), place)
            }
            _ => {
                let message = format!("there is no function `{}`", short(name));
                let shown = name.to_owned();
                self.add(|| {
                    let finding = Finding::new(&UNKNOWN_FUNCTION, place, message);
                    did_you_mean_word(finding, &shown, FUNCTIONS.iter().copied())
                });
                Datum::unknown(why::wrong(), place)
            }
        }
    }

    /// The value of the argument of a call, which is the call itself where a tag says what is called.
    fn argument(&mut self, argument: Node<'t>, call: Node<'t>) -> Datum {
        if argument.is_same(call) { self.untagged(argument) } else { self.value(argument) }
    }

    fn malformed(&mut self, name: &str, wanted: &str, place: Place) -> Datum {
        self.say(&FUNCTION, place, format!("`{name}` takes {wanted}"));
        Datum::unknown(why::wrong(), place)
    }

    fn get_att(&mut self, argument: Node<'t>, place: Place) -> Datum {
        if let Some([name, attribute]) = parts(argument)
            && (name.as_str().is_some() || self.scope.has_extensions)
        {
            let (name, attribute) = (self.value(name), self.value(attribute));
            return match name.as_str() {
                Some(name) => self.attribute(name, attribute.as_str(), place),
                None => Datum::unknown(why::function("Fn::GetAtt"), place),
            };
        }
        match argument.as_str().and_then(|text| text.split_once('.')) {
            Some((name, attribute)) => self.attribute(name, Some(attribute), place),
            None => self.malformed("Fn::GetAtt", "the name of a resource and that of an attribute", place),
        }
    }

    fn sub(&mut self, argument: Node<'t>, place: Place) -> Datum {
        self.lists.insert(place, false);
        let (text, variables) = if argument.is_sequence() {
            let Some([text, variables]) = parts(argument) else {
                return self.malformed("Fn::Sub", "a text, or a list of a text and a map", place);
            };
            (text, Some(variables))
        } else {
            (argument, None)
        };
        let Some(text) = text.as_str().or_else(|| text.is_scalar().then(|| text.raw())) else {
            return self.malformed("Fn::Sub", "a text, or a list of a text and a map", place);
        };
        if variables.is_some_and(|variables| !variables.is_mapping()) {
            return self.malformed("Fn::Sub", "a text, or a list of a text and a map", place);
        }
        let variables: Vec<(&str, Datum)> = (variables.into_iter().flat_map(Node::entries))
            .map(|entry| (entry.key.raw(), self.value(entry.value)))
            .collect();
        let mut result = Some(String::new());
        let text = self.in_loops(text);
        for piece in pieces(&text) {
            let value = match piece {
                Piece::Text(text) => Some(Arc::from(text)),
                Piece::Name(name) => self.named(name, &variables, place),
            };
            result = match (result, value) {
                (Some(mut text), Some(value)) if text.len() + value.len() <= LONGEST => {
                    text.push_str(&value);
                    Some(text)
                }
                _ => None,
            };
        }
        match result {
            // What is looked up may be within a text that was put together.
            Some(text) if text.contains("{{resolve:") => Datum::unknown(why::dynamic(&text), place),
            Some(text) => Datum::new(Content::Str(text.into()), place),
            None => Datum::unknown(why::made("Fn::Sub"), place),
        }
    }

    /// All that stands for a name in a text.
    fn named(&mut self, name: &str, variables: &[(&str, Datum)], place: Place) -> Option<Arc<str>> {
        if let Some((_, value)) = variables.iter().find(|(variable, _)| *variable == name) {
            return match value.value {
                Content::Map(_) | Content::List(_) | Content::Absent | Content::Null => None,
                Content::Bool(value) => Some(if value { "true" } else { "false" }.into()),
                ref value => value.to_text(),
            };
        }
        let value = match name.split_once('.') {
            Some((resource, attribute)) => self.attribute(resource, Some(attribute), place),
            None => self.reference(name, place),
        };
        self.composed.insert(place);
        // A text that a list is put into, or nothing, is none that is known here.
        self.lists.insert(place, false);
        value.value.to_text().filter(|_| !matches!(value.value, Content::Location(_) | Content::Null))
    }

    fn choice(&mut self, argument: Node<'t>, place: Place) -> Datum {
        let Some([condition, then, otherwise]) = parts(argument) else {
            return self.malformed("Fn::If", "a condition and two values", place);
        };
        let Some(name) = condition.as_str() else {
            return self.malformed("Fn::If", "the name of a condition and two values", place);
        };
        let name = self.in_loops(name);
        let holds = self.condition(&name, condition.use_place());
        self.branches.insert(Arc::clone(&name));
        let first = self.guarded((Arc::clone(&name), true), |this| this.value(then));
        let second = self.guarded((Arc::clone(&name), false), |this| this.value(otherwise));
        match holds {
            Some(holds) => {
                let chosen = if holds { &first } else { &second };
                if let Some(&is_list) = self.lists.get(&chosen.place) {
                    self.lists.insert(place, is_list);
                }
                chosen.clone()
            }
            None if first.value == second.value => first,
            None => Datum::unknown(why::condition(name), place),
        }
    }

    fn join(&mut self, argument: Node<'t>, place: Place) -> Datum {
        self.lists.insert(place, false);
        let Some([delimiter, list]) = parts(argument) else {
            return self.malformed("Fn::Join", "a delimiter and a list", place);
        };
        let Some(delimiter) = delimiter.is_scalar().then(|| delimiter.raw()) else {
            return self.malformed("Fn::Join", "a delimiter that is a text, and a list", place);
        };
        let list = self.value(list);
        let made = Datum::unknown(why::made("Fn::Join"), place);
        let Content::List(items) = &list.value else {
            return match list.value {
                Content::Unknown(_) if self.lists.get(&list.place) != Some(&false) => made,
                _ => self.malformed("Fn::Join", "a delimiter and a list", place),
            };
        };
        let mut texts: Vec<Arc<str>> = Vec::new();
        for item in items.iter().filter(|item| !matches!(item.value, Content::Absent)) {
            match &item.value {
                Content::Bool(value) => texts.push(value.to_string().into()),
                Content::Map(_) | Content::List(_) => {
                    return self.malformed("Fn::Join", "a delimiter and a list of texts", place);
                }
                value => match value.to_text() {
                    Some(text) => texts.push(text),
                    None => return made,
                },
            }
        }
        let size: usize = texts.iter().map(|text| text.len() + delimiter.len()).sum();
        if size > LONGEST { made } else { Datum::new(Content::Str(texts.join(delimiter).into()), place) }
    }

    fn select(&mut self, argument: Node<'t>, place: Place) -> Datum {
        let Some([index, list]) = parts(argument) else {
            return self.malformed("Fn::Select", "an index and a list", place);
        };
        let index = self.value(index);
        let list = self.value(list);
        let made = Datum::unknown(why::made("Fn::Select"), place);
        let number = match &index.value {
            Content::Int(number) => usize::try_from(*number).ok(),
            Content::Str(text) => text.trim().parse().ok(),
            Content::Unknown(_) => return made,
            _ => None,
        };
        let Some(number) = number else {
            return self.malformed("Fn::Select", "an index that is a number from 0 on, and a list", place);
        };
        match &list.value {
            Content::List(items) if items.iter().any(|item| matches!(item.value, Content::Absent)) => made,
            Content::List(items) => match items.get(number) {
                Some(item) => item.used_at(place),
                None if items.iter().any(|item| matches!(item.value, Content::Unknown(_))) => made,
                None => {
                    let message =
                        format!("`Fn::Select` asks for item {number} of a list that has {}", items.len());
                    self.say(&FUNCTION, place, message);
                    Datum::unknown(why::wrong(), place)
                }
            },
            Content::Unknown(_) if self.lists.get(&list.place) != Some(&false) => made,
            _ => self.malformed("Fn::Select", "an index and a list", place),
        }
    }

    fn split(&mut self, argument: Node<'t>, place: Place) -> Datum {
        self.lists.insert(place, true);
        let Some([delimiter, text]) = parts(argument) else {
            return self.malformed("Fn::Split", "a delimiter and a text", place);
        };
        let Some(delimiter) = delimiter.as_str().filter(|delimiter| !delimiter.is_empty()) else {
            return self.malformed("Fn::Split", "a delimiter that is a text, and a text", place);
        };
        let text = self.value(text);
        match &text.value {
            Content::Str(whole) => {
                let parts = whole.split(delimiter).map(|part| Datum::new(Content::str(part), place));
                Datum::new(Content::List(parts.collect()), place)
            }
            Content::List(_) | Content::Map(_) => {
                self.malformed("Fn::Split", "a delimiter and a text", place)
            }
            _ => Datum::unknown(why::made("Fn::Split"), place),
        }
    }

    fn cidr(&mut self, argument: Node<'t>, place: Place) -> Datum {
        self.lists.insert(place, true);
        let parts: Vec<Datum> = argument.items().map(|part| self.value(part)).collect();
        let made = Datum::unknown(why::made("Fn::Cidr"), place);
        let number = |datum: &Datum| datum.value.to_text().and_then(|text| text.parse::<u32>().ok());
        match parts.as_slice() {
            [block, count, rest @ ..] if rest.len() <= 1 => {
                let (Some(block), Some(count)) = (block.as_str(), number(count)) else { return made };
                let bits = match rest.first() {
                    Some(bits) => number(bits),
                    None => Some(8),
                };
                let Some(bits) = bits else { return made };
                match subnets(block, count, bits) {
                    Ok(Some(all)) => {
                        let all = all.into_iter().map(|one| Datum::new(Content::Str(one.into()), place));
                        Datum::new(Content::List(all.collect()), place)
                    }
                    Ok(None) => made,
                    Err(why) => {
                        self.say(
                            &FUNCTION,
                            place,
                            format!("`Fn::Cidr` cannot divide `{}`: {why}", short(block)),
                        );
                        Datum::unknown(why::wrong(), place)
                    }
                }
            }
            _ if argument.is_sequence() && !(2..=3).contains(&parts.len()) => {
                self.malformed("Fn::Cidr", "a block, a count and a number of bits", place)
            }
            _ => made,
        }
    }

    fn find_in_map(&mut self, argument: Node<'t>, place: Place) -> Datum {
        let parts: Vec<Node<'t>> = argument.items().collect();
        let (first, more) = match parts.as_slice() {
            [map, top, second] => ([*map, *top, *second], None),
            [map, top, second, more] => ([*map, *top, *second], Some(*more)),
            _ => return self.malformed("Fn::FindInMap", "the name of a mapping and two keys", place),
        };
        let default = more.map(|more| {
            if !self.scope.has_extensions {
                let message = "a default of `Fn::FindInMap` needs the transform `AWS::LanguageExtensions`";
                self.say(&EXTENSION, more.use_place(), message);
            }
            more.get("DefaultValue")
                .map_or_else(|| Datum::unknown(why::wrong(), place), |node| self.value(node))
        });
        let [map, top, second] = first.map(|part| self.value(part));
        let made = Datum::unknown(why::made("Fn::FindInMap"), place);
        let Some(name) = map.as_str() else {
            // It may be any of them.
            self.mappings.extend(self.scope.mapping_names());
            return made;
        };
        self.mappings.insert(name.into());
        let Some(mapping) = self.scope.mapping(name) else {
            if default.is_none() && !self.scope.has_open_mappings {
                self.add(|| {
                    let message = format!("there is no mapping `{}`", short(name));
                    Finding::new(&UNKNOWN_NAME, place, message)
                });
                return Datum::unknown(why::wrong(), place);
            }
            return default.unwrap_or(made);
        };
        let Some(top) = top.value.to_text() else { return made };
        let Some(found) = mapping.get(&top) else {
            return self.no_key(name, &top, &[], default, top_is_chosen(first[1]), place);
        };
        let Some(second) = second.value.to_text() else { return made };
        match found.get(&second) {
            Some(value) => {
                let value = self.value(value).used_at(place);
                self.lists.insert(place, matches!(value.value, Content::List(_)));
                value
            }
            None => self.no_key(name, &top, &[&second], default, top_is_chosen(first[2]), place),
        }
    }

    /// A key that a mapping lacks. One that a parameter gives is not wrong: another value may be given.
    fn no_key(
        &mut self,
        name: &str,
        top: &str,
        more: &[&str],
        default: Option<Datum>,
        is_chosen: bool,
        place: Place,
    ) -> Datum {
        if let Some(default) = default {
            return default;
        }
        if is_chosen || self.scope.has_open_mappings {
            return Datum::unknown(why::made("Fn::FindInMap"), place);
        }
        let path: Vec<&str> = std::iter::once(top).chain(more.iter().copied()).collect();
        let message = format!("the mapping `{}` has no `{}`", short(name), short(&path.join(".")));
        self.say(&MAPPING, place, message);
        Datum::unknown(why::wrong(), place)
    }
}

/// Whether a key is not written as it is, but comes from somewhere else.
fn top_is_chosen(node: Node<'_>) -> bool {
    super::function_of(node).is_some()
}

/// The networks that a block is divided into; nothing if they are too many to be looked at.
fn subnets(block: &str, count: u32, bits: u32) -> Result<Option<Vec<String>>, String> {
    let Ok(net) = block.parse::<ipnet::IpNet>() else { return Err("it is not a network".to_owned()) };
    let width = u32::from(net.max_prefix_len());
    if !(1..=256).contains(&count) || bits == 0 || bits > width {
        return Err(format!("{count} networks with {bits} bits each cannot be made"));
    }
    let length = width - bits;
    let own = u32::from(net.prefix_len());
    if length < own || u64::from(count) > 1_u64.checked_shl(length - own).unwrap_or(u64::MAX) {
        return Err(format!("it has no room for {count} networks of {bits} bits"));
    }
    let Ok(length) = u8::try_from(length) else { return Ok(None) };
    let Ok(all) = net.trunc().subnets(length) else { return Ok(None) };
    Ok(Some(all.take(count as usize).map(|one| one.to_string()).collect()))
}

/// The parts of a call that takes a list with so many items.
fn parts<const N: usize>(argument: Node<'_>) -> Option<[Node<'_>; N]> {
    argument.items().collect::<Vec<_>>().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_divided() {
        let all = subnets("10.0.0.0/16", 2, 8).expect("it has room").expect("they are few");
        assert_eq!(all, ["10.0.0.0/24", "10.0.1.0/24"]);
        assert!(subnets("10.0.0.0/24", 2, 8).is_err());
        assert!(subnets("10.0.0.0", 1, 8).is_err());
        assert!(subnets("2001:db8::/56", 256, 64).is_ok_and(|all| all.is_some_and(|all| all.len() == 256)));
        assert!(subnets("::/0", 256, 1).is_ok());
    }
}
