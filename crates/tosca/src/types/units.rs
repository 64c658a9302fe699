//! Units: what may stand after the number of a scalar, and what it is multiplied with.

use std::rc::Rc;

use locus_source::{Finding, Node, Place};

use crate::read::scalar::number_and_unit;
use crate::report::{kind, short};
use crate::rules;
use crate::types::base::Base;
use crate::types::data::Schema;
use crate::types::world::World;

/// The units of a scalar type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Units {
    named: Vec<(String, f64)>,
    prefixes: Vec<(String, f64)>,
    /// Whether the number must be an integer.
    pub(crate) integer: bool,
    case: Case,
}

/// Whether the case of a unit matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Case {
    /// It must be as it is defined.
    Matters,
    /// `kB` and `KB` are the same (Simple Profile 1.3, section 3.3.6.4.3).
    Ignored,
    /// The standard does not say that it may be another one, and files have it: it is taken for the same, with a
    /// warning.
    Tolerated,
}

/// A scalar in its base unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Amount {
    /// In the base unit.
    pub(crate) value: f64,
    /// Whether the number, as written, is an integer.
    pub(crate) integer: bool,
}

impl Units {
    fn fixed(units: &[(&str, f64)], case: Case) -> Self {
        let units = units.iter().map(|&(name, factor)| (name.to_owned(), factor)).collect();
        Self { named: units, prefixes: Vec::new(), integer: false, case }
    }

    /// `scalar-unit.size`, in bytes.
    pub(crate) fn size() -> Self {
        let (k, ki) = (1e3, 1024f64);
        let units = [
            ("B", 1.0),
            ("kB", k),
            ("KiB", ki),
            ("MB", k.powi(2)),
            ("MiB", ki.powi(2)),
            ("GB", k.powi(3)),
            ("GiB", ki.powi(3)),
            ("TB", k.powi(4)),
            ("TiB", ki.powi(4)),
        ];
        Self::fixed(&units, Case::Ignored)
    }

    /// `scalar-unit.time`, in seconds.
    pub(crate) fn time() -> Self {
        let units = [
            ("d", 86_400.0),
            ("h", 3_600.0),
            ("m", 60.0),
            ("s", 1.0),
            ("ms", 1e-3),
            ("us", 1e-6),
            ("ns", 1e-9),
        ];
        Self::fixed(&units, Case::Tolerated)
    }

    /// `scalar-unit.frequency`, in hertz.
    pub(crate) fn frequency() -> Self {
        Self::fixed(&[("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)], Case::Tolerated)
    }

    /// `scalar-unit.bitrate`, in bits per second.
    pub(crate) fn bitrate() -> Self {
        let mut units = Vec::new();
        for (unit, bits) in [("bps", 1.0), ("Bps", 8.0)] {
            for (prefix, factor) in [("", 1.0), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)] {
                units.push((format!("{prefix}{unit}"), factor * bits));
                if !prefix.is_empty() {
                    let power = ["K", "M", "G", "T"]
                        .iter()
                        .position(|one| *one == prefix)
                        .map_or(1, |at| at as i32 + 1);
                    units.push((format!("{prefix}i{unit}"), 1024f64.powi(power) * bits));
                }
            }
        }
        Self { named: units, prefixes: Vec::new(), integer: false, case: Case::Matters }
    }

    /// The factor of a unit.
    fn factor(&self, unit: &str) -> Option<f64> {
        if self.prefixes.is_empty() {
            return self.find(unit).map(|(_, factor)| *factor);
        }
        self.named.iter().find_map(|(name, factor)| {
            let prefix = unit.strip_suffix(name.as_str())?;
            self.prefixes.iter().find(|(one, _)| one == prefix).map(|(_, more)| factor * more)
        })
    }

    fn find(&self, unit: &str) -> Option<&(String, f64)> {
        let same = |one: &str| one == unit || self.case != Case::Matters && one.eq_ignore_ascii_case(unit);
        self.named.iter().find(|(name, _)| same(name))
    }

    /// The unit of a scalar as the standard has it, if it is written in another case and that matters.
    pub(crate) fn in_its_case(&self, text: &str) -> Option<&str> {
        let (_, unit) = number_and_unit(text).filter(|_| self.case == Case::Tolerated)?;
        self.find(unit).map(|(name, _)| name.as_str()).filter(|name| *name != unit)
    }

    /// Reads a number with a unit.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence.
    pub(crate) fn read(&self, text: &str) -> Result<Amount, String> {
        let Some((number, unit)) = number_and_unit(text) else {
            return Err("is not a number with a unit".to_owned());
        };
        let Some(factor) = self.factor(unit) else {
            return Err(format!("has the unit `{}`, which is not one of {}", short(unit), self.list()));
        };
        let value: f64 = number.parse().map_err(|_| "is not a number with a unit".to_owned())?;
        let integer = number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-'));
        Ok(Amount { value: value * factor, integer })
    }

    /// The units in a sentence.
    fn list(&self) -> String {
        let names = self.named.iter().map(|(name, _)| name.as_str());
        let list = crate::report::listed(names);
        if self.prefixes.is_empty() { list } else { format!("{list} with a prefix") }
    }

    /// Whether two scalar types have a unit in common.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.named.iter().any(|(name, _)| other.factor(name).is_some())
            || other.named.iter().any(|(name, _)| self.factor(name).is_some())
    }
}

/// The base of a type that derives from a scalar, with its units.
pub(crate) fn define<'t>(
    world: &World<'t>,
    file: usize,
    key: Node<'t>,
    node: Node<'t>,
    parent: &Base,
) -> Base {
    let inherited = match parent {
        Base::Scalar(Some(units)) => Some(units),
        _ => None,
    };
    let definer = Definer { world, file, name: key.raw(), place: key.use_place() };
    let (mut units, mut prefixes) =
        inherited.map_or_else(Default::default, |units| (units.named.clone(), units.prefixes.clone()));
    let given = |name: &str| node.get(name);
    let mut wrong = false;
    let section = |name: &'static str, into: &mut Vec<(String, f64)>| match given(name) {
        Some(map) => definer.factors(name, map, into),
        None => true,
    };
    wrong |= !section("units", &mut units);
    wrong |= !section("prefixes", &mut prefixes);
    if given("units").is_none() && inherited.is_none() {
        definer.say(definer.place, "needs the keyname `units`");
        return Base::Scalar(None);
    }
    let number = definer.number(given("data_type"), inherited.is_some());
    let integer = number
        .as_ref()
        .map_or(inherited.is_some_and(|units| units.integer), |schema| schema.base == Base::Integer);
    let case = inherited.map_or(Case::Matters, |units| units.case);
    let found = Units { named: units, prefixes, integer, case };
    if !wrong {
        definer.consistent(&found, given("canonical_unit"));
    }
    Base::Scalar((!wrong).then(|| Rc::new(found)))
}

struct Definer<'w, 't> {
    world: &'w World<'t>,
    file: usize,
    name: &'t str,
    place: Place,
}

impl<'t> Definer<'_, 't> {
    fn say(&self, place: Place, what: &str) {
        let message = format!("the scalar type `{}` {what}", short(self.name));
        self.world.say(self.file, &rules::SCALAR, place, message);
    }

    /// Reads a map from units or prefixes to numbers. Gives whether all of it is right.
    fn factors(&self, keyname: &str, map: Node<'t>, into: &mut Vec<(String, f64)>) -> bool {
        if !map.is_mapping() || map.is_empty() {
            self.say(
                map.use_place(),
                &format!("needs a map from names to numbers under `{keyname}`, not {}", kind(map)),
            );
            return false;
        }
        let mut right = true;
        for entry in map.entries() {
            let name = entry.key.raw();
            match entry.value.as_f64() {
                Some(factor) if factor > 0.0 => {
                    into.retain(|(known, _)| known != name);
                    into.push((name.to_owned(), factor));
                }
                _ => {
                    let what = format!(
                        "has the factor `{}` for `{}`, which is not a number above 0",
                        short(entry.value.raw()),
                        short(name)
                    );
                    self.say(entry.value.use_place(), &what);
                    right = false;
                }
            }
        }
        right
    }

    /// The type of the number.
    fn number(&self, node: Option<Node<'t>>, derived: bool) -> Option<Schema<'t>> {
        let node = node?;
        if derived {
            self.say(node.use_place(), "cannot change the `data_type` that it inherits");
            return None;
        }
        let schema = self.world.schema_named(self.file, node);
        if !matches!(schema.base, Base::Integer | Base::Float | Base::Any) {
            self.say(node.use_place(), "needs a `data_type` that is integer, float or derives from them");
        }
        Some(schema)
    }

    fn consistent(&self, units: &Units, canonical: Option<Node<'t>>) {
        let ones = |list: &[(String, f64)]| {
            list.iter().filter(|(_, factor)| (*factor - 1.0).abs() < f64::EPSILON).count()
        };
        if units.integer {
            let all = units.named.iter().chain(&units.prefixes);
            if let Some((name, _)) = all.clone().find(|(_, factor)| factor.fract() != 0.0) {
                self.say(
                    self.place,
                    &format!("is for integers, and the factor of `{}` is not one", short(name)),
                );
            }
        }
        if !units.prefixes.is_empty() && ones(&units.prefixes) == 0 {
            self.say(self.place, "has no prefix with the factor 1");
            return;
        }
        if ones(&units.named) == 0 {
            self.say(self.place, "has no unit with the factor 1");
            return;
        }
        match canonical {
            Some(node) => match units.factor(node.raw()) {
                None => self.say(node.use_place(), &format!("has no unit `{}`", short(node.raw()))),
                Some(factor) if (factor - 1.0).abs() > f64::EPSILON => {
                    self.say(
                        node.use_place(),
                        &format!("has the canonical unit `{}`, whose factor is not 1", short(node.raw())),
                    );
                }
                Some(_) => {}
            },
            None if ones(&units.named) > 1 => {
                let message =
                    format!("the scalar type `{}` has several units with the factor 1", short(self.name));
                let finding = Finding::new(&rules::SCALAR, self.place, message);
                self.world.add(self.file, finding.help("say which one is meant by `canonical_unit`"));
            }
            None => {}
        }
    }
}
