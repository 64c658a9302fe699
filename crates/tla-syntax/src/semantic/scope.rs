//! The meaning of names at a point of a module.

use std::rc::Rc;

use locus_source::Place;
use rustc_hash::FxHashMap;

use super::program::{Builtin, ConstId, DefId, LocalId, ModuleId, Name, Names, SubstId, VarId};
use crate::syntax::ast;

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    /// A declared constant.
    Constant(ConstId),
    /// A declared variable.
    Variable(VarId),
    /// The substitution of an instance for a declared constant or variable.
    Subst(SubstId),
    /// A parameter or bound variable.
    Local(LocalId),
    /// A definition.
    Def(DefId),
    /// A named instance, by its index among [`State::instances`](super::resolver::State).
    Instance(u32),
    /// An operator of the language.
    Builtin(Builtin),
    /// `\X`, which takes any number of operands.
    Times,
}

/// A name in scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) entity: Entity,
    /// Where it was declared, unless it belongs to the language.
    pub(crate) place: Option<Place>,
}

/// All names in scope. TLA+ has no shadowing, so a single table does; what is bound for a while is undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    names: FxHashMap<Name, Entry>,
    undo: Vec<(Name, Option<Entry>)>,
    /// The modules within the module, whose names are apart from all others.
    modules: FxHashMap<Name, InnerModule>,
}

/// A module within a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InnerModule {
    /// Its index among the resolver's modules.
    pub(crate) index: u32,
    pub(crate) place: Place,
}

impl Scope {
    /// A scope that knows the operators of the language.
    pub(crate) fn with_builtins(names: &mut Names) -> Self {
        let mut scope = Self::default();
        for (text, builtin) in BUILTINS {
            let entry = Entry { entity: Entity::Builtin(*builtin), place: None };
            scope.names.insert(names.intern(text), entry);
        }
        scope.names.insert(names.intern("\\X"), Entry { entity: Entity::Times, place: None });
        scope
    }

    pub(crate) fn get(&self, name: Name) -> Option<Entry> {
        self.names.get(&name).copied()
    }

    pub(crate) fn insert(&mut self, name: Name, entry: Entry) {
        let old = self.names.insert(name, entry);
        self.undo.push((name, old));
    }

    /// The module within the module that has this name.
    pub(crate) fn module(&self, name: Name) -> Option<InnerModule> {
        self.modules.get(&name).copied()
    }

    pub(crate) fn insert_module(&mut self, name: Name, module: InnerModule) {
        self.modules.insert(name, module);
    }

    /// A mark to [`undo`](Self::undo) to.
    pub(crate) fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Forgets what was inserted since `mark`.
    pub(crate) fn undo(&mut self, mark: usize) {
        for (name, old) in self.undo.drain(mark..).rev() {
            match old {
                Some(entry) => self.names.insert(name, entry),
                None => self.names.remove(&name),
            };
        }
    }

    /// All names, in no order.
    pub(crate) fn names(&self) -> impl Iterator<Item = Name> {
        self.names.keys().copied()
    }
}

/// The operators of the language, by their canonical spellings.
const BUILTINS: &[(&str, Builtin)] = &[
    ("TRUE", Builtin::True),
    ("FALSE", Builtin::False),
    ("BOOLEAN", Builtin::Boolean),
    ("STRING", Builtin::StringSet),
    ("/\\", Builtin::And),
    ("\\/", Builtin::Or),
    ("~", Builtin::Not),
    ("=>", Builtin::Implies),
    ("<=>", Builtin::Equiv),
    ("=", Builtin::Eq),
    ("/=", Builtin::Ne),
    ("\\in", Builtin::In),
    ("\\notin", Builtin::NotIn),
    ("\\subseteq", Builtin::SubsetEq),
    ("\\cup", Builtin::Cup),
    ("\\cap", Builtin::Cap),
    ("\\", Builtin::SetMinus),
    ("SUBSET", Builtin::Subset),
    ("UNION", Builtin::Union),
    ("DOMAIN", Builtin::Domain),
    ("'", Builtin::Prime),
    ("ENABLED", Builtin::Enabled),
    ("UNCHANGED", Builtin::Unchanged),
    ("[]", Builtin::Always),
    ("<>", Builtin::Eventually),
    ("~>", Builtin::LeadsTo),
    ("-+->", Builtin::PlusArrow),
    ("\\cdot", Builtin::Cdot),
];

impl Builtin {
    /// The canonical spelling.
    pub fn symbol(self) -> &'static str {
        BUILTINS.iter().find(|(_, builtin)| *builtin == self).map_or("", |(text, _)| text)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Self::True | Self::False | Self::Boolean | Self::StringSet => 0,
            Self::Not
            | Self::Subset
            | Self::Union
            | Self::Domain
            | Self::Prime
            | Self::Enabled
            | Self::Unchanged
            | Self::Always
            | Self::Eventually => 1,
            _ => 2,
        }
    }
}

/// A declared constant or variable of a module, its extended modules included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    pub(crate) name: Name,
    pub(crate) arity: u32,
    pub(crate) variable: bool,
    pub(crate) entity: Entity,
    pub(crate) place: Place,
}

/// A module elaborated: what it gives to those that extend or instantiate it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// The names that it declares, extended modules first, in order.
    pub(crate) declared: Vec<Declared>,
    /// The names that it defines and does not keep local, extended modules first, in order.
    pub(crate) exports: Vec<(Name, Entry)>,
    /// Where in `exports` the module's own definitions are.
    pub(crate) own: FxHashMap<Name, usize>,
    /// The modules within it, which those that extend it see too.
    pub(crate) modules: Vec<(Name, InnerModule)>,
    /// Its assumptions, as indices into the resolver's list.
    pub(crate) assumptions: Vec<u32>,
}

/// A named instance.
#[derive(Clone, Debug)]
pub(crate) struct NamedInstance {
    /// The arities of its parameters.
    pub(crate) arities: Vec<u32>,
    /// Whether its definitions take those arguments: not if the module declares nothing.
    pub(crate) passes: bool,
    /// The names that it gives.
    pub(crate) exports: FxHashMap<Name, Entry>,
    /// Whether it could not be made, for which there is a finding.
    pub(crate) failed: bool,
}

/// A module that can be extended or instantiated.
#[derive(Clone, Debug)]
pub(crate) struct ModuleRef {
    pub(crate) id: ModuleId,
    pub(crate) tree: Rc<ast::Module>,
    /// The module around it, if it is within another.
    pub(crate) outer: Option<Rc<Outer>>,
    /// Elaborated on its own, with nothing substituted.
    pub(crate) base: Option<Rc<Context>>,
}

/// The surroundings of a module within another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outer {
    /// The names in scope.
    pub(crate) scope: Scope,
    /// The modules extended there: extended again within, they are the same, not new copies.
    pub(crate) contexts: FxHashMap<ModuleId, Rc<Context>>,
}
