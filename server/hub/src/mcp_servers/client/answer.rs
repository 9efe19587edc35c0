//! Reading an answer: one message as JSON, or several as server-sent events, within bounds and off the threads that
//! serve others.

use super::asked_back::Questions;
use super::events::Events;
use super::message::{Heard, Part};
use super::progress::Progress;
use super::{Era, McpFailure, WebClient};
use crate::outbound::Answer;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;

/// Bytes of an answer.
pub(super) const BODY: usize = 4 * MEGABYTE;
pub(super) const MEGABYTE: usize = 1024 * 1024;
/// What is parsed in passing.
const SMALL: usize = 32 * 1024;
/// Questions of a server's within one answer, and outside of it within one call, whether anybody is still there among them: while a person thinks one
/// over, some ask that every few seconds.
pub(super) const QUESTIONS: u32 = 500;

/// What an answer means whose body says nothing more.
pub(super) fn check(answer: &Answer) -> Result<(), McpFailure> {
    match answer.status() {
        200..=299 => Ok(()),
        300..=399 => Err(McpFailure::Moved(answer.status())),
        401 => Err(McpFailure::LoginNeeded),
        403 => Err(McpFailure::Forbidden),
        429 => Err(McpFailure::TooOften),
        500..=599 => Err(McpFailure::Broken(answer.status())),
        _ => Err(McpFailure::NotMcp),
    }
}

impl WebClient<'_> {
    /// What it answers to the request with this number.
    pub(super) async fn heard(
        &self,
        era: Option<&Era>,
        answer: Answer,
        id: u64,
    ) -> Result<Heard, McpFailure> {
        let kind = answer.header(CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
        match kind.split(';').next().unwrap_or_default().trim() {
            "application/json" => self.whole(answer, id).await,
            "text/event-stream" => self.stream(era, answer, id).await,
            _ => Err(McpFailure::NotMcp),
        }
    }

    async fn whole(&self, mut answer: Answer, id: u64) -> Result<Heard, McpFailure> {
        let mut body = Vec::new();
        while let Some(bytes) = answer.next().await? {
            if body.len() + bytes.len() > BODY {
                return Err(McpFailure::TooMuch(BODY / MEGABYTE));
            }
            body.extend_from_slice(&bytes);
        }
        // The version of spring 2025 puts several into a list.
        let messages = match parsed(body).await? {
            Value::Array(messages) => messages,
            message => vec![message],
        };
        let mut parts = messages.iter().map(|message| Part::of(message, id));
        parts
            .find_map(|part| if let Part::Heard(heard) = part { Some(heard) } else { None })
            .ok_or(McpFailure::NotMcp)
    }

    async fn stream(&self, era: Option<&Era>, answer: Answer, id: u64) -> Result<Heard, McpFailure> {
        let mut questions = Questions::new(self.asking);
        let again = era.and_then(|era| self.door_of_answers(era));
        let heard = self.heard_in_stream(era, Events::of(answer, again), id, &mut questions).await;
        questions.end().await;
        heard
    }

    async fn heard_in_stream(
        &self,
        era: Option<&Era>,
        mut events: Events,
        id: u64,
        questions: &mut Questions<'_>,
    ) -> Result<Heard, McpFailure> {
        let mut progress = Progress::new(self.asking);
        let mut asked = 0;
        loop {
            let data = tokio::select! {
                // What is taken back in the same breath is not asked at all.
                biased;
                data = events.next() => data?,
                reply = questions.reply() => {
                    self.post(self.headers(era), &reply?).await?;
                    continue;
                }
                () = progress.tell() => continue,
            };
            match Part::of(&parsed(data.into_bytes()).await?, id) {
                Part::Heard(heard) => {
                    progress.end();
                    return Ok(heard);
                }
                Part::Asked { id, what } => {
                    asked += 1;
                    if asked > QUESTIONS {
                        return Err(McpFailure::AsksOn(QUESTIONS));
                    }
                    if let Some(reply) = questions.take(id, what) {
                        self.post(self.headers(era), &reply).await?;
                    }
                }
                Part::Withdrawn { id } => questions.withdraw(&id).await,
                Part::ListChanged => self.hub.0.mcp_servers.has_others(&self.server),
                Part::Progress(params) => progress.take(self, &params),
                Part::Log(params) => {
                    let log = &self.hub.0.mcp_servers.log;
                    log.take(&self.server, self.hub.now(), &params, self);
                }
                Part::Other => {}
            }
        }
    }
}

pub(super) async fn parsed(body: Vec<u8>) -> Result<Value, McpFailure> {
    if body.len() <= SMALL {
        return serde_json::from_slice(&body).map_err(|_| McpFailure::NotMcp);
    }
    let parsing = tokio::task::spawn_blocking(move || serde_json::from_slice(&body));
    parsing.await.ok().and_then(Result::ok).ok_or(McpFailure::NotMcp)
}
