//! Groups: their members, and the attributes that mean these.

use locus_schema::constraint::to_number;
use serde_json::{Map, Value};

use super::residue::part;
use super::{Building, sort};
use crate::read::members::MOST_MADE;
use crate::template::Resource;

/// Makes sure that all members of a group are known.
pub(super) fn complete(group: &Resource) -> Result<(), String> {
    let name = group.label();
    let number = |property: &str| group.property(property).and_then(|datum| to_number(&datum.value));
    let wanted = match sort(group) {
        "OS::Heat::ResourceGroup" => match group.property("count") {
            None => 1.0,
            Some(_) => number("count").ok_or_else(|| format!("how many `{name}` makes is not known"))?,
        },
        "OS::Heat::AutoScalingGroup" => {
            let least = number("min_size").ok_or_else(|| format!("how many `{name}` makes is not known"))?;
            number("desired_capacity").map_or(least, |wanted| wanted.max(least))
        }
        _ => group.members.len() as f64,
    };
    if group.property("removal_policies").is_some_and(|policies| !policies.items().is_empty()) {
        return Err(format!("`{name}` has `removal_policies`, which are not supported"));
    }
    if wanted > MOST_MADE as f64 {
        return Err(format!("`{name}` makes more than {MOST_MADE} members"));
    }
    if group.members.len() != wanted as usize {
        return Err(format!("the members of `{name}` are not known"));
    }
    Ok(())
}

impl Building<'_> {
    /// An attribute of a group.
    pub(super) fn of_group(
        &self,
        group: &Resource,
        (name, rest): (&str, &[Value]),
        depth: usize,
    ) -> Result<Value, String> {
        let refs = || group.members.iter().map(|member| self.id_of(member)).collect::<Result<Vec<_>, _>>();
        let each = |path: &[Value]| {
            let values = group.members.iter().map(|member| self.attribute(&member.id, path, depth));
            values.collect::<Result<Vec<_>, _>>()
        };
        let by_number = |values: Vec<Value>| {
            let keys = (0..).map(|number: usize| number.to_string());
            Value::Object(keys.zip(values).collect::<Map<_, _>>())
        };
        match name {
            "refs" => Ok(part(Value::Array(refs()?), rest)),
            "refs_map" => Ok(part(by_number(refs()?), rest)),
            "current_size" => Ok(Value::from(group.members.len())),
            "outputs_list" | "outputs" | "attributes" => {
                let Some((of_each, rest)) = rest.split_first() else {
                    return Err(format!("`{name}` of `{}` needs the name of an attribute", group.label()));
                };
                let values = each(std::slice::from_ref(of_each))?;
                let values = if name == "outputs_list" { Value::Array(values) } else { by_number(values) };
                Ok(part(values, rest))
            }
            _ => {
                if let Some(inner) = name.strip_prefix("resource.") {
                    let (number, attribute) =
                        inner.split_once('.').map_or((inner, None), |(number, rest)| (number, Some(rest)));
                    let member = number.parse::<usize>().ok().and_then(|number| group.members.get(number));
                    let Some(member) = member else {
                        return Err(format!("`{}` has no member `{number}`", group.label()));
                    };
                    let path: Vec<Value> =
                        attribute.map(Value::from).into_iter().chain(rest.iter().cloned()).collect();
                    return self.of_inner(&member.id, &path, depth);
                }
                let own = std::iter::once(Value::from(name));
                if let Some((step, rest)) = rest.split_first().filter(|(step, _)| step.is_u64()) {
                    // A number chooses a member, and what follows is a part of its value.
                    let member = step.as_u64().and_then(|number| group.members.get(number as usize));
                    let Some(member) = member else { return Ok(Value::from("")) };
                    let path: Vec<Value> = own.chain(rest.iter().cloned()).collect();
                    return self.attribute(&member.id, &path, depth);
                }
                let path: Vec<Value> = own.chain(rest.iter().cloned()).collect();
                Ok(Value::Array(each(&path)?))
            }
        }
    }
}
