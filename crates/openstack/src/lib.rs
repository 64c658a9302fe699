//! A client of OpenStack's services, without Heat: where a cloud is and who asks ([`Cloud`]), a session with it
//! ([`Session`]), and the types of resources as data ([`kinds`]): by which calls each is made, changed, found again
//! and deleted.
//!
//! Out of scope: steps, tokens and outcomes, which are the driver's; templates; and looking up anything on this
//! machine, which whoever configures a cloud hands in.

#![forbid(unsafe_code)]

mod cloud;
pub mod expression;
pub mod kinds;
mod session;
mod transport;
mod trouble;
mod work;

pub use cloud::{Auth, Cloud, Machine, Named};
pub use session::{Ask, Service, Session};
pub use transport::{Answer, Http, Transport};
pub use trouble::{Kind, Trouble};
pub use work::{Found, State, Thing, Work, difference, written};
