//! The errors of planning and requesting a deployment.

use locus_engine::Refusal;

use crate::StoredKey;

/// Why something cannot be deployed so.
#[derive(thiserror::Error, Debug)]
pub enum Error {
    /// Stored data differs from what was written.
    #[error("the stored state of a {what} cannot be read: {error}")]
    Damaged {
        /// The kind of the stored data.
        what: &'static str,
        /// The error of reading it.
        error: serde_json::Error,
    },
    /// It was stored by a newer version of this program.
    #[error("the deployment was written by a newer version of locus")]
    Newer,
    /// Keys do not tell nodes apart.
    #[error("two things have the key {0}")]
    SameKey(StoredKey),
    /// A node that was stored before things had keys has a name that several things have now.
    #[error(
        "what is deployed has names only, and several things are called {0} now; give all but one of them another name"
    )]
    SameName(String),
    /// Programs are told an output of something that is not one node.
    #[error("{node} is told `{input}`, an output of {of}, and that is not one thing of the deployment")]
    NoSource {
        /// The node whose program is told it.
        node: String,
        /// The input.
        input: String,
        /// The key of what it is an output of.
        of: StoredKey,
    },
    /// The name would not be one line.
    #[error("a name with a line break or another control character cannot be deployed: {}", .0.escape_debug())]
    Control(String),
    /// A program is told something that changes how programs are found or loaded.
    #[error(
        "{node} cannot be told {input}: that variable changes how programs are found or loaded; call it otherwise"
    )]
    ChangesPrograms {
        /// The node whose program it is.
        node: String,
        /// The input.
        input: String,
    },
    /// The platform refuses a change.
    #[error("{thing} cannot be changed so: {why}")]
    Refused {
        /// The thing.
        thing: String,
        /// The change, in words.
        why: String,
    },
    /// Things need each other.
    #[error("there is no order in which it can be done: something needs itself")]
    NoOrder,
    /// The search for an order was given up.
    #[error("no order was found in which it can be done: {0}")]
    OrderNotFound(String),
    /// A plan that was made before does not fit any more.
    #[error("the plan does not fit any more: {0}; make it again with 'locus plan --out'")]
    Moved(String),
    /// The plan is about something that is not in the goal.
    #[error("{0} is not wanted")]
    NotWanted(StoredKey),
    /// The engine does not take the request now.
    #[error("somebody else changes {name} at the same time; try it again")]
    Busy {
        /// The deployment.
        name: String,
        /// The engine's reason.
        #[source]
        refusal: Refusal,
    },
    /// There is no such driver or place, or it does not make something.
    #[error("{0}")]
    Site(String),
    /// The store.
    #[error(transparent)]
    Store(#[from] locus_store::Error),
}
