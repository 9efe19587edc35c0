//! A server that is a program of this machine, which administrators allow.

use super::back::Back;
use super::cancelling::Cancelling;
use super::era::{self, Came, Era, Features};
use super::in_call::InCall;
use super::message::{self, Heard, Message};
use super::process::Process;
use super::processes::Wanted;
use super::progress::Hides;
use super::{Asked, McpFailure};
use crate::Hub;
use crate::mcp_servers::asking::Asking;
use crate::mcp_servers::programs::Program;
use protocol::{McpServerId, UserId};
use serde_json::Value;
use std::sync::Arc;

pub(in crate::mcp_servers) struct ProgramClient<'a> {
    pub(in crate::mcp_servers) hub: &'a Hub,
    pub(in crate::mcp_servers) owner: UserId,
    pub(in crate::mcp_servers) server: McpServerId,
    pub(in crate::mcp_servers) program: Arc<Program>,
    /// Puts what it asks to the person, within a call.
    pub(in crate::mcp_servers) asking: Option<&'a Asking<'a>>,
}

impl ProgramClient<'_> {
    /// What it answers, once it was told what it asked.
    pub(super) async fn ask(&self, asked: &Asked<'_>) -> Result<Value, McpFailure> {
        let process = self.process().await?;
        self.asked_until_answered(&process, asked).await
    }

    pub(super) async fn request(
        &self,
        process: &Arc<Process>,
        era: &Era,
        asked: &Asked<'_>,
    ) -> Result<Came, McpFailure> {
        let number = self.hub.0.mcp_servers.sessions.next_id();
        let mut params = era.params(&asked.params, self.asking.is_some());
        if self.asking.is_some() {
            params["_meta"]["progressToken"] = number.into();
        }
        let (message, number) = Message::request(asked.method, params, number);
        let back = Back::Program(Arc::clone(process));
        let (mut call, mut hears) = process.begin(number, self.asking.is_some());
        let cancelling = Cancelling::of(self.hub, back.clone(), number);
        let answered = async {
            process.write(&message).await?;
            call.answer().await
        };
        let (hub, server, asking) = (self.hub, &self.server, self.asking);
        let in_call = InCall { hub, server, asking, back, secrets: self };
        let answered = in_call.until(&mut hears, answered).await?;
        cancelling.end();
        match answered? {
            Heard::Result(result) => Came::of(result),
            Heard::Error { code, visits, .. } if era::wants_a_visit(code) => {
                Err(McpFailure::WantsVisit(visits))
            }
            Heard::Error { message, .. } => Err(message::said(&self.without_secrets(&message))),
        }
    }

    pub(super) fn features(&self) -> Features {
        let process = self.hub.0.mcp_servers.processes.find(&self.server);
        process.and_then(|process| process.met().ok().map(|(_, features)| *features)).unwrap_or_default()
    }

    pub(super) async fn met(&self) -> Result<Features, McpFailure> {
        Ok(self.process().await?.met()?.1)
    }

    pub(super) fn end(&self) {
        self.hub.0.mcp_servers.processes.end(&self.server);
    }

    async fn process(&self) -> Result<Arc<Process>, McpFailure> {
        let (owner, server) = (self.owner.clone(), self.server.clone());
        let wanted = Wanted { owner, server, program: Arc::clone(&self.program) };
        self.hub.0.mcp_servers.processes.enter(self.hub, wanted).await
    }
}

impl Hides for ProgramClient<'_> {
    fn without_secrets(&self, text: &str) -> String {
        self.program.without_secrets(text)
    }
}
