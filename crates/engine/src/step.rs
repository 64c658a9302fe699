//! The core: what becomes of a deployment when something happens, and what follows from it.

use crate::apply;
use crate::input::{Effect, Event, Input, Part, Refusal, Subject};
use crate::state::{RequestStatus, State};
use crate::status::{Move, Status};
use crate::work;

/// The next state of a deployment. An input that is not accepted changes nothing, and says why.
pub fn step(mut state: State, input: Input) -> (State, Vec<Effect>) {
    let mut effects = Vec::new();
    let result = Change { state: &mut state, effects: &mut effects }.perform(input);
    if let Err(refusal) = result {
        effects.clear();
        effects.push(Effect::Refused(refusal));
    }
    (state, effects)
}

/// A change that is being made. Whatever can refuse is asked before the first change.
pub(crate) struct Change<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) effects: &'a mut Vec<Effect>,
}

impl Change<'_> {
    fn perform(&mut self, input: Input) -> Result<(), Refusal> {
        match input {
            Input::Review => self.go(Move::Review, ""),
            Input::Submit { kind, on_failure, desired, by } => {
                apply::submit(self, (kind, on_failure), desired, &by);
                Ok(())
            }
            Input::Check { request, valid } => {
                let to = if valid { RequestStatus::Queued } else { RequestStatus::Rejected };
                apply::advance(self, request, RequestStatus::Submitted, to)
            }
            Input::Process { request } => {
                apply::advance(self, request, RequestStatus::Queued, RequestStatus::Processing)
            }
            Input::Supersede { request } => apply::supersede(self, request),
            Input::Begin { request, plan } => apply::begin(self, request, plan),
            Input::Settle => apply::settle(self),
            Input::Compensate { plan } => apply::compensate(self, plan),
            Input::RollBack => apply::roll_back(self),
            Input::Cancel { discard } => apply::cancel(self, discard),
            Input::Claim { step, worker, now, until } => work::claim(self, step, &worker, now, until),
            Input::Renew { worker, until } => {
                work::renew(self, &worker, until);
                Ok(())
            }
            Input::Intend { ticket } => work::intend(self, ticket),
            Input::Record { ticket, outcome, now } => work::record(self, &ticket, outcome, now),
            Input::Expire { step } => work::expire(self, step),
            Input::Drift { node, is_there, reason } => apply::drift(self, node, is_there, reason),
            Input::Resolve { step, answer } => work::resolve(self, step, answer),
        }
    }

    /// Whether the deployment as a whole can move so.
    pub(crate) fn can_go(&self, what: Move) -> Result<Status, Refusal> {
        self.state.status.after(what).ok_or(Refusal::Status)
    }

    /// Moves the deployment as a whole.
    pub(crate) fn go(&mut self, what: Move, reason: &str) -> Result<(), Refusal> {
        self.state.status = self.can_go(what)?;
        self.store(Part::Deployment);
        let event = Event {
            subject: Subject::Deployment,
            status: self.state.status.as_str(),
            reason: reason.to_owned(),
        };
        self.effects.push(Effect::Event(event));
        Ok(())
    }

    /// Moves a request.
    pub(crate) fn request(&mut self, request: usize, to: RequestStatus, reason: &str) {
        self.state.requests[request].status = to;
        self.store(Part::Request(request));
        let event = Event {
            subject: Subject::Request(request as u32 + 1),
            status: to.as_str(),
            reason: reason.to_owned(),
        };
        self.effects.push(Effect::Event(event));
    }

    pub(crate) fn store(&mut self, part: Part) {
        self.effects.push(Effect::Store(part));
    }

    /// Says what became of a step.
    pub(crate) fn tell(&mut self, step: u32, status: &'static str, reason: String) {
        self.store(Part::Step(step));
        let step = &self.state.steps[step as usize];
        let subject = Subject::Step {
            node: step.planned.node.clone(),
            does: step.planned.does,
            operation: step.planned.operation.clone(),
            token: step.token.clone(),
        };
        self.effects.push(Effect::Event(Event { subject, status, reason }));
    }
}
