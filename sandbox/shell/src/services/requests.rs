//! The requests of the page that is shown: each is weighed, put before the person if need be,
//! performed, and answered. A page that goes takes its requests with it, and with them whatever
//! they had in use.

use super::decisions::{Decisions, PermissionState};
use super::limits::{Kind, Limits};
use super::panel::{Panel, Views};
use super::perform::{self, Running};
use super::question::{Hearing, Question, Waiting};
use super::{matters, notice};
use crate::application::application;
use crate::frames::{self, FrameId};
use js_sys::Date;
use language::{say, t};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::frame::{Reply, ToSkin, Want};
use protocol::log::{Entry, EntryBody};
use protocol::view::PermissionView;
use protocol::view::shell::{ActiveUse, Card, PromptAnswer, PromptSubject, UseKind};
use protocol::{AgentId, Permission};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// How long a question waits for the person.
const PROMPT_TIMEOUT: Duration = Duration::from_secs(120);

struct Services {
    agent: AgentId,
    /// What the person calls the agent.
    name: String,
    panel: Panel,
    views: Views,
    frame: Option<FrameId>,
    decisions: Decisions,
    limits: Limits,
    requests: BTreeMap<u64, Request>,
    questions: VecDeque<Question>,
}

struct Request {
    serial: u64,
    kind: Kind,
    permission: Option<Permission>,
    state: State,
}

enum State {
    /// The person is being asked.
    Asking(Want),
    /// The browser is being asked.
    Starting,
    Running(Running),
}

/// Names one request for whoever performs it, also after its page has gone and another one uses the
/// same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub frame: FrameId,
    pub id: u64,
    serial: u64,
}

thread_local! {
    static SERVICES: RefCell<Option<Services>> = const { RefCell::new(None) };
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// The page of this agent is about to be shown.
pub fn begin(agent: AgentId, name: String, permissions: Vec<PermissionView>, panel: Panel, views: Views) {
    SERVICES.set(Some(Services {
        agent,
        name,
        panel,
        views,
        frame: None,
        decisions: Decisions::new(permissions),
        limits: Limits::default(),
        requests: BTreeMap::new(),
        questions: VecDeque::new(),
    }));
}

/// The frame has a new document, or there is none any more.
pub fn renew(frame: Option<FrameId>) {
    let gone = with(|services| {
        services.frame = frame;
        services.decisions.forget_once();
        (std::mem::take(&mut services.questions), std::mem::take(&mut services.requests))
    });
    // What was in use ends outside of the borrow: browsers tell some of it at once.
    drop(gone);
    tell_panel();
}

/// The page of this agent is not shown any more.
pub fn end(agent: &AgentId) {
    if with(|services| services.agent == *agent) == Some(true) {
        renew(None);
        SERVICES.set(None);
    }
}

/// Follows what the person decides elsewhere.
pub fn hear_entry(entry: &Entry) {
    let EntryBody::Permission { permission, host, allowed } = &entry.body else { return };
    let ids = with(|services| {
        if services.agent != entry.agent {
            return Vec::new();
        }
        services.decisions.set(*permission, host.clone(), *allowed);
        if *allowed == Some(true) { Vec::new() } else { services.running_by(*permission) }
    });
    for id in ids.unwrap_or_default() {
        fail_id(id, "NotAllowedError", "The person does not allow it any more.");
    }
}

/// A request of the frame's document. Whether it makes sense at all.
pub fn request(frame: FrameId, id: u64, want: Want) -> bool {
    let kind = Kind::of(&want);
    let serial = LAST.replace(LAST.get() + 1) + 1;
    let key = Key { frame, id, serial };
    let taken = with(|services| {
        if services.frame != Some(frame) || services.requests.contains_key(&id) {
            return None;
        }
        let under_way = services.requests.values().filter(|request| request.kind == kind).count();
        let taken = services.limits.take(kind, under_way, Date::now());
        let request = Request { serial, kind, permission: None, state: State::Starting };
        services.requests.insert(id, request);
        Some(taken)
    });
    match taken.flatten() {
        None => return false,
        Some(Err(why)) => fail(key, "NotAllowedError", why),
        Some(Ok(())) => weigh(key, want),
    }
    true
}

/// The page wants no more of this request.
pub fn withdraw(frame: FrameId, id: u64) {
    let gone = with(|services| {
        if services.frame != Some(frame) {
            return None;
        }
        services.questions.retain_mut(|question| {
            question.requests().is_none_or(|requests| {
                requests.retain(|waiting| *waiting != id);
                !requests.is_empty()
            })
        });
        services.requests.remove(&id)
    });
    drop(gone);
    tell_panel();
}

/// The page has taken in what was sent last.
pub fn taken(frame: FrameId, id: u64) {
    with(|services| {
        let request = services.requests.get(&id).filter(|_| services.frame == Some(frame))?;
        match &request.state {
            State::Running(running) => running.taken(),
            State::Asking(_) | State::Starting => {}
        }
        Some(())
    });
}

/// Whose question the person answered.
enum Chosen {
    OfShell(Hearing),
    OfPage(AgentId, Permission, Option<String>, Option<bool>, Vec<(Key, Want)>),
}

/// Asks something for the shell itself. `hear` hears yes while the press still counts as one, and no if this agent's
/// page is not shown, or nobody answers.
pub(crate) fn ask_person(agent: &AgentId, matter: PromptSubject, hear: impl FnOnce(bool) + 'static) {
    let hear = Hearing::new(hear);
    let card = with(|services| {
        if services.agent != *agent {
            return Err(hear);
        }
        let id = LAST.replace(LAST.get() + 1) + 1;
        services.questions.push_back(Question::of_shell(Card { id, matter }, hear));
        Ok(id)
    });
    // What nobody asks is heard as no outside of the borrow.
    if let Some(Ok(card)) = card {
        tell_panel();
        set_timeout(move || give_up(card), PROMPT_TIMEOUT);
    }
}

/// What the person answered to a question.
pub fn choose(card: u64, choice: PromptAnswer) {
    let chosen = with(|services| {
        let place = services.questions.iter().position(|question| question.card.id == card)?;
        let Question { card, waiting } = services.questions.remove(place)?;
        let requests = match waiting {
            Waiting::Shell(hear) => return Some(Chosen::OfShell(hear)),
            Waiting::Page(requests) => requests,
        };
        let (permission, host) = matters::about(&card.matter)?;
        let kept = services.decisions.choose(permission, host.as_deref(), choice);
        let waiting: Vec<(Key, Want)> = requests
            .iter()
            .filter_map(|id| {
                let frame = services.frame?;
                let request = services.requests.get_mut(id)?;
                let key = Key { frame, id: *id, serial: request.serial };
                match std::mem::replace(&mut request.state, State::Starting) {
                    State::Asking(want) => Some((key, want)),
                    State::Starting | State::Running(_) => None,
                }
            })
            .collect();
        Some(Chosen::OfPage(services.agent.clone(), permission, host, kept, waiting))
    });
    let (agent, permission, host, kept, waiting) = match chosen.flatten() {
        None => return,
        Some(Chosen::OfShell(hear)) => {
            hear.tell(matches!(choice, PromptAnswer::Once | PromptAnswer::Always));
            return tell_panel();
        }
        Some(Chosen::OfPage(agent, permission, host, kept, waiting)) => {
            (agent, permission, host, kept, waiting)
        }
    };
    // First of all, while the press of the button still counts as one.
    for (key, want) in waiting {
        match choice {
            PromptAnswer::Once | PromptAnswer::Always => perform::start(key, want),
            PromptAnswer::Deny | PromptAnswer::Never => deny(key, &want),
        }
    }
    tell_panel();
    if let Some(allowed) = kept {
        spawn_local(keep(agent, permission, host, allowed));
    }
}

/// The person ends what is in use, and it does not begin again while they are here.
pub fn stop(id: u64) {
    with(|services| {
        if let Some(Request { permission: Some(permission), .. }) = services.requests.get(&id) {
            services.decisions.deny(*permission);
        }
    });
    fail_id(id, "AbortError", "The person stopped it.");
}

/// Takes what a request has in use, if there still is somebody who wants it.
pub(super) fn run(key: Key, running: Running) -> bool {
    let unwanted = with_key(key, |request| {
        request.state = State::Running(running);
    })
    .is_none();
    tell_panel();
    !unwanted
}

pub(super) fn is_wanted(key: Key) -> bool {
    with_key(key, |_| ()).is_some()
}

pub(super) fn event(key: Key, value: Value) {
    if is_wanted(key) {
        post(key, Reply::Event { value });
    }
}

pub(super) fn done(key: Key, value: Value) {
    finish(key, Reply::Done { value });
}

pub(super) fn fail(key: Key, name: &str, message: &str) {
    finish(key, Reply::Failed { name: name.to_owned(), message: message.to_owned() });
}

pub(super) fn panel() -> Option<Panel> {
    with(|services| services.panel)
}

pub(super) fn name() -> Option<String> {
    with(|services| services.name.clone())
}

pub(super) fn views() -> Option<Views> {
    with(|services| services.views.clone())
}

/// Whether the person has allowed it already.
pub(super) fn allows(permission: Permission) -> bool {
    with(|services| services.decisions.verdict(permission, None)) == Some(PermissionState::Allowed)
}

/// Puts a request before the person, unless they have decided already or need not be asked.
fn weigh(key: Key, want: Want) {
    let matter = match matters::of(&want) {
        Ok(Some(matter)) => matter,
        Ok(None) => return perform::start(key, want),
        Err(why) => return fail(key, "NotSupportedError", why),
    };
    if let PromptSubject::View(view) = matter
        && views().is_some_and(|views| (views.shows)(view))
    {
        return done(key, json!("unchanged"));
    }
    let Some((permission, host)) = matters::about(&matter) else { return };
    let verdict = with(|services| {
        if let Some(request) = services.requests.get_mut(&key.id) {
            request.permission = Some(permission);
        }
        services.decisions.verdict(permission, host.as_deref())
    });
    match verdict {
        Some(PermissionState::Allowed) => match matter {
            PromptSubject::Link { ref url, .. } => {
                let url = url.clone();
                spawn_local(async move { follow(key, want, matter, url).await });
            }
            PromptSubject::Permission(_) | PromptSubject::View(_) | PromptSubject::Folder { .. } => {
                perform::start(key, want);
            }
        },
        Some(PermissionState::Denied) => deny(key, &want),
        Some(PermissionState::Ask) => ask(key, want, matter),
        None => {}
    }
}

/// Opens a link to a host that the person allowed, unless the rest of the address may say too much.
async fn follow(key: Key, want: Want, matter: PromptSubject, url: String) {
    let Some(agent) = with(|services| services.agent.clone()) else { return };
    let is_covered = (application().covers_link)(agent, url).await.is_ok_and(|covered| covered);
    if !is_wanted(key) {
        return;
    }
    if is_covered { perform::start(key, want) } else { ask(key, want, matter) }
}

fn ask(key: Key, want: Want, matter: PromptSubject) {
    let card = with(|services| {
        services.requests.get_mut(&key.id)?.state = State::Asking(want);
        if let Some(question) = services.questions.iter_mut().find(|question| question.card.matter == matter)
        {
            question.requests()?.push(key.id);
            return None;
        }
        let id = LAST.replace(LAST.get() + 1) + 1;
        services.questions.push_back(Question::of_page(Card { id, matter }, key.id));
        Some(id)
    });
    tell_panel();
    if let Some(Some(card)) = card {
        set_timeout(move || give_up(card), PROMPT_TIMEOUT);
    }
}

/// Nobody has answered.
fn give_up(card: u64) {
    let question = with(|services| {
        let place = services.questions.iter().position(|question| question.card.id == card)?;
        services.questions.remove(place)
    });
    let requests = question.flatten().and_then(|mut question| question.requests().map(std::mem::take));
    for id in requests.unwrap_or_default() {
        fail_id(id, "TimeoutError", "The person has not answered.");
    }
    tell_panel();
}

fn deny(key: Key, want: &Want) {
    match want {
        Want::ViewState { .. } => done(key, json!("declined")),
        Want::Permission { .. } => done(key, json!("denied")),
        Want::NotifyUser { .. }
        | Want::Position { .. }
        | Want::WatchPosition { .. }
        | Want::Speak { .. }
        | Want::Voices
        | Want::Listen { .. }
        | Want::Camera { .. }
        | Want::Microphone
        | Want::Screen { .. }
        | Want::OpenLink { .. } => fail(key, "NotAllowedError", "The person does not allow it."),
    }
}

async fn keep(agent: AgentId, permission: Permission, host: Option<String>, allowed: bool) {
    let kept = (application().set_permission)(agent, permission, host.unwrap_or_default(), allowed).await;
    if let Err(failure) = kept {
        let text = say!("Your answer holds for now, but could not be kept: {failure}");
        notice::show(Some(t("Not kept").to_owned()), text);
    }
}

fn fail_id(id: u64, name: &str, message: &str) {
    let key = with(|services| {
        let request = services.requests.get(&id)?;
        Some(Key { frame: services.frame?, id, serial: request.serial })
    });
    if let Some(Some(key)) = key {
        fail(key, name, message);
    }
}

fn finish(key: Key, reply: Reply) {
    let request = with(|services| {
        let is_same = services.frame == Some(key.frame)
            && services.requests.get(&key.id).is_some_and(|request| request.serial == key.serial);
        is_same.then(|| services.requests.remove(&key.id)).flatten()
    });
    if let Some(Some(request)) = request {
        post(key, reply);
        drop(request);
        tell_panel();
    }
}

fn post(key: Key, reply: Reply) {
    frames::post(key.frame, &ToSkin::Reply { id: key.id, reply });
}

/// Shows what is so now. The page that shows it may be gone already.
fn tell_panel() {
    let Some((panel, card, uses)) = with(|services| {
        let card = services.questions.front().map(|question| question.card.clone());
        (services.panel, card, services.uses())
    }) else {
        return;
    };
    if panel.card.try_get_untracked().is_some_and(|shown| shown != card) {
        panel.card.try_set(card);
    }
    if panel.uses.try_get_untracked().is_some_and(|shown| shown != uses) {
        panel.uses.try_set(uses);
    }
}

fn with<T>(look: impl FnOnce(&mut Services) -> T) -> Option<T> {
    SERVICES.with_borrow_mut(|services| services.as_mut().map(look))
}

fn with_key<T>(key: Key, look: impl FnOnce(&mut Request) -> T) -> Option<T> {
    with(|services| {
        let request = services.requests.get_mut(&key.id).filter(|request| request.serial == key.serial)?;
        Some(look(request))
    })
    .flatten()
}

impl Services {
    fn running_by(&self, permission: Permission) -> Vec<u64> {
        let is_by = |request: &Request| {
            request.permission == Some(permission) && !matches!(request.state, State::Asking(_))
        };
        self.requests.iter().filter(|(_, request)| is_by(request)).map(|(id, _)| *id).collect()
    }

    fn uses(&self) -> Vec<ActiveUse> {
        let use_of = |(id, request): (&u64, &Request)| match (&request.state, request.permission) {
            (State::Running(_), Some(permission)) => {
                Some(ActiveUse { id: *id, what: UseKind::Permission(permission) })
            }
            (State::Running(_), None) => Some(ActiveUse { id: *id, what: UseKind::Voice }),
            (State::Asking(_) | State::Starting, _) => None,
        };
        self.requests.iter().filter_map(use_of).collect()
    }
}
