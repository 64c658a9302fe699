//! Which colour each category has: in the order in which they first appear.

use std::collections::BTreeMap;

use crate::scene::Scene;
use crate::style::COLOURS;

/// The categories of a scene.
pub(crate) struct Categories<'a> {
    numbers: BTreeMap<&'a str, usize>,
    /// Their names, in the order of their numbers.
    pub(crate) names: Vec<&'a str>,
    /// For each, whether it is one of nodes or groups, rather than of edges only.
    pub(crate) of_things: Vec<bool>,
}

impl<'a> Categories<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let mut categories = Self { numbers: BTreeMap::new(), names: Vec::new(), of_things: Vec::new() };
        let nodes = scene.nodes().iter().map(|n| n.category.as_deref());
        let groups = scene.groups().iter().map(|g| g.category.as_deref());
        nodes.chain(groups).flatten().for_each(|name| categories.add(name, true));
        scene
            .edges()
            .iter()
            .filter_map(|e| e.category.as_deref())
            .for_each(|name| categories.add(name, false));
        categories
    }

    fn add(&mut self, name: &'a str, of_things: bool) {
        self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.of_things.push(of_things);
            self.names.len() - 1
        });
    }

    /// The classes for a category, with a space before each.
    pub(crate) fn class(&self, category: Option<&str>) -> String {
        match category.and_then(|name| self.numbers.get(name)) {
            None => String::new(),
            Some(&number) if number < COLOURS => format!(" c{number}"),
            Some(&number) => format!(" c{} again", number % COLOURS),
        }
    }

    /// How many colours are in use.
    pub(crate) fn colours(&self) -> usize {
        self.names.len().min(COLOURS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;

    #[test]
    fn colours_come_in_the_order_of_appearance_and_return() {
        let mut scene = Scene::new("t");
        for at in 0..12 {
            scene.add_node(Node::new("n", "n").category(format!("kind {}", 20 - at)));
        }
        let categories = Categories::new(&scene);
        assert_eq!(categories.class(Some("kind 20")), " c0");
        assert_eq!(categories.class(Some("kind 9")), " c1 again");
        assert_eq!(categories.class(None), "");
        assert_eq!(categories.colours(), COLOURS);
    }
}
