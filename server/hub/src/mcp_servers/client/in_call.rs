//! A call that is open, and what its server says by itself meanwhile: its questions are put to the person, how far it
//! is is told, and what it does is kept.

use super::McpFailure;
use super::answer::QUESTIONS;
use super::asked_back::Questions;
use super::back::Back;
use super::message::{Message, Part};
use super::progress::{Hides, Progress};
use crate::Hub;
use crate::mcp_servers::PARTING;
use crate::mcp_servers::asking::Asking;
use protocol::McpServerId;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::timeout;

pub(super) struct InCall<'a> {
    pub(super) hub: &'a Hub,
    pub(super) server: &'a McpServerId,
    /// `None`: nobody can be asked.
    pub(super) asking: Option<&'a Asking<'a>>,
    pub(super) back: Back,
    pub(super) secrets: &'a dyn Hides,
}

impl InCall<'_> {
    /// What comes of the request. Fails where it is given up before anything comes of it.
    pub(super) async fn until<T>(
        self,
        hears: &mut mpsc::Receiver<Part>,
        came: impl Future<Output = Result<T, McpFailure>>,
    ) -> Result<Result<T, McpFailure>, McpFailure> {
        let Self { hub, server, asking, back, secrets } = self;
        let mut questions = Questions::new(asking);
        let mut progress = Progress::new(asking);
        let mut asked = 0;
        tokio::pin!(came);
        let came = loop {
            tokio::select! {
                biased;
                came = &mut came => break Ok(came),
                Some(part) = hears.recv() => match part {
                    Part::Asked { id, what } => {
                        asked += 1;
                        // Who asks on is not heard: the call may be one that has nothing to do with it.
                        if asked <= QUESTIONS && let Some(reply) = questions.take(id, what) {
                            back.say(&reply).await;
                        }
                    }
                    Part::Withdrawn { id } => questions.withdraw(&id).await,
                    Part::Progress(params) => progress.take(secrets, &params),
                    Part::Log(params) => {
                        hub.0.mcp_servers.log.take(server, hub.now(), &params, secrets);
                    }
                    Part::Heard(_) | Part::ListChanged | Part::Other => {}
                },
                reply = questions.reply_or_refusal() => match reply {
                    Ok(reply) => back.say(&reply).await,
                    Err(failure) => break Err(failure),
                },
                () = progress.tell() => {}
            }
        };
        let mut unanswered = questions.unanswered();
        questions.end().await;
        while let Ok(part) = hears.try_recv() {
            if let Part::Asked { id, .. } = part {
                unanswered.push(id);
            }
        }
        if !unanswered.is_empty() {
            hub.tasks().spawn(async move {
                let said = async {
                    for id in unanswered {
                        back.say(&Message::reply(&id, json!({ "action": "cancel" }))).await;
                    }
                };
                let _ = timeout(PARTING, said).await;
            });
        }
        came
    }
}
