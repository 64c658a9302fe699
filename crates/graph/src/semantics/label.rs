//! Interactions, labels, and when interactions match.

use crate::location::sorted;
use crate::{Position, Role, Symbols, Value};

/// On which side of its role an interaction takes place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Polarity {
    /// On the side of the location that provides the role.
    Plus,
    /// On the side of the location that requires the role.
    Minus,
}

impl Polarity {
    /// The other side: the only polarity that matches this one (`Matched_Polarities`).
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
        }
    }

    /// The polarity of interactions in a position.
    pub fn of(position: Position) -> Self {
        match position {
            Position::Provided => Self::Plus,
            Position::Required => Self::Minus,
        }
    }
}

/// The emission or receipt of a value at a role. Which of the two it is makes no difference to the theory:
/// both sides agree on the value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interaction {
    /// The role at which it takes place.
    pub role: Role,
    /// On which side of the role.
    pub polarity: Polarity,
    /// The value exchanged.
    pub payload: Value,
}

impl Interaction {
    /// The interaction that makes a successful exchange with this one.
    #[must_use]
    pub fn counterpart(&self) -> Self {
        Self { polarity: self.polarity.opposite(), ..self.clone() }
    }

    /// Whether the two are a successful exchange (`Matched_Signal_Pair`).
    pub fn matches(&self, other: &Self) -> bool {
        self.role == other.role && self.polarity != other.polarity && self.payload == other.payload
    }

    /// In words: `+http: "GET"` on the providing side, `-http: "GET"` on the requiring side.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        std::fmt::from_fn(move |f| {
            let sign = if self.polarity == Polarity::Plus { '+' } else { '-' };
            write!(f, "{sign}{}: {}", symbols.role_text(self.role), self.payload.display(symbols))
        })
    }
}

/// The interactions of a transition with its surroundings (`Label`, its `signals`): a set, in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Label(Vec<Interaction>);

impl Label {
    /// The empty label: the transition needs nobody.
    pub fn silent() -> Self {
        Self::default()
    }

    /// The interactions, in order of roles.
    pub fn signals(&self) -> &[Interaction] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_silent(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this very interaction is among them.
    pub fn contains(&self, signal: &Interaction) -> bool {
        self.0.binary_search(signal).is_ok()
    }

    /// The roles at which interactions take place, in order, each once.
    pub fn roles(&self) -> Vec<Role> {
        let mut roles: Vec<Role> = self.0.iter().map(|signal| signal.role).collect();
        roles.dedup();
        roles
    }
}

impl FromIterator<Interaction> for Label {
    fn from_iter<I: IntoIterator<Item = Interaction>>(signals: I) -> Self {
        Self(sorted(signals))
    }
}

/// Why a set of interactions is not matched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SignalFault {
    /// Two different interactions on one side of a role (against `WF_Signals`).
    Contradiction(Interaction, Interaction),
    /// An interaction to which there is no counterpart. With what there is on the other side of the role.
    Unmatched(Interaction, Option<Interaction>),
}

impl SignalFault {
    /// In words.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        std::fmt::from_fn(move |f| match self {
            Self::Contradiction(a, b) => {
                write!(f, "{} contradicts {}", a.display(symbols), b.display(symbols))
            }
            Self::Unmatched(signal, None) => write!(f, "nothing answers {}", signal.display(symbols)),
            Self::Unmatched(signal, Some(other)) => {
                write!(f, "{} does not match {}", signal.display(symbols), other.display(symbols))
            }
        })
    }
}

/// Whether every interaction has exactly one counterpart in the set (`Matched_Signals`); if not, everything
/// that is wrong, in order.
pub fn check_matched_signals(signals: &Label) -> Result<(), Vec<SignalFault>> {
    let mut faults = Vec::new();
    let by_role = signals.0.chunk_by(|a, b| a.role == b.role);
    for group in by_role {
        // In order of polarity, Plus first.
        let (plus, minus) = group.split_at(group.partition_point(|s| s.polarity == Polarity::Plus));
        for side in [plus, minus] {
            let pairs = side.windows(2).map(|w| SignalFault::Contradiction(w[0].clone(), w[1].clone()));
            faults.extend(pairs);
        }
        for (side, others) in [(plus, minus), (minus, plus)] {
            for signal in side {
                if !others.iter().any(|other| signal.matches(other)) {
                    faults.push(SignalFault::Unmatched(signal.clone(), others.first().cloned()));
                }
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(role: u32, polarity: Polarity, payload: i64) -> Interaction {
        Interaction { role: Role(role), polarity, payload: Value::Int(payload) }
    }

    #[test]
    fn signals_match_in_pairs_of_opposite_polarity_and_equal_payload() {
        use Polarity::{Minus, Plus};
        let check = |signals: &[(u32, Polarity, i64)]| {
            check_matched_signals(&signals.iter().map(|&(r, p, v)| signal(r, p, v)).collect())
        };
        assert_eq!(check(&[]), Ok(()));
        assert_eq!(check(&[(0, Plus, 1), (0, Minus, 1), (1, Minus, 2), (1, Plus, 2)]), Ok(()));
        assert_eq!(check(&[(0, Plus, 1)]), Err(vec![SignalFault::Unmatched(signal(0, Plus, 1), None)]));
        let (a, b) = (signal(0, Plus, 1), signal(0, Minus, 2));
        assert_eq!(
            check(&[(0, Plus, 1), (0, Minus, 2)]),
            Err(vec![
                SignalFault::Unmatched(a.clone(), Some(b.clone())),
                SignalFault::Unmatched(b, Some(a.clone()))
            ])
        );
        let (two, partner) = (signal(0, Plus, 2), signal(0, Minus, 1));
        assert_eq!(
            check(&[(0, Plus, 1), (0, Plus, 2), (0, Minus, 1)]),
            Err(vec![SignalFault::Contradiction(a, two.clone()), SignalFault::Unmatched(two, Some(partner))])
        );
    }
}
