//! What to do with each message of the shell's: the run takes it in, and its effects go out as asks.

use crate::device::{CallPurpose, Device, DeviceEvent};
use agent::{Effect, Input, Run};
use protocol::frame::{FetchPart, FromWorker, ToWorker};
use protocol::model::ModelEvent;
use protocol::run::{RunAsk, RunGrant, RunReply};
use protocol::{told, words};

/// Model events are credited in batches of this many.
const CREDIT_BATCH: u32 = 16;

/// Drives one run at a time.
#[derive(Default)]
pub struct Driver {
    run: Option<Run>,
    /// The model, where it is on this device.
    device: Option<Device>,
    /// Events of the running model call that were taken in and not yet credited.
    taken: u32,
}

impl Driver {
    /// Takes in a message of the shell's, as JSON, and answers through `send`.
    pub fn receive(&mut self, text: &str, send: &mut dyn FnMut(FromWorker)) {
        match serde_json::from_str(text) {
            Ok(ToWorker::Start { grant, .. }) => self.start(*grant, send),
            Ok(ToWorker::Reply { reply, .. }) => self.reply(reply, send),
            Ok(ToWorker::Fetched { call, part, .. }) => self.fetched(call, part, send),
            Ok(ToWorker::Cleared { call, events, .. }) => self.heard(call, events, send),
            Err(error) => send(broken(told!("The shell sent something that is no message: {error}."))),
        }
    }

    fn start(&mut self, grant: RunGrant, send: &mut dyn FnMut(FromWorker)) {
        if self.run.is_some() {
            send(broken(words!("A run cannot start here while another one is going on.").to_owned()));
            return;
        }
        self.device = Device::of(&grant.spec);
        match Run::granted(grant) {
            Ok(run) => self.run = Some(run),
            Err(error) => return send(broken(told!("The hub kept what cannot be gone on from: {error}."))),
        }
        self.handle(Input::Resumed, send);
    }

    fn reply(&mut self, reply: RunReply, send: &mut dyn FnMut(FromWorker)) {
        let is_model_event = matches!(reply, RunReply::Model { .. });
        let is_last_event = matches!(
            reply,
            RunReply::Model { event: ModelEvent::Stopped { .. } | ModelEvent::Failed { .. }, .. }
        );
        let Some(input) = Input::from_reply(reply) else {
            self.drop_run(send);
            return;
        };
        if is_model_event && !is_last_event {
            self.credit(send);
        }
        self.handle(input, send);
    }

    /// Takes in a part of what the model on this device answers.
    fn fetched(&mut self, call: u64, part: FetchPart, send: &mut dyn FnMut(FromWorker)) {
        let Some(device) = &mut self.device else { return };
        let events = device.decode(call, part);
        if !device.has_key() {
            self.heard(call, events, send);
        } else if !events.is_empty() {
            send(FromWorker::Decoded { call, events });
        }
        if self.device.as_ref().is_some_and(|device| device.expects(call)) {
            send(FromWorker::More { call });
        }
    }

    /// Takes in what the model on this device said, and tells the hub first: it accepts of the loop
    /// only what it has heard.
    fn heard(&mut self, call: u64, events: Vec<ModelEvent>, send: &mut dyn FnMut(FromWorker)) {
        let Some(device) = &mut self.device else { return };
        for came in device.take(call, events) {
            if !self.device.as_ref().is_some_and(|device| device.expects(call)) {
                return;
            }
            if came.is_last()
                && let Some(device) = &mut self.device
            {
                device.end(call);
            }
            match came {
                DeviceEvent::Event { turn, event } => {
                    send(ask(RunAsk::Told { turn, event: event.clone() }));
                    self.handle(Input::Model { turn, event }, send);
                }
                DeviceEvent::Aside { turn, purpose, usage, text } => {
                    send(ask(RunAsk::AsideTold { turn, purpose, usage }));
                    self.handle(Input::Aside { turn, purpose, text }, send);
                }
            }
        }
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
        let effects = run.handle(input);
        let is_finished = run.is_finished();
        for effect in effects {
            match &mut self.device {
                Some(device) => perform(device, effect, send),
                None => {
                    if matches!(effect, Effect::CallModel { .. }) {
                        self.taken = 0;
                    }
                    send(ask(RunAsk::Effect { effect }));
                }
            }
        }
        if is_finished {
            self.drop_run(send);
        }
    }

    fn drop_run(&mut self, send: &mut dyn FnMut(FromWorker)) {
        self.run = None;
        if let Some(abort) = self.device.take().and_then(|mut device| device.abort()) {
            send(abort);
        }
    }
}

/// Performs an effect of a run whose model is on this device: calls stay here, the rest is the hub's.
fn perform(device: &mut Device, effect: Effect, send: &mut dyn FnMut(FromWorker)) {
    match effect {
        Effect::CallModel { turn, request } => send(device.begin(CallPurpose::Turn(turn), &request, None)),
        Effect::Aside { turn, purpose, request, deadline_ms } => {
            send(device.begin(CallPurpose::aside(turn, purpose), &request, Some(deadline_ms)));
        }
        Effect::AbortModel => {
            if let Some(abort) = device.abort() {
                send(abort);
            }
            // The hub shows what was said so far until it hears of this.
            send(ask(RunAsk::Effect { effect }));
        }
        Effect::RunTools { .. }
        | Effect::Prefetch { .. }
        | Effect::AbortTools
        | Effect::Append { .. }
        | Effect::Arm { .. }
        | Effect::Finish { .. } => send(ask(RunAsk::Effect { effect })),
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
