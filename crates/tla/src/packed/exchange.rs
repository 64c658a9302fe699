//! Exchange of results between workers. Each looks up the results that it keeps itself. Those that it has evaluated it
//! sends to all others between two states, and they keep them as if they had evaluated them.
//!
//! The alternative is to ask: the results that another worker keeps are in its cache, so each question takes half a
//! microsecond, and most questions are about results that no worker has. Messages are read once, from front to back.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use locus_tla_eval::eval::Choices;
use locus_tla_eval::eval::ir::{Act, ActId, Node, NodeId};

use super::memo::Leaf;
use super::tables::{Write, is_laid_out};

/// The question about a part of a specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Asking {
    /// The successors by an action.
    Successors,
    /// Whether an action is possible.
    Possible,
    /// Whether so many conditions are true, of which this is the first.
    True(usize),
    /// The next value of a variable, or of the part of it at this place.
    Value(Option<usize>),
    /// The value that `x' = e` gives to `x`.
    Becomes,
    /// The value of a term of a view.
    Term,
}

/// A part of a specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PartId {
    Node(NodeId),
    Act(ActId),
}

impl From<&Node> for PartId {
    fn from(node: &Node) -> Self {
        Self::Node(node.id)
    }
}

impl From<&Act> for PartId {
    fn from(act: &Act) -> Self {
        Self::Act(act.id)
    }
}

/// The subject of a region, whichever worker has it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Subject {
    asking: Asking,
    /// The part of the specification.
    part: PartId,
    choices: Choices,
}

impl Subject {
    pub(crate) fn new(asking: Asking, part: PartId, choices: &Choices) -> Self {
        Self { asking, part, choices: choices.clone() }
    }
}

/// The content of a message about a subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// The result, if it is not successors.
    Leaf(Leaf),
    /// The successors, which the message has.
    Ways,
    /// That there is no use for more messages about it.
    Enough,
}

/// A message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    /// The number of the subject.
    pub(crate) number: u32,
    pub(crate) content: Content,
    /// How many elements the sets of the state had had.
    pub(crate) elements: u32,
    pub(crate) reads: &'a [(u32, u32)],
    pub(crate) state: &'a [u32],
    ways: &'a [(u32, u32)],
    /// All writes of the messages that it is one of.
    writes: &'a [Write],
    /// The first of its own.
    first: u32,
}

impl<'a> Message<'a> {
    /// Labels and writes of the successors.
    pub(crate) fn ways(self) -> impl Iterator<Item = (u32, &'a [Write])> + Clone {
        let firsts = std::iter::once(self.first).chain(self.ways.iter().map(|(_, end)| *end));
        let writes = self.writes;
        self.ways
            .iter()
            .zip(firsts)
            .map(move |((label, end), first)| (*label, &writes[first as usize..*end as usize]))
    }
}

/// Messages, one after the other.
#[derive(Default, Debug)]
pub(crate) struct Messages {
    heads: Vec<Head>,
    reads: Vec<(u32, u32)>,
    states: Vec<u32>,
    /// The label of each successor, and where its writes end.
    ways: Vec<(u32, u32)>,
    writes: Vec<Write>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    number: u32,
    content: Content,
    elements: u32,
    ends: Ends,
}

/// Where something ends in each of the lists.
#[derive(Clone, Copy, Default, Debug)]
struct Ends {
    reads: u32,
    states: u32,
    ways: u32,
    writes: u32,
}

impl Messages {
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Adds a message.
    pub(crate) fn push<'a>(
        &mut self,
        (number, content, elements): (u32, Content, u32),
        (reads, state): (&[(u32, u32)], &[u32]),
        ways: impl Iterator<Item = (u32, &'a [Write])>,
    ) {
        self.reads.extend_from_slice(reads);
        self.states.extend_from_slice(state);
        for (label, writes) in ways {
            self.writes.extend_from_slice(writes);
            self.ways.push((label, self.writes.len() as u32));
        }
        let ends = self.ends();
        self.heads.push(Head { number, content, elements, ends });
    }

    /// Adds that there is no use for more messages about a subject.
    pub(crate) fn push_enough(&mut self, number: u32) {
        self.push((number, Content::Enough, 0), (&[], &[]), std::iter::empty());
    }

    /// Adds a message of another one.
    pub(crate) fn copy(&mut self, message: Message<'_>) {
        let Message { number, content, elements, reads, state, .. } = message;
        self.push((number, content, elements), (reads, state), message.ways());
    }

    pub(crate) fn get(&self, index: usize) -> Message<'_> {
        let Head { number, content, elements, ends } = self.heads[index];
        let begin = index.checked_sub(1).map_or(Ends::default(), |before| self.heads[before].ends);
        Message {
            number,
            content,
            elements,
            reads: &self.reads[begin.reads as usize..ends.reads as usize],
            state: &self.states[begin.states as usize..ends.states as usize],
            ways: &self.ways[begin.ways as usize..ends.ways as usize],
            writes: &self.writes,
            first: begin.writes,
        }
    }

    fn ends(&self) -> Ends {
        Ends {
            reads: self.reads.len() as u32,
            states: self.states.len() as u32,
            ways: self.ways.len() as u32,
            writes: self.writes.len() as u32,
        }
    }

    /// Adds all of some others.
    fn append(&mut self, other: &Self) {
        let begin = self.ends();
        self.heads.extend(other.heads.iter().map(|head| {
            let Ends { reads, states, ways, writes } = head.ends;
            let ends = Ends {
                reads: begin.reads + reads,
                states: begin.states + states,
                ways: begin.ways + ways,
                writes: begin.writes + writes,
            };
            Head { ends, ..*head }
        }));
        self.reads.extend_from_slice(&other.reads);
        self.states.extend_from_slice(&other.states);
        self.ways.extend(other.ways.iter().map(|(label, end)| (*label, begin.writes + end)));
        self.writes.extend_from_slice(&other.writes);
    }

    /// Forgets them, and keeps the memory.
    fn clear(&mut self) {
        let Self { heads, reads, states, ways, writes } = self;
        heads.clear();
        reads.clear();
        states.clear();
        ways.clear();
        writes.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.heads)
            + size_of_val(&*self.reads)
            + size_of_val(&*self.states)
            + size_of_val(&*self.ways)
            + size_of_val(&*self.writes)
    }
}

/// The messages that were sent to a worker and not yet read, in lines of the cache that have nothing else.
#[repr(align(128))]
#[derive(Default, Debug)]
struct Mailbox {
    has_mail: AtomicBool,
    messages: Mutex<Messages>,
}

/// The data that workers share.
#[derive(Debug)]
pub(crate) struct Exchange {
    numbers: Mutex<FxHashMap<Subject, u32>>,
    mailboxes: Vec<Mailbox>,
    /// How many workers take part so far.
    taking_part: AtomicUsize,
    /// Bytes of messages for one worker beyond which no more are sent to it.
    most_sent: usize,
}

/// The part of a worker.
#[derive(Debug)]
pub(crate) struct Correspondent {
    number: usize,
    /// The results that it has found since it last sent messages.
    pub(crate) found: Messages,
    /// The messages that it received last.
    pub(crate) received: Messages,
    /// How often it could have sent something since it did.
    waited: usize,
}

impl Exchange {
    /// For so many workers, each of which may be sent so many bytes before it reads them.
    pub(crate) fn new(workers: usize, most_sent: usize) -> Self {
        Self {
            numbers: Mutex::default(),
            mailboxes: (0..workers).map(|_| Mailbox::default()).collect(),
            taking_part: AtomicUsize::new(0),
            most_sent,
        }
    }

    /// How many workers there are.
    pub(crate) fn workers(&self) -> usize {
        self.mailboxes.len()
    }

    /// The part of one more worker; none if there are as many already as there should be.
    pub(crate) fn join(&self) -> Option<Correspondent> {
        let number = self.taking_part.fetch_add(1, Ordering::Relaxed);
        (number < self.mailboxes.len()).then(|| Correspondent {
            number,
            found: Messages::default(),
            received: Messages::default(),
            waited: 0,
        })
    }

    /// The number of a subject. None if it cannot be compared with others.
    pub(crate) fn number(&self, subject: Subject) -> Option<u32> {
        if !subject.choices.pins.iter().all(|(_, value)| is_laid_out(value)) {
            return None;
        }
        let mut numbers = lock(&self.numbers);
        let next = numbers.len() as u32;
        Some(*numbers.entry(subject).or_insert(next))
    }

    /// Sends what a worker has found out, and receives what others have. Says whether there is something to be read.
    #[inline]
    pub(crate) fn attend(&self, own: &mut Correspondent) -> bool {
        if !own.found.is_empty() {
            self.send(own);
        }
        self.mailboxes[own.number].has_mail.load(Ordering::Relaxed) && self.receive(own)
    }

    #[inline(never)]
    fn send(&self, own: &mut Correspondent) {
        // With many workers, to send something is much work, so it is done less often.
        own.waited += 1;
        if own.waited < self.mailboxes.len() - 1 {
            return;
        }
        own.waited = 0;
        for (number, mailbox) in self.mailboxes.iter().enumerate() {
            if number == own.number {
                continue;
            }
            let mut messages = lock(&mailbox.messages);
            if messages.bytes() <= self.most_sent {
                messages.append(&own.found);
                mailbox.has_mail.store(true, Ordering::Relaxed);
            }
        }
        own.found.clear();
    }

    #[inline(never)]
    fn receive(&self, own: &mut Correspondent) -> bool {
        own.received.clear();
        let Mailbox { has_mail, messages } = &self.mailboxes[own.number];
        let mut messages = lock(messages);
        has_mail.store(false, Ordering::Relaxed);
        std::mem::swap(&mut *messages, &mut own.received);
        !own.received.is_empty()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use locus_tla_eval::eval::ir::ActKind;

    use super::*;
    use crate::packed::memo::{Memo, TRUE};
    use crate::packed::tables::WriteKind;

    /// Has a worker find out what follows in a state, of which it depends on four bits, and send it.
    fn find_out(
        exchange: &Exchange,
        (memo, mail): (&mut Memo, &mut Correspondent),
        region: u32,
        state: &[u32],
        ways: &[(u32, Vec<Write>)],
    ) {
        let leaf = memo.leaf(ways);
        memo.keep(region, &[(2, 15)], state, leaf);
        let about = (memo.wanted(region).expect("a number"), Content::Ways, memo.elements(region));
        mail.found.push(about, (&[(2, 15)], state), memo.found(leaf));
        assert!(!exchange.attend(mail));
    }

    #[test]
    fn what_one_worker_finds_out_another_one_knows() {
        let exchange = Exchange::new(2, 1 << 20);
        let part = Act::from(ActKind::Or(Box::default()));
        let number = |asking| exchange.number(Subject::new(asking, (&part).into(), &Choices::default()));
        assert_eq!(number(Asking::Successors), number(Asking::Successors));
        assert_ne!(number(Asking::Successors), number(Asking::Possible));

        let (mut first, mut second) = (Memo::new(), Memo::new());
        let here = first.region(number(Asking::Successors));
        second.region(None);
        let there = second.region(number(Asking::Successors));
        let [mut to_first, mut to_second] = [(); 2].map(|()| exchange.join().expect("a place"));
        assert!(exchange.join().is_none());

        let write = |value| Write { field: 0, word: 2, mask: 15, value, hash: 1, kind: WriteKind::Number };
        let several = vec![(3, vec![write(8), write(9)]), (4, vec![]), (5, vec![write(1)])];
        find_out(&exchange, (&mut first, &mut to_first), here, &[0, 0, 7], &[(3, vec![write(8)])]);
        find_out(&exchange, (&mut first, &mut to_first), here, &[0, 0, 6], &several);
        assert!(exchange.attend(&mut to_second) && to_second.received.len() == 2);
        second.hear(&to_second.received, &mut to_second.found);
        // It depends on no more than what was read.
        let told = second.find(there, &[1, 1, 7 | 16]).expect("the first one knows it");
        assert_eq!(second.found(told).collect::<Vec<_>>(), [(3, [write(8)].as_slice())]);
        let told = second.find(there, &[0, 0, 6]).expect("the first one knows it");
        let expected: Vec<_> = several.iter().map(|(label, writes)| (*label, writes.as_slice())).collect();
        assert_eq!(second.found(told).collect::<Vec<_>>(), expected);
        assert_eq!(second.find(there, &[0, 0, 5]), None);
        assert!(!exchange.attend(&mut to_second), "what was read is gone");
    }

    #[test]
    fn with_many_workers_several_findings_are_sent_at_once_and_none_is_lost() {
        let exchange = Exchange::new(4, 1 << 20);
        let mut all = [(); 4].map(|()| exchange.join().expect("a place"));
        let mut received = [0; 4];
        for number in 0..30 {
            let content = Content::Leaf(TRUE);
            all[0].found.push((number, content, 0), (&[(0, 1)], &[1, 2]), std::iter::empty());
            for (own, received) in all.iter_mut().zip(&mut received) {
                if exchange.attend(own) {
                    for message in (0..own.received.len()).map(|index| own.received.get(index)) {
                        assert_eq!(
                            (message.number, message.state, message.reads),
                            (*received, [1, 2].as_slice(), [(0, 1)].as_slice())
                        );
                        *received += 1;
                    }
                }
            }
        }
        assert_eq!(received, [0, 30, 30, 30]);
    }

    #[test]
    fn who_does_not_listen_is_not_sent_more_than_there_is_room_for() {
        let exchange = Exchange::new(2, 1000);
        let [mut first, mut second] = [(); 2].map(|()| exchange.join().expect("a place"));
        for number in 0..1000 {
            first.found.push_enough(number);
            exchange.attend(&mut first);
        }
        assert!(exchange.attend(&mut second));
        assert!((2..100).contains(&second.received.len()), "{}", second.received.len());
    }
}
