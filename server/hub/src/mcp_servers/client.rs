//! What is said to a server and what it answers, in JSON-RPC, however it is reached. What an answer means is not known
//! here.

mod answer;
mod asked_back;
mod back;
mod by_itself;
mod cancelling;
mod era;
mod events;
mod in_call;
mod lines;
mod listening;
mod log;
mod meeting;
mod message;
mod own_stream;
mod process;
mod processes;
mod program;
mod progress;
mod tasks;
mod web;

pub(super) use era::{Features, Sessions};
pub(super) use log::LogLines;
pub(super) use processes::Processes;
pub(super) use program::ProgramClient;
pub(super) use web::WebClient;

use super::asking::Asking;
use super::failure::McpFailure;
use era::Era;
use progress::Hides;
use protocol::McpServerId;
use reqwest::header::HeaderName;
use serde_json::Value;
use tasks::Task;

/// One server, as its person set it up.
pub(super) struct Client<'a> {
    pub(super) server: McpServerId,
    /// With it the names of its tools begin.
    pub(super) name: String,
    pub(super) way: Way<'a>,
}

/// How it is reached.
pub(super) enum Way<'a> {
    Web(Box<WebClient<'a>>),
    Program(Box<ProgramClient<'a>>),
}

/// One request to it.
pub(super) struct Asked<'a> {
    pub(super) method: &'static str,
    /// The tool, prompt or resource that it is about.
    pub(super) about: Option<&'a str>,
    pub(super) params: Value,
    /// Arguments that stand in headers too.
    pub(super) mirrored: Vec<(HeaderName, String)>,
}

impl<'a> Client<'a> {
    /// What it asks within the call that is made is put to the person.
    pub(super) fn set_asking(&mut self, asking: &'a Asking<'a>) {
        match &mut self.way {
            Way::Web(web) => web.asking = Some(asking),
            Way::Program(program) => program.asking = Some(asking),
        }
    }

    /// What it answers, once it was told what it asked, its person opened what they had to, and it is done with what
    /// it answers later. A server that forgot who asks is told anew, once.
    pub(super) async fn ask(&self, asked: &Asked<'_>) -> Result<Value, McpFailure> {
        let answer = match self.answered(asked).await {
            Err(McpFailure::WantsVisit(visits)) => {
                asked_back::visited(self.asking(), visits).await?;
                self.answered_once_known(asked).await?
            }
            answered => answered?,
        };
        match Task::begun(asked, &answer)? {
            None => Ok(answer),
            Some(task) => self.done(&task).await,
        }
    }

    async fn answered(&self, asked: &Asked<'_>) -> Result<Value, McpFailure> {
        match &self.way {
            Way::Web(web) => web.ask(asked).await,
            Way::Program(program) => program.ask(asked).await,
        }
    }

    /// The same in the middle of a call, which is not made anew where its access ran out meanwhile.
    async fn answered_once_known(&self, asked: &Asked<'_>) -> Result<Value, McpFailure> {
        let (Way::Web(web), Some(asking)) = (&self.way, self.asking()) else {
            return self.answered(asked).await;
        };
        let servers = web.hub.mcp_servers();
        match self.answered(asked).await {
            Err(McpFailure::LoginNeeded) if servers.signed_in_again(asking.owner(), self).await? => {}
            other => return other,
        }
        match self.answered(asked).await {
            Err(McpFailure::LoginNeeded) => Err(servers.signed_out(asking.owner(), self).await?),
            other => other,
        }
    }

    fn asking(&self) -> Option<&'a Asking<'a>> {
        match &self.way {
            Way::Web(web) => web.asking,
            Way::Program(program) => program.asking,
        }
    }

    /// What it has, once it was asked for anything.
    pub(super) fn features(&self) -> Features {
        match &self.way {
            Way::Web(web) => web.features(),
            Way::Program(program) => program.features(),
        }
    }

    /// What it has. It is asked who it is where that is not known.
    pub(super) async fn met(&self) -> Result<Features, McpFailure> {
        match &self.way {
            Way::Web(web) => web.met().await,
            Way::Program(program) => program.met().await,
        }
    }

    /// Whether it has tools. One that had none is asked anew who it is: it may have some by now.
    pub(super) async fn has_tools(&self) -> Result<bool, McpFailure> {
        match &self.way {
            Way::Web(web) => web.has_tools().await,
            Way::Program(program) => Ok(program.met().await?.tools),
        }
    }

    /// Says good-bye, where there is somebody to say it to.
    pub(super) async fn end(&self) {
        match &self.way {
            Way::Web(web) => web.end().await,
            Way::Program(program) => program.end(),
        }
    }

    /// A text of its own, without what was sent along.
    pub(super) fn without_secrets(&self, text: &str) -> String {
        match &self.way {
            Way::Web(web) => web.without_secrets(text),
            Way::Program(program) => program.without_secrets(text),
        }
    }
}
