//! Requirements: what fulfils them, and whether it may.
//!
//! A requirement names a node template, a node type, a capability, or nothing. One that names a template is checked
//! against it. One that does not is resolved among the node templates of the service: those that have the capability,
//! are of the type and satisfy the filters. If one is left it is the target; if none or several are, they are reported.

use locus_schema::Content;
use locus_source::{Finding, Node, Severity};
use rustc_hash::FxHashMap;

use crate::read::counts;
use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, listed, short};
use crate::requirements::wanted::Filter;
use crate::rules;
use crate::service::{Assignment, Scope, Service, Target, This};
use crate::types::flat::{Capability, Requirement};
use crate::types::names::TypeId;
use crate::types::value::show;

/// Filters are evaluated for no more candidates than this; if there are more, all of them stay.
const MOST_FILTERED: usize = 256;

impl<'t> Service<'_, 't> {
    /// Reads the requirements of all node templates and finds what fulfils them.
    pub(crate) fn resolve(&mut self) {
        for at in 0..self.templates.len() {
            self.templates[at].requirements = self.assignments_of(at);
        }
        for at in 0..self.templates.len() {
            for index in 0..self.templates[at].requirements.len() {
                if self.templates[at].requirements[index].target != Target::Wrong {
                    let target = self.target(at, index);
                    self.templates[at].requirements[index].target = target;
                }
            }
        }
    }

    fn assignments_of(&self, at: usize) -> Vec<Assignment<'t>> {
        let template = &self.templates[at];
        let mut all = Vec::new();
        let list = template.get("requirements").into_iter().flat_map(Node::items);
        for entry in list.filter_map(|item| item.entries().next()) {
            // Alien4Cloud has a name for each assignment, and the requirement's beside it.
            let own = entry.value.get("type_requirement").filter(|_| self.world.file(self.file).dialect);
            let name = own.and_then(Node::as_str).unwrap_or(entry.key.raw());
            let definition = template.flat.requirements.iter().find(|one| one.name == name).cloned();
            if definition.is_none() && template.is_whole() {
                let message =
                    format!("the node `{}` has no requirement `{}`", short(template.name), short(name));
                let finding = Finding::new(&rules::UNKNOWN_REQUIREMENT, entry.key.use_place(), message);
                let names = template.flat.requirements.iter().map(|one| one.name);
                self.world.add(self.file, did_you_mean(finding, name, names));
            }
            let (relationship, relationship_template, wrong) =
                self.relationship(entry.value, definition.as_ref());
            all.push(Assignment {
                name,
                key: entry.key,
                node: Some(entry.value),
                definition,
                target: if wrong { Target::Wrong } else { Target::Open(None) },
                relationship,
                relationship_template,
            });
        }
        for definition in &template.flat.requirements {
            let demanded = definition.range.0 > 0 && !all.iter().any(|one| one.name == definition.name);
            for _ in 0..if demanded { definition.range.0.min(16) } else { 0 } {
                all.push(Assignment {
                    name: definition.name,
                    key: template.key,
                    node: None,
                    definition: Some(definition.clone()),
                    target: Target::Open(None),
                    relationship: definition.relationship,
                    relationship_template: None,
                });
            }
        }
        all
    }

    /// The relationship that a requirement is fulfilled by: its type, its template, and whether something is wrong.
    fn relationship(
        &self,
        node: Node<'t>,
        definition: Option<&Requirement<'t>>,
    ) -> (Option<TypeId>, Option<usize>, bool) {
        let wanted = definition.and_then(|one| one.relationship);
        let Some(relationship) = node.get("relationship") else { return (wanted, None, false) };
        let Some(named) = relationship.as_str().map(|_| relationship).or_else(|| relationship.get("type"))
        else {
            return (wanted, None, false);
        };
        let name = named.raw();
        if let Some(id) = self.world.names.find_type(self.file, Family::Relationship, name) {
            self.relationship_derives(named, id, wanted);
            return (Some(id), None, false);
        }
        if let Some(at) = self.relationships.iter().position(|one| one.name == name) {
            let id = self.relationships[at].type_id;
            if let Some(id) = id {
                self.relationship_derives(named, id, wanted);
            }
            return (id, Some(at), false);
        }
        if self.world.names.find(self.file, Family::Relationship, name)
            == crate::types::names::Meaning::Unread
        {
            return (None, None, false);
        }
        let message = format!("there is no relationship type or template `{}`", short(name));
        let finding = Finding::new(&rules::UNKNOWN_TYPE, named.use_place(), message);
        let names = self.world.names.candidates(self.file, Family::Relationship);
        let templates = self.relationships.iter().map(|one| one.name);
        self.world.add(self.file, did_you_mean(finding, name, names.into_iter().chain(templates)));
        (None, None, true)
    }

    fn relationship_derives(&self, node: Node<'t>, id: TypeId, wanted: Option<TypeId>) {
        let Some(wanted) = wanted else { return };
        if !self.world.names.is_a(id, wanted) && self.world.names.is_whole(id) {
            let message = format!(
                "the relationship type `{}` does not derive from `{}`, which the requirement wants",
                short(self.world.names.get(id).name),
                short(self.world.names.get(wanted).name)
            );
            self.world.say(self.file, &rules::TARGET, node.use_place(), message);
        }
    }

    /// The node template or the node type that a requirement names.
    pub(crate) fn named_target(&self, at: usize, index: usize) -> Option<Node<'t>> {
        let node = self.templates[at].requirements[index].node?;
        let named = if node.is_mapping() { node.get("node")? } else { node };
        // A template and which of its nodes.
        let named = if named.is_sequence() { named.items().next()? } else { named };
        named.as_str().map(|_| named)
    }

    /// The target that fulfils a requirement.
    fn target(&self, at: usize, index: usize) -> Target<'t> {
        let assignment = &self.templates[at].requirements[index];
        let Some(node) = self.named_target(at, index) else {
            let id = assignment.definition.as_ref().and_then(|one| one.node);
            return self.choose(at, index, id);
        };
        let name = node.raw();
        if let Some(&target) = self.by_name.get(name) {
            return Target::Node(target, self.fulfils(at, index, target, node));
        }
        match self.world.names.find(self.file, Family::Node, name) {
            crate::types::names::Meaning::Type(id) => {
                if let Some(wanted) = assignment.definition.as_ref().and_then(|one| one.node)
                    && !self.world.names.is_a(id, wanted)
                    && self.world.names.is_whole(id)
                {
                    let message = format!(
                        "the node type `{}` does not derive from `{}`, which the requirement wants",
                        short(name),
                        short(self.world.names.get(wanted).name)
                    );
                    self.world.say(self.file, &rules::TARGET, node.use_place(), message);
                }
                self.choose(at, index, Some(id))
            }
            crate::types::names::Meaning::Unread => Target::Open(None),
            _ => {
                let message = format!("there is no node template and no node type `{}`", short(name));
                let finding = Finding::new(&rules::UNKNOWN_NODE, node.use_place(), message);
                let names = self.templates.iter().map(|one| one.name);
                self.world.add(self.file, did_you_mean(finding, name, names));
                Target::Wrong
            }
        }
    }

    /// The capability of a node template that fulfils a requirement; a finding if none does.
    fn fulfils(&self, at: usize, index: usize, target: usize, node: Node<'t>) -> Option<&'t str> {
        match self.suitable(at, index, target) {
            Ok(capability) => capability,
            Err(problem) => {
                let (source, target) = (&self.templates[at], &self.templates[target]);
                let assignment = &source.requirements[index];
                let message = format!(
                    "`{}` cannot fulfil the requirement `{}` of `{}`: {problem}",
                    short(target.name),
                    short(assignment.name),
                    short(source.name)
                );
                let mut finding = Finding::new(&rules::TARGET, node.use_place(), message);
                finding = finding.also(target.key.use_place(), "this node");
                if let Some(definition) = &assignment.definition {
                    finding = finding.also(definition.place, "the requirement is defined here");
                }
                self.world.add(self.file, finding);
                None
            }
        }
    }

    /// Whether a node template can fulfil a requirement, by which capability; or why not.
    pub(crate) fn suitable(&self, at: usize, index: usize, target: usize) -> Result<Option<&'t str>, String> {
        let names = &self.world.names;
        let (source, target) = (&self.templates[at], &self.templates[target]);
        let assignment = &source.requirements[index];
        let Some(target_type) = target.type_id.filter(|_| target.is_whole()) else { return Ok(None) };
        let definition = assignment.definition.as_ref();
        if let Some(wanted) = definition.and_then(|one| one.node)
            && !names.is_a(target_type, wanted)
        {
            return Err(format!("it is not a `{}`", short(names.get(wanted).name)));
        }
        let relationship = assignment.relationship;
        let list = |keyname: &str, family| {
            relationship.and_then(|id| self.world.list_of_types(id, keyname, &[family]))
        };
        let among = |id: TypeId, list: Option<Vec<TypeId>>| {
            list.is_none_or(|list| list.iter().any(|&one| names.is_a(id, one)))
        };
        let relationship_name = || relationship.map_or("?", |id| names.get(id).name);
        if !among(target_type, list("valid_target_node_types", Family::Node)) {
            return Err(format!(
                "the relationship type `{}` is not for such targets",
                short(relationship_name())
            ));
        }
        if let Some(source_type) = source.type_id.filter(|_| source.is_whole())
            && !among(source_type, list("valid_source_node_types", Family::Node))
        {
            return Err(format!(
                "the relationship type `{}` is not for such sources",
                short(relationship_name())
            ));
        }
        let asked = assignment.node.and_then(|node| node.get("capability")?.as_str());
        let candidates = self.capabilities(&target.flat.capabilities, asked, definition)?;
        let mut problem = "it has no capability that fits".to_owned();
        for capability in candidates {
            match self.capability_fits(capability, source.type_id.filter(|_| source.is_whole()), relationship)
            {
                Ok(()) => return Ok(Some(capability.name)),
                Err(why) => problem = why,
            }
        }
        Err(problem)
    }

    /// The capabilities that are asked for by name or by type.
    fn capabilities<'c>(
        &self,
        all: &'c [Capability<'t>],
        asked: Option<&str>,
        definition: Option<&Requirement<'t>>,
    ) -> Result<Vec<&'c Capability<'t>>, String>
    where
        't: 'c,
    {
        let names = &self.world.names;
        let of_type = |wanted: TypeId| {
            let fits = move |one: &&Capability<'t>| {
                one.type_id.is_none_or(|id| names.is_a(id, wanted) || !names.is_whole(id))
            };
            all.iter().filter(fits).collect::<Vec<_>>()
        };
        let list = || listed(all.iter().map(|one| one.name));
        let found = match (asked, definition) {
            (Some(asked), _) => {
                let by_name: Vec<_> = all.iter().filter(|one| one.name == asked).collect();
                if by_name.is_empty() {
                    match names.find(self.file, Family::Capability, asked) {
                        crate::types::names::Meaning::Type(id) => of_type(id),
                        crate::types::names::Meaning::Unread => all.iter().collect(),
                        _ => {
                            return Err(format!(
                                "it has no capability `{}`; it has {}",
                                short(asked),
                                list()
                            ));
                        }
                    }
                } else {
                    by_name
                }
            }
            (None, Some(definition)) => match (definition.capability_type, definition.capability) {
                (Some(id), wanted) => {
                    // The definition may name a capability of the node type in place of a type.
                    let by_name = wanted.and_then(|name| all.iter().find(|one| one.name == name));
                    let found = of_type(id);
                    match by_name
                        .filter(|one| names.find_type(self.file, Family::Capability, one.name).is_none())
                    {
                        Some(one) if found.iter().any(|other| std::ptr::eq(*other, one)) => vec![one],
                        _ => found,
                    }
                }
                _ => all.iter().collect(),
            },
            (None, None) => all.iter().collect(),
        };
        if found.is_empty() {
            let wanted = definition.and_then(|one| one.capability_type).map(|id| names.get(id).name);
            let what =
                asked.or(wanted).map_or_else(String::new, |name| format!(" of type `{}`", short(name)));
            return Err(format!("it has no capability{what}"));
        }
        Ok(found)
    }

    fn capability_fits(
        &self,
        capability: &Capability<'t>,
        source: Option<TypeId>,
        relationship: Option<TypeId>,
    ) -> Result<(), String> {
        let names = &self.world.names;
        let any = |id: TypeId, list: &[TypeId]| list.iter().any(|&one| names.is_a(id, one));
        if let (Some(id), Some(list)) = (source, &capability.sources)
            && !any(id, list)
        {
            return Err(format!("its capability `{}` is not for such sources", short(capability.name)));
        }
        let Some(relationship) = relationship.filter(|&id| names.is_whole(id)) else { return Ok(()) };
        if let Some(list) = &capability.relationships
            && !any(relationship, list)
        {
            return Err(format!("its capability `{}` is not for such relationships", short(capability.name)));
        }
        for keyname in ["valid_capability_types", "valid_target_types"] {
            let list = self.world.list_of_types(relationship, keyname, &[Family::Capability]);
            if let (Some(id), Some(list)) = (capability.type_id, list)
                && !any(id, &list)
                && names.is_whole(id)
            {
                let name = names.get(relationship).name;
                return Err(format!(
                    "the relationship type `{}` is not for its capability `{}`",
                    short(name),
                    short(capability.name)
                ));
            }
        }
        Ok(())
    }

    /// Looks for node templates that can fulfil a requirement that names none.
    fn choose(&self, at: usize, index: usize, id: Option<TypeId>) -> Target<'t> {
        let assignment = &self.templates[at].requirements[index];
        if !self.templates[at].is_whole() || counts::is_external(assignment.node) {
            return Target::Open(id);
        }
        match self.candidates(at, index, id, 2).as_slice() {
            [one] => Target::Node(*one, self.suitable(at, index, *one).unwrap_or_default()),
            _ => Target::Open(id),
        }
    }

    /// Node templates that can fulfil a requirement and are not ruled out by its filters, up to a number.
    fn candidates(&self, at: usize, index: usize, id: Option<TypeId>, most: usize) -> Vec<usize> {
        let filters = self.filters(at, index);
        if filters.is_empty() {
            return self.of_right_type(at, index, id, most);
        }
        let scope = Scope::new(self.file, This::Relationship(at, index));
        let passes = |&candidate: &usize| {
            self.as_if(at, index, candidate, || {
                // A path that leads to nothing from this node is not true of it.
                filters.iter().all(|&(filter, file)| {
                    self.filter(filter, file, candidate, &scope) != Some(false)
                        && !self.world.report.has_lost_its_way()
                })
            })
        };
        let mut all = self.of_right_type(at, index, id, MOST_FILTERED + 1);
        if all.len() <= MOST_FILTERED {
            all.retain(passes);
        }
        all.truncate(most);
        all
    }

    /// Node templates that can fulfil a requirement if its filters are left aside, up to a number.
    fn of_right_type(&self, at: usize, index: usize, id: Option<TypeId>, most: usize) -> Vec<usize> {
        let names = &self.world.names;
        let definition = self.templates[at].requirements[index].definition.as_ref();
        let fits = |&candidate: &usize| {
            let one = &self.templates[candidate];
            let of_type = match (id, one.type_id) {
                (Some(wanted), Some(own)) => names.is_a(own, wanted),
                _ => true,
            };
            candidate != at && one.is_whole() && of_type && self.suitable(at, index, candidate).is_ok()
        };
        match definition.and_then(|one| one.capability_type) {
            Some(wanted) => {
                let with = self.with_capability().get(&wanted);
                with.into_iter().flatten().copied().filter(fits).take(most).collect()
            }
            None => (0..self.templates.len()).filter(fits).take(most).collect(),
        }
    }

    /// The node templates that have a capability of a type, by type.
    fn with_capability(&self) -> &FxHashMap<TypeId, Vec<usize>> {
        self.by_capability.get_or_init(|| {
            let mut all: FxHashMap<TypeId, Vec<usize>> = FxHashMap::default();
            for (at, template) in self.templates.iter().enumerate() {
                for id in template.flat.capabilities.iter().filter_map(|one| one.type_id) {
                    for id in self.world.names.line(id) {
                        let list = all.entry(id).or_default();
                        if list.last() != Some(&at) {
                            list.push(at);
                        }
                    }
                }
            }
            all
        })
    }

    /// Reports requirements that nothing or several things fulfil, and those whose filters their target does not
    /// satisfy.
    pub(crate) fn check_requirements(&self) {
        for at in 0..self.templates.len() {
            for index in 0..self.templates[at].requirements.len() {
                self.check_requirement(at, index);
            }
            self.counts(at);
        }
    }

    /// The filters of a requirement, its own and those of its definition, each with the file that it is in.
    fn filters(&self, at: usize, index: usize) -> Vec<(Node<'t>, usize)> {
        let assignment = &self.templates[at].requirements[index];
        let own = assignment.node.and_then(|node| node.get("node_filter")).map(|node| (node, self.file));
        let defined = assignment.definition.iter().flat_map(|one| one.filters.iter().copied());
        own.into_iter().chain(defined).collect()
    }

    fn check_requirement(&self, at: usize, index: usize) {
        let template = &self.templates[at];
        let assignment = &template.requirements[index];
        let scope = Scope::new(self.file, This::Relationship(at, index));
        if !self.own_filter_fits(at, index) {
            return;
        }
        let filters = self.filters(at, index);
        match &assignment.target {
            Target::Node(target, _) => {
                for &(filter, file) in &filters {
                    if self.filter(filter, file, *target, &scope) == Some(false) {
                        let message = format!(
                            "`{}` does not satisfy the filter of the requirement `{}` of `{}`",
                            short(self.templates[*target].name),
                            short(assignment.name),
                            short(template.name)
                        );
                        let finding = Finding::new(&rules::FILTER, assignment.key.use_place(), message);
                        let finding = finding.also(filter.use_place(), "the filter");
                        self.world.add(
                            self.file,
                            finding.also(self.templates[*target].key.use_place(), "this node"),
                        );
                    }
                }
            }
            Target::Open(id) if template.is_whole() => {
                // Those of the definition are looked at with the type.
                if let Some(own) = assignment.node.and_then(|node| node.get("node_filter")) {
                    self.filter_form(own, self.file, &scope);
                }
                self.report_open(at, index, *id);
            }
            _ => {
                for &(filter, file) in &filters {
                    self.filter_form(filter, file, &scope);
                }
            }
        }
    }

    /// Whether the filter of a requirement asks for what there is. In TOSCA 2.0 the paths of one with a target are
    /// followed.
    fn own_filter_fits(&self, at: usize, index: usize) -> bool {
        let assignment = &self.templates[at].requirements[index];
        let Some(node) = assignment.node.and_then(|node| node.get("node_filter")) else { return true };
        if self.world.version(self.file) == Version::V2_0 && matches!(assignment.target, Target::Node(..)) {
            return true;
        }
        let filter = Filter { node, file: self.file, severity: Severity::Error };
        self.wanted_by(at, index).is_none_or(|wanted| self.filter_fits(filter, &wanted))
    }

    /// That a requirement without a target is well-formed all the same.
    fn filter_form(&self, filter: Node<'t>, file: usize, scope: &Scope<'_, 't>) {
        if self.world.version(file) == Version::V2_0 {
            self.condition(filter, &Scope { file, ..*scope });
        }
    }

    fn report_open(&self, at: usize, index: usize, id: Option<TypeId>) {
        let template = &self.templates[at];
        let assignment = &template.requirements[index];
        let optional = counts::is_optional(assignment.node);
        // The Simple Profile says it by a range (3.8.2.1).
        let range = counts::assigned(assignment.node).and_then(counts::range);
        if optional
            || range.is_some_and(|(low, _)| low == 0)
            || template.is_selected()
            || template.is_substituted()
            || self.is_mapped(at, assignment.name)
        {
            return;
        }
        let names = &self.world.names;
        let candidates = self.candidates(at, index, id, 13);
        let wanted =
            assignment.definition.as_ref().and_then(|one| one.capability_type).map(|id| names.get(id).name);
        let what = match (id.map(|id| names.get(id).name), wanted) {
            (Some(node), _) => format!("a node of type `{}`", short(node)),
            (None, Some(capability)) => format!("a node with a capability of type `{}`", short(capability)),
            (None, None) => "a node".to_owned(),
        };
        let place = assignment.key.use_place();
        let (name, owner) = (short(assignment.name), short(template.name));
        if candidates.is_empty() {
            let message = format!("nothing in this template fulfils the requirement `{name}` of `{owner}`");
            let mut finding = Finding::new(&rules::UNFULFILLED, place, message);
            let filtered = self.of_right_type(at, index, id, 12);
            if !filtered.is_empty() {
                let list = listed(filtered.iter().map(|&one| self.templates[one].name));
                finding = finding.note(format!("its filter rules out {list}"));
            }
            self.world.add(
                self.file,
                finding.help(format!("add {what}, or see to it that the orchestrator has one")),
            );
        } else {
            let message = format!("several nodes can fulfil the requirement `{name}` of `{owner}`");
            let list = listed(candidates.iter().take(12).map(|&one| self.templates[one].name));
            let more = if candidates.len() > 12 { " and more" } else { "" };
            let finding = Finding::new(&rules::SEVERAL, place, message);
            self.world.add(self.file, finding.note(format!("the candidates are {list}{more}")));
        }
    }

    /// Whether a filter holds of a node template.
    fn filter(&self, filter: Node<'t>, file: usize, target: usize, scope: &Scope<'_, 't>) -> Option<bool> {
        if self.world.version(file) == Version::V2_0 {
            return self.condition(filter, &Scope { file, ..*scope });
        }
        self.simple_filter(filter, file, target)
    }

    /// How many relationships there are of each requirement.
    fn counts(&self, at: usize) {
        let template = &self.templates[at];
        for definition in &template.flat.requirements {
            let assigned: Vec<_> = template
                .requirements
                .iter()
                .filter(|one| one.name == definition.name && one.node.is_some())
                .collect();
            let (Some(first), Some(last)) = (assigned.first(), assigned.last()) else { continue };
            let (mut all, mut mandatory, mut known) = (0i64, 0i64, true);
            for one in &assigned {
                match self.requirement_count(at, one) {
                    Some(count) => {
                        all = all.saturating_add(count);
                        let optional = counts::is_optional(one.node);
                        mandatory += if optional { 0 } else { count };
                    }
                    None => known = false,
                }
            }
            let (low, high) = definition.range;
            let (name, owner) = (short(definition.name), short(template.name));
            if let Some(high) = high.filter(|&high| all > high) {
                let message = format!(
                    "the node `{owner}` has {all} relationships for `{name}`, and at most {high} are allowed"
                );
                let finding = Finding::new(&rules::COUNT, last.key.use_place(), message);
                self.world.add(self.file, finding.also(definition.place, "the range is defined here"));
            } else if known && mandatory < low {
                let message = format!(
                    "the node `{owner}` has {mandatory} relationships for `{name}`, and at least {low} are needed"
                );
                let finding = Finding::new(&rules::COUNT, first.key.use_place(), message);
                self.world.add(self.file, finding.also(definition.place, "the range is defined here"));
            }
        }
    }

    /// How many relationships an assignment stands for; nothing if that is not known.
    pub(crate) fn requirement_count(&self, at: usize, one: &Assignment<'t>) -> Option<i64> {
        let Some(count) = counts::relationships(one.node) else { return Some(1) };
        match self.evaluate(count, &Scope::new(self.file, This::Node(at))).datum.value {
            Content::Int(count) if count >= 0 => Some(count),
            Content::Unknown(_) => None,
            other => {
                let message =
                    format!("`count` must be an integer that is not negative, not `{}`", show(&other));
                self.world.say(self.file, &rules::WRONG_KIND, count.use_place(), message);
                None
            }
        }
    }
}
