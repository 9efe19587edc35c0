//! Telling a server that nobody waits for an answer any more. One of today sees it by the connection that is closed,
//! unless it answers by a task.

use super::back::Back;
use super::message::Message;
use super::web::{METHOD, NAME};
use super::{Client, Era, ProgramClient, Way, WebClient, message};
use crate::Hub;
use reqwest::header::HeaderValue;
use serde_json::json;

const CANCEL: &str = "tasks/cancel";

/// Says so when it is dropped, unless the request is over.
pub(super) struct Cancelling(Option<Word>);

struct Word {
    hub: Hub,
    back: Back,
    message: Message,
}

impl WebClient<'_> {
    /// Of the request with this number.
    pub(super) fn cancelling(&self, era: &Era, id: u64) -> Cancelling {
        match era {
            Era::Modern => Cancelling(None),
            Era::Legacy { .. } => Cancelling::of(self.hub, self.back(Some(era)), id),
        }
    }
}

impl Client<'_> {
    /// Of the task with this name.
    pub(super) fn cancelling_task(&self, task: &str) -> Cancelling {
        match &self.way {
            Way::Web(web) => web.cancelling_task(task),
            Way::Program(program) => program.cancelling_task(task),
        }
    }
}

impl WebClient<'_> {
    fn cancelling_task(&self, task: &str) -> Cancelling {
        let Some((era, _)) = self.sessions().find(&self.server) else { return Cancelling(None) };
        let mut headers = self.headers(Some(&era));
        if let Era::Modern = era {
            headers.insert(METHOD, HeaderValue::from_static(CANCEL));
            headers.insert(NAME, message::header(task));
        }
        let (hub, target) = (self.hub.clone(), self.target.clone());
        Cancelling::of_task(self.hub, Back::Web { hub, target, headers }, &era, task)
    }
}

impl ProgramClient<'_> {
    fn cancelling_task(&self, task: &str) -> Cancelling {
        let process = self.hub.0.mcp_servers.processes.find(&self.server);
        let Some(process) = process else { return Cancelling(None) };
        match process.met() {
            Ok((era, _)) => Cancelling::of_task(self.hub, Back::Program(process.clone()), era, task),
            // It ran out, and its tasks with it.
            Err(_) => Cancelling(None),
        }
    }
}

impl Cancelling {
    pub(super) fn of(hub: &Hub, back: Back, id: u64) -> Self {
        Self(Some(Word { hub: hub.clone(), back, message: Message::cancelled(id) }))
    }

    fn of_task(hub: &Hub, back: Back, era: &Era, task: &str) -> Self {
        let number = hub.0.mcp_servers.sessions.next_id();
        let (message, _) = Message::request(CANCEL, era.params(&json!({ "taskId": task }), true), number);
        Self(Some(Word { hub: hub.clone(), back, message }))
    }

    /// An answer came, or none will.
    pub(super) fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for Cancelling {
    fn drop(&mut self) {
        let Some(Word { hub, back, message }) = self.0.take() else { return };
        // It goes on for nobody if it does not hear.
        hub.tasks().spawn(async move { back.say(&message).await });
    }
}
