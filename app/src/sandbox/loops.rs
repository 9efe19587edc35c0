//! The loops of agents that live in the browser: a frame for each, in which a worker drives one run
//! at a time. Run and lease token stay out here.

use super::boot::Boot;
use super::fetch;
use super::frames::{self, FrameId, News, Role};
use crate::live;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::frame::{FromWorker, ToWorker};
use protocol::hub::{ClientFrame, Effect, OnDevice, RunAsk, RunGrant, RunReply};
use protocol::log::Outcome;
use protocol::{AgentId, RunId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

/// How long a worker may take to come up.
const START: Duration = Duration::from_secs(20);
/// How long a frame without a run is kept for the next one.
const IDLE: Duration = Duration::from_secs(120);

struct Loop {
    frame: FrameId,
    worker: Worker,
    lease: Option<Lease>,
    /// Runs so far; tells whether another came in between.
    runs: u64,
}

enum Worker {
    /// Not up yet; this is what it will do first.
    Starting(Option<Box<RunGrant>>),
    Ready,
}

struct Lease {
    run: RunId,
    token: String,
    /// The model, where this browser calls it.
    on_device: Option<OnDevice>,
}

thread_local! {
    static LOOPS: RefCell<HashMap<AgentId, Loop>> = RefCell::default();
}

/// Drives a run that the hub gave to this tab.
pub fn start(token: String, grant: RunGrant) {
    let agent = grant.agent.clone();
    let lease = Lease { run: grant.run.clone(), token, on_device: grant.spec.on_device.clone() };
    // Whatever still runs there has lost its lease, or this grant would not be.
    if LOOPS.with_borrow(|loops| loops.get(&agent).is_some_and(|one| one.lease.is_some())) {
        remove(&agent);
    }
    let cold = LOOPS.with_borrow_mut(|loops| {
        let Some(one) = loops.get_mut(&agent) else { return Some((lease, grant)) };
        one.runs += 1;
        one.lease = Some(lease);
        match one.worker {
            Worker::Ready => {
                frames::post(one.frame, &ToWorker::Start { now: now(), grant: Box::new(grant) });
            }
            Worker::Starting(_) => one.worker = Worker::Starting(Some(Box::new(grant))),
        }
        None
    });
    let Some((lease, grant)) = cold else { return };
    let owner = agent.clone();
    let title = format!("Loop of {}", grant.spec.name);
    let Some(frame) = frames::open(Role::Loop, &title, move |frame, news| hear(&owner, frame, news)) else {
        return interrupt(lease, "The browser could not make a frame for the loop.");
    };
    let worker = Worker::Starting(Some(Box::new(grant)));
    LOOPS.with_borrow_mut(|loops| {
        loops.insert(agent.clone(), Loop { frame, worker, lease: Some(lease), runs: 1 })
    });
    set_timeout(
        move || {
            let is_late = with_frame(&agent, frame, |one| matches!(one.worker, Worker::Starting(_)));
            if is_late == Some(true) {
                fail(&agent, "The loop did not start in this browser.");
            }
        },
        START,
    );
}

/// Passes on what the hub answers a run.
pub fn reply(run: &RunId, reply: RunReply) {
    let found = LOOPS.with_borrow(|loops| {
        let is_run = |one: &&Loop| one.lease.as_ref().is_some_and(|lease| lease.run == *run);
        loops.values().find(is_run).map(|one| one.frame)
    });
    let Some(frame) = found else { return };
    let is_lost = reply == RunReply::Lost;
    frames::post(frame, &ToWorker::Reply { now: now(), reply });
    if is_lost {
        let agent = LOOPS.with_borrow(|loops| {
            loops.iter().find(|(_, one)| one.frame == frame).map(|(agent, _)| agent.clone())
        });
        if let Some(agent) = agent {
            rest(&agent, frame);
        }
    }
}

/// The connection is gone, and every lease with it.
pub fn abandon() {
    let running: Vec<AgentId> = LOOPS.with_borrow(|loops| {
        loops.iter().filter(|(_, one)| one.lease.is_some()).map(|(agent, _)| agent.clone()).collect()
    });
    for agent in running {
        remove(&agent);
    }
}

fn hear(agent: &AgentId, frame: FrameId, news: News) {
    match news {
        News::Opened => {
            if with_frame(agent, frame, |one| matches!(one.worker, Worker::Ready)) == Some(true) {
                return fail(agent, "The loop's frame was loaded anew in the middle of the run.");
            }
            let agent = agent.clone();
            spawn_local(async move { boot(&agent, frame).await });
        }
        News::Text(text) => match serde_json::from_str(&text) {
            Ok(FromWorker::Ready) => ready(agent, frame),
            Ok(FromWorker::Ask { ask }) => pass_on(agent, frame, ask),
            Ok(FromWorker::Fetch { call, body, deadline_ms }) => {
                call_model(agent, frame, call, body, deadline_ms)
            }
            Ok(FromWorker::More { call }) => fetch::more(frame, call),
            Ok(FromWorker::AbortFetch { .. }) => fetch::abort(frame),
            Ok(FromWorker::Broken { message }) => fail(agent, &format!("The loop broke: {message}")),
            Err(_) => frames::count_bad(frame),
        },
        News::Removed { why } => fail(agent, &format!("The loop's frame was taken away. {why}")),
    }
}

async fn boot(agent: &AgentId, frame: FrameId) {
    let booted = match Boot::fetch().await {
        Ok(boot) => boot.message().map(|(message, transfer)| frames::post_value(frame, &message, &transfer)),
        Err(error) => Err(error),
    };
    if let Err(error) = booted {
        leptos::logging::error!("The worker of the loop could not be fetched: {error:?}");
        fail(agent, "The loop's program could not be fetched from the hub.");
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
    let is_last = matches!(ask, RunAsk::Effect { effect: Effect::Finish { .. } });
    let sent = with_frame(agent, frame, |one| {
        let Some(Lease { run, token, on_device: _ }) = &one.lease else { return true };
        live::send(ClientFrame::Run { run: run.clone(), token: token.clone(), ask })
    });
    if sent == Some(false) {
        return remove(agent);
    }
    if is_last {
        rest(agent, frame);
    }
}

/// Calls the model of the run that is driven there, if this browser is the one to do it.
fn call_model(agent: &AgentId, frame: FrameId, call: u64, body: String, deadline_ms: Option<u64>) {
    match with_frame(agent, frame, |one| one.lease.as_ref()?.on_device.clone()).flatten() {
        Some(model) => fetch::begin(frame, model, call, body, deadline_ms),
        None => frames::count_bad(frame),
    }
}

/// The run is over. The frame waits a while for the next.
fn rest(agent: &AgentId, frame: FrameId) {
    fetch::abort(frame);
    let runs = with_frame(agent, frame, |one| {
        one.lease = None;
        one.runs
    });
    let agent = agent.clone();
    set_timeout(
        move || {
            let is_idle = with_frame(&agent, frame, |one| one.lease.is_none() && Some(one.runs) == runs);
            if is_idle == Some(true) {
                remove(&agent);
            }
        },
        IDLE,
    );
}

/// Ends the run for its driver, which cannot.
fn fail(agent: &AgentId, why: &str) {
    let lease = LOOPS.with_borrow_mut(|loops| loops.get_mut(agent).and_then(|one| one.lease.take()));
    remove(agent);
    if let Some(lease) = lease {
        interrupt(lease, why);
    }
}

fn interrupt(lease: Lease, why: &str) {
    let outcome = Outcome::Interrupted { why: why.to_owned() };
    let ask = RunAsk::Effect { effect: Effect::Finish { ordinal: 0, outcome } };
    live::send(ClientFrame::Run { run: lease.run, token: lease.token, ask });
}

fn remove(agent: &AgentId) {
    if let Some(one) = LOOPS.with_borrow_mut(|loops| loops.remove(agent)) {
        fetch::abort(one.frame);
        frames::close(one.frame);
    }
}

fn with_frame<T>(agent: &AgentId, frame: FrameId, look: impl FnOnce(&mut Loop) -> T) -> Option<T> {
    LOOPS.with_borrow_mut(|loops| loops.get_mut(agent).filter(|one| one.frame == frame).map(look))
}

fn now() -> i64 {
    js_sys::Date::now() as i64
}
