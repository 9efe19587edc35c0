//! The loops of agents that live in the browser: a frame for each, in which a worker drives one run
//! at a time. Run and lease token stay out here, and so does what the hub has not taken yet.

use super::boot::Boot;
use super::driven_run::DrivenRun;
use super::fetch::{self, FetchJob, FilesOfCall};
use super::frames::{self, FrameEvent, FrameId, Role};
use crate::live;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::frame::{FromWorker, ToWorker};
use protocol::hub::ClientFrame;
use protocol::log::Outcome;
use protocol::run::{Effect, OnDevice, RunAsk, RunGrant, RunReply};
use protocol::{AgentId, RunId};
use protocol::{told, words};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

/// How long a worker may take to come up.
const START: Duration = Duration::from_secs(20);
/// How long a frame without a run is kept for the next one.
const IDLE_FRAME_TTL: Duration = Duration::from_secs(120);

struct Loop {
    frame: FrameId,
    worker: Worker,
    /// The run, until the hub says that its lease is gone.
    line: Option<DrivenRun>,
    /// Its model, where this browser calls it.
    on_device: Option<OnDevice>,
    /// Runs so far; tells whether another came in between.
    runs: u64,
}

enum Worker {
    /// Not up yet; this is what it will do first.
    Starting(Option<Box<RunGrant>>),
    Ready,
}

thread_local! {
    static LOOPS: RefCell<HashMap<AgentId, Loop>> = RefCell::default();
}

/// Drives a run that the hub gave to this tab.
pub fn start(token: String, grant: RunGrant) {
    let agent = grant.agent.clone();
    let line = DrivenRun::new(grant.run.clone(), token);
    let on_device = grant.spec.on_device.clone();
    // Whatever still runs there has lost its lease, or this grant would not be.
    if LOOPS.with_borrow(|loops| loops.get(&agent).is_some_and(|one| one.line.is_some())) {
        remove(&agent);
    }
    let cold = LOOPS.with_borrow_mut(|loops| {
        let Some(one) = loops.get_mut(&agent) else { return Some((line, grant)) };
        one.runs += 1;
        one.line = Some(line);
        one.on_device.clone_from(&on_device);
        match one.worker {
            Worker::Ready => {
                frames::post(one.frame, &ToWorker::Start { now: now(), grant: Box::new(grant) });
            }
            Worker::Starting(_) => one.worker = Worker::Starting(Some(Box::new(grant))),
        }
        None
    });
    let Some((line, grant)) = cold else { return };
    let owner = agent.clone();
    let title = format!("Loop of {}", grant.spec.name);
    let Some(frame) =
        frames::open(Role::Loop, &title, move |frame, news| on_frame_event(&owner, frame, news))
    else {
        return interrupt(line, words!("The browser could not make a frame for the loop."));
    };
    let worker = Worker::Starting(Some(Box::new(grant)));
    LOOPS.with_borrow_mut(|loops| {
        loops.insert(agent.clone(), Loop { frame, worker, line: Some(line), on_device, runs: 1 })
    });
    set_timeout(
        move || {
            let is_late = with_frame(&agent, frame, |one| matches!(one.worker, Worker::Starting(_)));
            if is_late == Some(true) {
                fail(&agent, words!("The loop did not start in this browser."));
            }
        },
        START,
    );
}

/// Passes on what the hub answers a run; it has so many of the run's asks.
pub fn reply(run: &RunId, taken: u64, reply: RunReply) {
    let Some((agent, frame)) = with_run(run, |line| line.on_reply(taken)) else { return };
    if let RunReply::Held { call, refused } = reply {
        return fetch::held(frame, call, refused);
    }
    let is_lost = reply == RunReply::Lost;
    frames::post(frame, &ToWorker::Reply { now: now(), reply });
    if is_lost {
        rest(&agent, frame);
    }
}

/// The connection is gone. The loops go on as far as they can without it.
pub fn part() {
    LOOPS.with_borrow_mut(|loops| {
        loops.values_mut().filter_map(|one| one.line.as_mut()).for_each(DrivenRun::part)
    });
}

/// There is a connection again: asks for the runs that this tab drove.
pub fn rejoin() {
    let asks: Vec<ClientFrame> = LOOPS.with_borrow(|loops| {
        loops.values().filter_map(|one| one.line.as_ref()).map(DrivenRun::rejoin).collect()
    });
    for ask in asks {
        live::send(ask);
    }
}

/// The run goes on here. What the hub does not have yet is sent again.
pub fn rejoined(run: &RunId, taken: u64) {
    let mut unsent = Vec::new();
    with_run(run, |line| unsent = line.rejoined(taken));
    for ask in unsent {
        live::send(ask);
    }
}

fn on_frame_event(agent: &AgentId, frame: FrameId, news: FrameEvent) {
    match news {
        FrameEvent::Opened => {
            if with_frame(agent, frame, |one| matches!(one.worker, Worker::Ready)) == Some(true) {
                return fail(agent, words!("The loop's frame was loaded anew in the middle of the run."));
            }
            let agent = agent.clone();
            spawn_local(async move { boot(&agent, frame).await });
        }
        FrameEvent::Text(text) => match serde_json::from_str(&text) {
            Ok(FromWorker::Ready) => ready(agent, frame),
            // The shell's own to ask.
            Ok(FromWorker::Ask { ask: RunAsk::Hold { .. } | RunAsk::KeyWanted { .. } }) => {
                frames::count_bad(frame);
            }
            Ok(FromWorker::Ask { ask }) => pass_on(agent, frame, ask),
            Ok(FromWorker::Fetch { call, body, tokens, deadline_ms, pictures, texts }) => {
                let files = FilesOfCall { agent: agent.clone(), pictures, texts };
                call_model(agent, frame, FetchJob { id: call, body, tokens, deadline_ms, files });
            }
            Ok(FromWorker::Decoded { call, events }) => fetch::clear(frame, call, events),
            Ok(FromWorker::More { call }) => fetch::more(frame, call),
            Ok(FromWorker::AbortFetch { .. }) => fetch::forget(frame),
            Ok(FromWorker::Broken { message }) => fail(agent, &told!("The loop broke: {message}")),
            Err(_) => frames::count_bad(frame),
        },
        FrameEvent::Anew => fail(agent, words!("The loop's frame was loaded anew in the middle of the run.")),
        FrameEvent::Removed { why } => fail(agent, &told!("The loop's frame was taken away. {why}")),
    }
}

async fn boot(agent: &AgentId, frame: FrameId) {
    let booted = match Boot::fetch().await {
        Ok(boot) => boot.message().map(|(message, transfer)| frames::post_value(frame, &message, &transfer)),
        Err(error) => Err(error),
    };
    if let Err(error) = booted {
        leptos::logging::error!("The worker of the loop could not be fetched: {error:?}");
        fail(
            agent,
            words!(
                "The loop's program could not be fetched from the hub. Reload the page: the hub may have a newer one."
            ),
        );
    }
}

fn ready(agent: &AgentId, frame: FrameId) {
    let start = with_frame(agent, frame, |one| match std::mem::replace(&mut one.worker, Worker::Ready) {
        Worker::Starting(grant) => grant,
        Worker::Ready => None,
    });
    if let Some(Some(grant)) = start {
        frames::post(frame, &ToWorker::Start { now: now(), grant });
    }
}

fn pass_on(agent: &AgentId, frame: FrameId, ask: RunAsk) {
    let frame = with_frame(agent, frame, |one| one.line.as_mut().and_then(|line| line.ask(ask)));
    if let Some(Some(frame)) = frame {
        live::send(frame);
    }
}

/// Calls the model of the run that is driven there, if this browser is the one to do it.
fn call_model(agent: &AgentId, frame: FrameId, wanted: FetchJob) {
    match with_frame(agent, frame, |one| one.on_device.clone()).flatten() {
        Some(model) => {
            let agent = agent.clone();
            fetch::begin(frame, model, wanted, move |ask| pass_on(&agent, frame, ask));
        }
        None => frames::count_bad(frame),
    }
}

/// The run is over. The frame waits a while for the next.
fn rest(agent: &AgentId, frame: FrameId) {
    fetch::forget(frame);
    let runs = with_frame(agent, frame, |one| {
        one.line = None;
        one.on_device = None;
        one.runs
    });
    let agent = agent.clone();
    set_timeout(
        move || {
            let is_idle = with_frame(&agent, frame, |one| one.line.is_none() && Some(one.runs) == runs);
            if is_idle == Some(true) {
                remove(&agent);
            }
        },
        IDLE_FRAME_TTL,
    );
}

/// Ends the run for its driver, which cannot.
fn fail(agent: &AgentId, why: &str) {
    let line = LOOPS.with_borrow_mut(|loops| loops.get_mut(agent).and_then(|one| one.line.take()));
    remove(agent);
    if let Some(line) = line {
        interrupt(line, why);
    }
}

fn interrupt(mut line: DrivenRun, why: &str) {
    let outcome = Outcome::Interrupted { why: why.to_owned() };
    if let Some(frame) = line.ask(RunAsk::Effect { effect: Effect::Finish { ordinal: 0, outcome } }) {
        live::send(frame);
    }
}

fn remove(agent: &AgentId) {
    if let Some(one) = LOOPS.with_borrow_mut(|loops| loops.remove(agent)) {
        fetch::forget(one.frame);
        frames::close(one.frame);
    }
}

fn with_frame<T>(agent: &AgentId, frame: FrameId, look: impl FnOnce(&mut Loop) -> T) -> Option<T> {
    LOOPS.with_borrow_mut(|loops| loops.get_mut(agent).filter(|one| one.frame == frame).map(look))
}

/// Looks at the run with this id, if it is driven here.
fn with_run(run: &RunId, look: impl FnOnce(&mut DrivenRun)) -> Option<(AgentId, FrameId)> {
    LOOPS.with_borrow_mut(|loops| {
        let (agent, one) =
            loops.iter_mut().find(|(_, one)| one.line.as_ref().is_some_and(|line| line.run == *run))?;
        look(one.line.as_mut()?);
        Some((agent.clone(), one.frame))
    })
}

fn now() -> i64 {
    js_sys::Date::now() as i64
}
