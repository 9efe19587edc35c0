//! How a program is met: one of today's version is asked what it is, and any other is greeted.

use super::McpFailure;
use super::era::{self, Era, Features};
use super::message::{Heard, Message, said};
use super::own_stream::SUBSCRIBE;
use super::process::Process;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// What says nothing to the question for so long is greeted as well: it may be of those that answer nothing that they do
/// not know, or not run yet.
const PROBE: Duration = Duration::from_secs(2);

/// What it hears first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Question,
    /// Some of those that want to be greeted end at any other word.
    Greeting,
}

/// Asks it, and greets it where it is not of today's version. One that is is asked to say when its lists are others.
pub(super) async fn asked(process: &Arc<Process>) -> Result<(Era, Features), McpFailure> {
    let (era, features) = discovered_or_greeted(process).await?;
    let wanted = features.announces.filter();
    if era == Era::Modern && !wanted.is_empty() {
        let params = era.params(&json!({ "notifications": wanted }), false);
        let number = process.hub().0.mcp_servers.sessions.next_id();
        // It has no answer as long as it holds.
        process.write(&Message::request(SUBSCRIBE, params, number).0).await?;
    }
    Ok((era, features))
}

async fn discovered_or_greeted(process: &Arc<Process>) -> Result<(Era, Features), McpFailure> {
    let discovering = discovered(process);
    tokio::pin!(discovering);
    match timeout(PROBE, &mut discovering).await {
        Ok(Ok(Some(met))) => return Ok(met),
        Ok(Ok(None)) => return greeted(process).await,
        Ok(Err(failure)) => return Err(failure),
        Err(_) => {}
    }
    let greeting = greeted(process);
    tokio::pin!(greeting);
    tokio::select! {
        biased;
        discovered = &mut discovering => match discovered? {
            Some(met) => Ok(met),
            None => greeting.await,
        },
        greeted = &mut greeting => greeted,
    }
}

/// `None`: it is one of those that have to be greeted.
async fn discovered(process: &Arc<Process>) -> Result<Option<(Era, Features)>, McpFailure> {
    for _ in 0..2 {
        match process.answer_to("server/discover", Era::Modern.params(&json!({}), false)).await? {
            Heard::Result(result) => {
                return Ok(era::discovered(&result)?.map(|era| (era, Features::of(&result))));
            }
            // This one may be among them, and is said once more then.
            Heard::Error { code, versions: Some(versions), .. } if era::is_about_the_version(code) => {
                if era::common(&versions)?.is_none() {
                    return Ok(None);
                }
            }
            Heard::Error { .. } => return Ok(None),
        }
    }
    Err(McpFailure::NotMcp)
}

/// Greets it, and thanks it.
pub(super) async fn greeted(process: &Arc<Process>) -> Result<(Era, Features), McpFailure> {
    let met = match process.answer_to("initialize", era::greeting()).await? {
        Heard::Result(result) => (era::greeted(&result, None)?, Features::of(&result)),
        Heard::Error { message, .. } => return Err(said(&process.clean(&message))),
    };
    process.write(&Message::notification("notifications/initialized")).await?;
    Ok(met)
}
