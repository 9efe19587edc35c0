//! One program that runs for a server of a person's: what it is told and what it says, each a message on a line of its
//! own.

use super::McpFailure;
use super::answer::{BODY, MEGABYTE, parsed};
use super::by_itself::{self, OpenCalls};
use super::era::{Era, Features};
use super::lines::{Line, Lines};
use super::log::Pieces;
use super::meeting::{self, Opening};
use super::message::{Heard, Message, Part, short};
use super::processes::Slot;
use crate::Hub;
use crate::clock::Moment;
use crate::mcp_servers::programs::Program;
use crate::terminal::{Ended, Spoken, plain};
use protocol::{McpServerId, UserId};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

/// So long it is kept without a call.
const IDLE_MS: i64 = 5 * 60 * 1000;
/// Messages that wait to be read by it.
const QUEUE: usize = 16;
/// How long one may wait before it has read it.
const TO_TAKE: Duration = Duration::from_secs(10);
/// What closed its output has so long to end.
const TO_END: Duration = Duration::from_secs(2);
/// Bytes of what it says besides that are kept: the last ones.
const ASIDE: usize = 4096;
/// Requests in a row that it did not answer for so long, after which it is ended.
const IN_VAIN: u32 = 2;
const LONG_MS: i64 = 10_000;

#[derive(Debug)]
pub(super) struct Process {
    hub: Hub,
    server: McpServerId,
    pub(super) owner: UserId,
    /// As it was started.
    pub(super) program: Arc<Program>,
    pub(super) began: Moment,
    slot: Arc<Slot>,
    to_write: mpsc::Sender<Vec<u8>>,
    calls: Mutex<Calls>,
    met: OnceLock<(Era, Features)>,
    aside: Mutex<VecDeque<u8>>,
    aside_lines: Mutex<Pieces>,
    end: CancellationToken,
    is_mute: CancellationToken,
    over: watch::Sender<Option<Over>>,
}

#[derive(Debug, Default)]
struct Calls {
    waiting: HashMap<u64, oneshot::Sender<Heard>>,
    /// In the order in which they began: those that can be asked back.
    open: Vec<(u64, mpsc::Sender<Part>)>,
    /// When a call began or ended last.
    used: Moment,
    in_vain: u32,
    /// Nothing is answered any more.
    is_closed: bool,
}

/// Why it runs no more.
#[derive(Clone, Copy, Debug)]
pub(super) enum Over {
    /// By itself, or because it took too much.
    Ended(Ended),
    /// It was not wanted any more.
    Unwanted,
    /// It said more than an answer may have.
    TooMuch,
    /// It does not read what it is told.
    Deaf,
    /// It reads, and answers nothing.
    Mute,
    /// It never ran.
    NotRun,
}

impl Over {
    /// Whether it may do the same again.
    pub(super) fn is_failure(self) -> bool {
        !matches!(self, Self::Unwanted)
    }
}

/// A request that it was told. Over when this is dropped.
pub(super) struct OpenCall {
    process: Arc<Process>,
    number: u64,
    began: Moment,
    answer: Option<oneshot::Receiver<Heard>>,
}

impl Process {
    /// Has it attended to until it ends.
    pub(super) fn start(
        hub: &Hub,
        owner: UserId,
        server: McpServerId,
        program: Arc<Program>,
        slot: Arc<Slot>,
        spoken: Spoken,
    ) -> Arc<Self> {
        let (to_write, written) = mpsc::channel(QUEUE);
        let began = hub.moment();
        let process = Arc::new(Self {
            hub: hub.clone(),
            server,
            owner,
            program,
            began,
            slot,
            to_write,
            calls: Mutex::new(Calls { used: began, ..Calls::default() }),
            met: OnceLock::new(),
            aside: Mutex::default(),
            aside_lines: Mutex::default(),
            end: CancellationToken::new(),
            is_mute: CancellationToken::new(),
            over: watch::Sender::new(None),
        });
        hub.tasks().spawn(attend(Arc::clone(&process), spoken, written));
        process
    }

    /// Finds out which version it speaks. No other request comes before that.
    pub(super) async fn meet(self: &Arc<Self>, opening: Opening) -> Result<(), McpFailure> {
        let met = match opening {
            Opening::Question => meeting::asked(self).await?,
            Opening::Greeting => meeting::greeted(self).await?,
        };
        // It is met once.
        let _ = self.met.set(met);
        Ok(())
    }

    /// What it answers to this, which nobody is asked back about.
    pub(super) async fn answer_to(
        self: &Arc<Self>,
        method: &str,
        params: Value,
    ) -> Result<Heard, McpFailure> {
        let (message, number) = Message::request(method, params, self.hub.0.mcp_servers.sessions.next_id());
        let (mut call, _) = self.begin(number, false);
        self.write(&message).await?;
        call.answer().await
    }

    /// What it said when it was met.
    pub(super) fn met(&self) -> Result<&(Era, Features), McpFailure> {
        self.met.get().ok_or(McpFailure::Forgotten)
    }

    /// A request with this number, before it is told; and what it says meanwhile, where somebody can be asked back.
    pub(super) fn begin(
        self: &Arc<Self>,
        number: u64,
        is_asked_back: bool,
    ) -> (OpenCall, mpsc::Receiver<Part>) {
        let ((tell, answer), (hear, hears)) = (oneshot::channel(), mpsc::channel(QUEUE));
        let began = self.hub.moment();
        let mut calls = self.calls();
        calls.used = began;
        if !calls.is_closed {
            calls.waiting.insert(number, tell);
            if is_asked_back {
                calls.open.push((number, hear));
            }
        }
        drop(calls);
        (OpenCall { process: Arc::clone(self), number, began, answer: Some(answer) }, hears)
    }

    /// Has it read the message, sooner or later.
    pub(super) async fn write(&self, message: &Message) -> Result<(), McpFailure> {
        match timeout(TO_TAKE, self.to_write.send(as_line(message))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(self.why_over().await),
            Err(_) => Err(McpFailure::Deaf),
        }
    }

    pub(super) fn end(&self) {
        self.end.cancel();
    }

    /// Ends it when this is dropped.
    pub(super) fn ends_with(&self) -> DropGuard {
        self.end.clone().drop_guard()
    }

    /// Whether it answers nothing more, or was not used for so long.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_cancelled() || self.is_mute.is_cancelled() || self.unused_until() <= self.hub.moment()
    }

    /// Returns when nothing of it runs any more.
    pub(super) async fn gone(&self) -> Over {
        let mut over = self.over.subscribe();
        match over.wait_for(Option::is_some).await {
            Ok(over) => over.unwrap_or(Over::Unwanted),
            Err(_) => Over::Unwanted,
        }
    }

    /// Since when no call used it. None: one does.
    pub(super) fn idle_since(&self) -> Option<Moment> {
        let calls = self.calls();
        calls.waiting.is_empty().then_some(calls.used)
    }

    pub(super) fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Its own words, without what it was given.
    pub(super) fn clean(&self, text: &str) -> String {
        self.program.without_secrets(text)
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Once it is gone: what it said then is known.
    async fn why_over(&self) -> McpFailure {
        let over = self.gone().await;
        let aside: Vec<u8> =
            self.aside.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let said = self.clean(plain(&aside).trim());
        let last = said.char_indices().rev().nth(400).map_or(0, |(at, _)| at);
        let said = match said[last..].trim() {
            "" => "nothing".to_owned(),
            said => short(said),
        };
        match over {
            Over::Ended(Ended::Exited(code)) => McpFailure::Exited(code, said),
            Over::Ended(Ended::Killed(signal)) => McpFailure::Killed(signal, said),
            Over::Ended(Ended::Exceeded(what)) => McpFailure::Exceeded(what, said),
            Over::Ended(Ended::TimedOut | Ended::Stopped) => McpFailure::Cut,
            Over::Unwanted => McpFailure::Unwanted,
            Over::TooMuch => McpFailure::TooMuch(BODY / MEGABYTE),
            Over::Deaf => McpFailure::Deaf,
            Over::Mute => McpFailure::Mute,
            Over::NotRun => McpFailure::NotRun(said),
        }
    }

    fn take_aside(&self, part: &[u8]) {
        let mut aside = self.aside.lock().unwrap_or_else(PoisonError::into_inner);
        aside.extend(part);
        let surplus = aside.len().saturating_sub(ASIDE);
        aside.drain(..surplus);
        drop(aside);
        let lines = self.aside_lines.lock().unwrap_or_else(PoisonError::into_inner).take(part);
        for line in lines {
            self.hub.0.mcp_servers.log.put(&self.server, self.hub.now(), &self.clean(&plain(&line)));
        }
    }

    /// Takes what it says, until it ends or has said too much.
    async fn hear(&self, output: ChildStdout) -> Over {
        let (mut lines, mut unheard) = (Lines::of(output), 0);
        loop {
            let line = match lines.next().await {
                Ok(Line::Whole(line)) => line,
                Ok(Line::TooLong) => return Over::TooMuch,
                Ok(Line::End) | Err(_) => {
                    // How it ends is known then.
                    sleep(TO_END).await;
                    return Over::Ended(Ended::Stopped);
                }
            };
            unheard += line.len() + 1;
            // Some say more there than the protocol lets them.
            if let Ok(message) = parsed(line).await {
                let messages = match message {
                    Value::Array(messages) => messages,
                    message => vec![message],
                };
                for message in messages {
                    if self.answers(&message) {
                        unheard = 0;
                        continue;
                    }
                    let reply = by_itself::heard(&self.hub, &self.server, &message, &self.calls);
                    if let Some(reply) = reply
                        && timeout(TO_TAKE, self.to_write.send(as_line(&reply))).await.is_err()
                    {
                        return Over::Deaf;
                    }
                }
            }
            if unheard > BODY {
                return Over::TooMuch;
            }
        }
    }

    /// Whether it is an answer that somebody waits for, who has it then.
    fn answers(&self, message: &Value) -> bool {
        if message.get("method").is_some() {
            return false;
        }
        let mut calls = self.calls();
        let number = match message.get("id") {
            // What it could not read has no number.
            None | Some(Value::Null) if calls.waiting.len() == 1 => calls.waiting.keys().next().copied(),
            None | Some(Value::Null) => None,
            Some(id) => id.as_u64(),
        };
        let Some(number) = number.filter(|number| calls.waiting.contains_key(number)) else { return false };
        let Part::Heard(heard) = Part::of(message, number) else { return false };
        calls.in_vain = 0;
        let waiting = calls.waiting.remove(&number);
        drop(calls);
        waiting.is_some_and(|waiting| waiting.send(heard).is_ok())
    }

    /// Until when it is kept if no call begins.
    fn unused_until(&self) -> Moment {
        self.idle_since().unwrap_or_else(|| self.hub.moment()).plus_ms(IDLE_MS)
    }

    async fn is_unused(&self) {
        loop {
            let until = self.unused_until();
            if until <= self.hub.moment() {
                return;
            }
            self.hub.clock().until(until).await;
        }
    }
}

impl OpenCalls for Mutex<Calls> {
    fn call(&self, number: Option<u64>) -> Option<mpsc::Sender<Part>> {
        let calls = self.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match number {
            Some(number) => calls.open.iter().find(|(known, _)| *known == number),
            None => calls.open.last(),
        };
        found.map(|(_, hears)| hears.clone())
    }

    fn calls(&self) -> Vec<mpsc::Sender<Part>> {
        let calls = self.lock().unwrap_or_else(PoisonError::into_inner);
        calls.open.iter().map(|(_, hears)| hears.clone()).collect()
    }
}

impl OpenCall {
    /// What it answers, or why nothing comes any more.
    pub(super) async fn answer(&mut self) -> Result<Heard, McpFailure> {
        let Some(answer) = &mut self.answer else { return Err(McpFailure::Forgotten) };
        let heard = answer.await;
        self.answer = None;
        match heard {
            Ok(heard) => Ok(heard),
            Err(_) => Err(self.process.why_over().await),
        }
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        let process = &self.process;
        let mut calls = process.calls();
        calls.open.retain(|(number, _)| *number != self.number);
        let now = process.hub.moment();
        calls.used = now;
        if calls.waiting.remove(&self.number).is_some() && now.ms_since(self.began) >= LONG_MS {
            calls.in_vain += 1;
        }
        if calls.in_vain >= IN_VAIN {
            process.is_mute.cancel();
        }
    }
}

async fn attend(process: Arc<Process>, spoken: Spoken, written: mpsc::Receiver<Vec<u8>>) {
    let Spoken { input, output, room } = spoken;
    let why = OnceLock::new();
    let over = async {
        let over = tokio::select! {
            over = process.hear(output) => over,
            over = write_all(input, written) => over,
            () = process.is_mute.cancelled() => Over::Mute,
            () = process.end.cancelled() => Over::Unwanted,
            () = process.hub.tasks().closing() => Over::Unwanted,
            () = process.is_unused() => Over::Unwanted,
        };
        let _ = why.set(over);
    };
    let ended = room.attend(over, |part| process.take_aside(part)).await;
    let over = match (ended, why.get()) {
        (_, Some(over)) => *over,
        (Ok(ended), None) => Over::Ended(ended),
        (Err(error), None) => {
            process.take_aside(error.to_string().as_bytes());
            Over::NotRun
        }
    };
    process.end.cancel();
    // Before anybody hears of it who asks again then.
    process.slot.note(&process, over);
    process.over.send_replace(Some(over));
    let mut calls = process.calls();
    calls.is_closed = true;
    calls.waiting.clear();
    calls.open.clear();
}

/// As it is written: its bytes have no end of a line.
fn as_line(message: &Message) -> Vec<u8> {
    let mut line = message.bytes();
    line.push(b'\n');
    line
}

/// Has it read one after the other.
async fn write_all(mut input: ChildStdin, mut written: mpsc::Receiver<Vec<u8>>) -> Over {
    while let Some(line) = written.recv().await {
        match timeout(TO_TAKE, input.write_all(&line)).await {
            // Where it reads no more it ends, or will be ended for what it does not answer.
            Ok(Ok(()) | Err(_)) => {}
            Err(_) => return Over::Deaf,
        }
    }
    std::future::pending().await
}
