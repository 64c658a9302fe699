//! Where a state graph is: in memory, or elsewhere behind a cache. What is looked for in it does not matter here.

use std::ops::Range;

use crate::graph::{Edge, Graph, Letter};
use crate::limits::Reason;

/// A state graph.
pub(crate) trait Source: Sync {
    type Reader<'s>: Reader + Send
    where
        Self: 's;

    /// Whether several threads that look at the same part of it together are quicker than one.
    const IS_SHARED: bool;

    fn states(&self) -> usize;

    fn initial(&self) -> Range<u32>;

    fn letters(&self) -> &[Letter];

    fn fingerprint(&self, state: u32) -> Result<u64, Reason>;

    /// Access for one thread, which may take about so many bytes.
    fn reader(&self, bytes: usize) -> Self::Reader<'_>;
}

/// One thread's access to the steps of a state graph.
pub(crate) trait Reader {
    /// The steps of a state. To ask may take long: ask once for all of them.
    fn steps(&mut self, state: u32) -> Result<Out<'_>, Reason>;

    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// The steps that lead out of a state.
#[derive(Clone, Copy)]
pub(crate) struct Out<'s> {
    /// The steps without the stuttering one.
    pub(crate) steps: &'s [Edge],
    pub(crate) stutter: Edge,
}

impl Source for Graph {
    type Reader<'s> = &'s Graph;

    const IS_SHARED: bool = true;

    fn states(&self) -> usize {
        Graph::states(self)
    }

    fn initial(&self) -> Range<u32> {
        Graph::initial(self)
    }

    fn letters(&self) -> &[Letter] {
        Graph::letters(self)
    }

    fn fingerprint(&self, state: u32) -> Result<u64, Reason> {
        Ok(Graph::fingerprint(self, state))
    }

    fn reader(&self, _: usize) -> &Graph {
        self
    }
}

impl Reader for &Graph {
    #[inline]
    fn steps(&mut self, state: u32) -> Result<Out<'_>, Reason> {
        Ok(Out { steps: Graph::steps(self, state), stutter: self.stutter(state) })
    }

    fn bytes(&self) -> usize {
        0
    }
}
