//! From the lines of a type to the type. The lines are ours, so what they say is not in doubt.

use locus_schema::{Constraint, Literal, Pattern, Property, Status, Type};

use super::{Attribute, ResourceType};

/// The type in these lines, of which the first starts with its name.
pub(super) fn resource_type(lines: &str) -> ResourceType {
    let mut lines = lines.lines().filter(|line| !line.is_empty()).peekable();
    let mut fields = lines.next().unwrap_or_default().split('\t');
    let mut field = || fields.next().unwrap_or_default().into();
    let (name, client, entity) = (field(), field(), field());
    let words: Vec<&str> = fields.clone().collect();
    let has = |word: &str| words.contains(&word);
    let mut found = ResourceType {
        name,
        client,
        entity,
        status: fields.clone().find_map(|field| status(field.strip_prefix("S:")?)),
        attributes: Vec::new(),
        properties: Vec::new(),
        update_policies: Vec::new(),
        provides: fields.clone().find_map(|field| field.strip_prefix("p:")).map(Into::into),
        snapshot: has("snapshot"),
        open: has("open"),
        made_id: has("made"),
        is_thing: has("thing"),
    };
    while let Some(line) = lines.next_if(|line| line.starts_with('@')) {
        let mut fields = line[1..].split('\t');
        found.attributes.push(Attribute {
            name: fields.next().unwrap_or_default().into(),
            kind: kind(fields.next().unwrap_or_default()),
            status: fields.next().and_then(|field| status(field.strip_prefix("S:")?)),
        });
    }
    let (policies, properties): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with('!'));
    found.update_policies = nested(policies.iter().map(|line| &line[1..]));
    found.properties = nested(properties.into_iter());
    found
}

/// The properties in these lines, in which dots tell how deep each is.
fn nested<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<Property> {
    let mut done = Vec::new();
    // The properties around the one that is read, outermost first.
    let mut open: Vec<Property> = Vec::new();
    for line in lines {
        let name = line.trim_start_matches('.');
        close(&mut open, line.len() - name.len(), &mut done);
        open.push(property(name));
    }
    close(&mut open, 1, &mut done);
    done
}

/// Puts what is finished before a property of this depth starts into what is around it.
fn close(open: &mut Vec<Property>, depth: usize, properties: &mut Vec<Property>) {
    while open.len() >= depth {
        let Some(done) = open.pop() else { break };
        match open.last_mut() {
            Some(outer) => outer.nested.push(done),
            None => properties.push(done),
        }
    }
}

fn kind(field: &str) -> Type {
    match field.as_bytes().first() {
        Some(b's') => Type::String,
        Some(b'i') => Type::Integer,
        Some(b'n') => Type::Number,
        Some(b'b') => Type::Boolean,
        Some(b'm') => Type::Map,
        Some(b'l') => Type::List,
        _ => Type::Any,
    }
}

fn status(field: &str) -> Option<Status> {
    let mut parts = field.splitn(3, '|').map(Into::into);
    Some(Status { status: parts.next()?, version: parts.next()?, message: parts.next()? })
}

fn property(line: &str) -> Property {
    let mut fields = line.split('\t');
    let name = fields.next().unwrap_or_default().into();
    let flags = fields.next().unwrap_or_default();
    let has = |flag: char| flags[1..].contains(flag);
    let mut property = Property {
        name,
        kind: kind(flags),
        required: has('r'),
        update_allowed: has('u'),
        immutable: has('f'),
        implemented: !has('x'),
        converted: has('v'),
        constraints: Vec::new(),
        default: None,
        status: None,
        old_name: None,
        kind_named: None,
        nested: Vec::new(),
    };
    for field in fields {
        let Some((sign, rest)) = field.split_once(':') else { continue };
        match sign {
            "d" => property.default = Some(rest.into()),
            "S" => property.status = status(rest),
            "k" => property.kind_named = Some(rest.into()),
            "o" => property.old_name = Some(rest.into()),
            _ => property.constraints.extend(constraint(sign, rest)),
        }
    }
    property
}

fn constraint(sign: &str, text: &str) -> Option<Constraint> {
    let ends = || {
        let (min, max) = text.split_once("..")?;
        Some((min.parse().ok(), max.parse().ok()))
    };
    Some(match sign {
        "c" => Constraint::Custom(text.into()),
        "r" => {
            let (min, max) = ends()?;
            Constraint::Range { min, max }
        }
        "l" => {
            let (min, max) = ends()?;
            Constraint::Length { min, max }
        }
        "v" => {
            let values: Vec<serde_json::Value> = serde_json::from_str(text).ok()?;
            Constraint::AllowedValues(values.iter().map(Literal::from_json).collect())
        }
        "p" => Constraint::AllowedPattern(Pattern::new(text)),
        _ => return None,
    })
}
