//! How many resources there are: what a group makes of one definition, and what templates within a template have.

use std::collections::BTreeMap;
use std::sync::Arc;

use locus_meaning::Alike;
use rustc_hash::FxHashMap;

use crate::template::{Kind, Resource, Template};

/// How many of each type, by name; nothing where the number is not known.
pub(crate) type Numbers = BTreeMap<Arc<str>, Option<i64>>;

/// How many resources a member stands for, of those that one making of its group has. A group that scales counts with
/// the most that it can have. The second of two members that stand for all counts with the first.
pub(crate) fn stands_for(group: &Resource, member: &Resource) -> Option<i64> {
    if member.again {
        return Some(0);
    }
    let scales = matches!(&group.kind, Kind::Known(kind) if &*kind.name == "OS::Heat::AutoScalingGroup");
    if scales {
        let most = locus_schema::constraint::to_number(&group.property("max_size")?.value)?;
        return (most.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&most)).then_some(most as i64);
    }
    match member.alike {
        None => Some(1),
        Some(Alike::Exactly(count)) => Some(i64::from(count)),
        Some(Alike::AnyNumber) => None,
    }
}

/// A number of things, each of which has a number of others.
pub(crate) fn times(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        // Of nothing there is nothing in it.
        (Some(0), _) | (_, Some(0)) => Some(0),
        (Some(a), Some(b)) => Some(a.saturating_mul(b)),
        _ => None,
    }
}

/// Counts the resources of templates, each template once.
#[derive(Default)]
pub(crate) struct Counting {
    known: FxHashMap<*const Template, Arc<Numbers>>,
}

impl Counting {
    /// The numbers of resources in the template that a resource is, if it is one.
    pub(crate) fn inner(&mut self, resource: &Resource) -> Arc<Numbers> {
        let Kind::Nested(template) = &resource.kind else { return Arc::default() };
        let key = Arc::as_ptr(template);
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let mut numbers = Numbers::new();
        for resource in &template.resources {
            self.add(resource, resource.created.map(i64::from), &mut numbers);
        }
        let numbers = Arc::new(numbers);
        self.known.insert(key, Arc::clone(&numbers));
        numbers
    }

    fn add(&mut self, resource: &Resource, number: Option<i64>, numbers: &mut Numbers) {
        let mut count = |name: &Arc<str>, number: Option<i64>| {
            let sum = numbers.entry(Arc::clone(name)).or_insert(Some(0));
            *sum = sum.and_then(|sum| Some(sum.saturating_add(number?)));
        };
        if let Kind::Known(kind) = &resource.kind {
            count(&Arc::from(&*kind.name), number);
        }
        for (name, inner) in &*self.inner(resource) {
            count(name, times(number, *inner));
        }
        for member in &resource.members {
            self.add(member, times(number, stands_for(resource, member)), numbers);
        }
    }
}

#[cfg(test)]
mod tests {
    use locus_source::{LoadError, Loader, SourceFile, Sources};

    use crate::{Inputs, meaning};

    struct Inner;

    impl Loader for Inner {
        fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
            let text = "heat_template_version: 2021-04-16
parameters: { some: { type: number } }
resources:
  nets:
    type: OS::Heat::ResourceGroup
    properties: { count: 3, resource_def: { type: OS::Neutron::Net } }
  more:
    type: OS::Heat::ResourceGroup
    properties: { count: { get_param: some }, resource_def: { type: OS::Neutron::Router } }
";
            Ok((path.to_owned(), text.into()))
        }
    }

    /// The numbers that rules see, as text.
    fn told(resources: &str) -> Vec<String> {
        let sources = Sources::new();
        let text = format!("heat_template_version: 2021-04-16\nresources:\n{resources}");
        let file = sources.add("outer.yaml", text);
        let read = crate::read(&sources, &file, &Inputs { loader: Some(&Inner), ..Inputs::default() });
        let template = read.template.expect("it is a template");
        let meaning = meaning(&template);
        // What is within is an element, too, and counts nowhere.
        let outside = meaning.elements().filter(|(_, element)| !element.label.contains('/'));
        let facts = outside.flat_map(|(_, element)| element.facts.iter().map(|fact| (&element.name, fact)));
        facts.map(|(name, fact)| format!("{name} {:?}", fact.value)).collect()
    }

    #[test]
    fn members_stand_for_as_many_as_their_groups_make() {
        let told = told(
            "  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Heat::ResourceGroup
        properties: { count: 3, resource_def: { type: OS::Neutron::Net } }
  scaled:
    type: OS::Heat::AutoScalingGroup
    properties: { min_size: 1, max_size: 5, resource: { type: OS::Neutron::Net } }
  chain:
    type: OS::Heat::ResourceChain
    properties: { resources: [ OS::Neutron::Net, OS::Neutron::Net ] }
",
        );
        insta::assert_snapshot!(told.join("\n"), @r#"
        chain Text(Some("resources"))
        group[*] Int(Some(2))
        group[*][*] Int(Some(6))
        group[*][1] Int(Some(0))
        group[1] Int(Some(0))
        group[1][*] Int(Some(0))
        group[1][1] Int(Some(0))
        scaled[*] Int(Some(5))
        chain[0] Int(Some(1))
        chain[1] Int(Some(1))
        "#);
    }

    #[test]
    fn templates_within_are_counted_by_type() {
        let told = told(
            "  one: { type: inner.yaml }
  group:
    type: OS::Heat::ResourceGroup
    properties: { count: 4, resource_def: { type: inner.yaml } }
",
        );
        insta::assert_snapshot!(told.join("\n"), @r#"
        one Part("Inner", [("inner_type", Text(Some("OS::Heat::ResourceGroup"))), ("inner_number", Int(Some(2)))])
        one Part("Inner", [("inner_type", Text(Some("OS::Neutron::Net"))), ("inner_number", Int(Some(3)))])
        one Part("Inner", [("inner_type", Text(Some("OS::Neutron::Router"))), ("inner_number", Int(None))])
        group[*] Part("Inner", [("inner_type", Text(Some("OS::Heat::ResourceGroup"))), ("inner_number", Int(Some(8)))])
        group[*] Part("Inner", [("inner_type", Text(Some("OS::Neutron::Net"))), ("inner_number", Int(Some(12)))])
        group[*] Part("Inner", [("inner_type", Text(Some("OS::Neutron::Router"))), ("inner_number", Int(None))])
        group[*] Int(Some(4))
        group[1] Int(Some(0))
        "#);
    }
}
