//! The parts that configuration languages share below their syntax.
//!
//! - [`datum`]: values with what is not known of them, and why ([`unknown`]).
//! - [`types`]: types, properties and what must hold of their values ([`constraint`]).
//! - [`walk`]: the one walk over values along with their types.
//! - [`modules`]: types as Alloy modules, for the rules.
//! - [`cycles`]: things that depend on themselves.
//!
//! Out of scope: any particular language, its functions and its catalogue; reading of files; and the
//! seam through which the command uses a language.

pub mod constraint;
pub mod cycles;
pub mod datum;

pub mod modules;
pub mod types;
pub mod unknown;
pub mod walk;

pub use self::constraint::{Compliance, Constraint, Literal, Pattern};
pub use self::datum::{Content, Datum, Field};
pub use self::types::{Property, Status, Type};
pub use self::unknown::{Later, Nature, Reason, Unknown, Why};
