//! What to do with each message of the shell's: the run takes it in, and its effects go out as asks.

use agent::{Effect, Input, Run};
use protocol::frame::{FromWorker, ToWorker};
use protocol::hub::{RunAsk, RunGrant, RunReply};
use protocol::model::ModelEvent;

/// Model events are credited in batches of this many.
const CREDIT_BATCH: u32 = 16;

/// Drives one run at a time.
#[derive(Default)]
pub struct Driver {
    run: Option<Run>,
    /// Events of the running model call that were taken in and not yet credited.
    taken: u32,
}

impl Driver {
    /// Takes in a message of the shell's, as JSON, and answers through `send`.
    pub fn receive(&mut self, text: &str, send: &mut dyn FnMut(FromWorker)) {
        match serde_json::from_str(text) {
            Ok(ToWorker::Start { now, grant }) => self.start(now, grant, send),
            Ok(ToWorker::Reply { now, reply }) => self.reply(now, reply, send),
            Err(error) => send(broken(format!("The shell sent something that is no message: {error}."))),
        }
    }

    fn start(&mut self, now: i64, grant: RunGrant, send: &mut dyn FnMut(FromWorker)) {
        if self.run.is_some() {
            send(broken("A run cannot start here while another one is going on.".to_owned()));
            return;
        }
        self.run = Some(Run::resume(grant.run, grant.spec, &grant.transcript));
        self.handle(Input::Resumed { now }, send);
    }

    fn reply(&mut self, now: i64, reply: RunReply, send: &mut dyn FnMut(FromWorker)) {
        let is_model_event = matches!(reply, RunReply::Model { .. });
        let is_last_event = matches!(
            reply,
            RunReply::Model { event: ModelEvent::Stopped { .. } | ModelEvent::Failed { .. }, .. }
        );
        let Some(input) = Input::from_reply(now, reply) else {
            self.run = None;
            return;
        };
        if is_model_event && !is_last_event {
            self.credit(send);
        }
        self.handle(input, send);
    }

    fn credit(&mut self, send: &mut dyn FnMut(FromWorker)) {
        self.taken += 1;
        if self.run.is_some() && self.taken == CREDIT_BATCH {
            self.taken = 0;
            let count = CREDIT_BATCH;
            send(ask(RunAsk::Credit { count }));
        }
    }

    /// Without a run this does nothing: the hub may answer a run that has just ended.
    fn handle(&mut self, input: Input, send: &mut dyn FnMut(FromWorker)) {
        let Some(run) = &mut self.run else {
            return;
        };
        for effect in run.handle(input) {
            if matches!(effect, Effect::CallModel { .. }) {
                self.taken = 0;
            }
            send(ask(RunAsk::Effect { effect }));
        }
        if run.is_finished() {
            self.run = None;
        }
    }
}

pub(crate) fn broken(message: String) -> FromWorker {
    FromWorker::Broken { message }
}

fn ask(ask: RunAsk) -> FromWorker {
    FromWorker::Ask { ask }
}

#[cfg(test)]
mod tests;
