//! What the hub asks of this device itself, for the agent whose page it shows.

use crate::mounts::{self, Problem};
use crate::services::position;
use crate::{clipboard, live, skin};
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::device::{DeviceAnswer, DeviceAsk, DeviceProblem};
use protocol::frame::PositionOptions;
use protocol::hub::ClientFrame;

/// How long the browser may look for where it is.
const LONGEST_MS: u32 = 30_000;

/// Characters of what was copied that go to the hub.
const LONGEST_TEXT: usize = 1_000_000;

pub(crate) fn perform(request: u64, agent: AgentId, ask: DeviceAsk) {
    spawn_local(async move {
        let answer = match answer(&agent, ask).await {
            Ok(answer) => answer,
            Err(Problem { why, message }) => DeviceAnswer::Failed { why, message },
        };
        live::send(ClientFrame::DeviceDone { request, answer });
    });
}

async fn answer(agent: &AgentId, ask: DeviceAsk) -> Result<DeviceAnswer, Problem> {
    if !skin::shows(agent) {
        let message = "The page was closed.".to_owned();
        return Err(Problem { why: DeviceProblem::Other, message });
    }
    match ask {
        DeviceAsk::Location { precise } => {
            let options = PositionOptions {
                high_accuracy: precise,
                timeout_ms: Some(LONGEST_MS),
                maximum_age_ms: None,
            };
            position::find(options).await.map(DeviceAnswer::Location)
        }
        DeviceAsk::ReadClipboard => {
            require_clipboard()?;
            let text = clipboard::read().await.map_err(Problem::from)?;
            Ok(DeviceAnswer::Clipboard { text: text.chars().take(LONGEST_TEXT).collect() })
        }
        DeviceAsk::WriteClipboard { text } => {
            require_clipboard()?;
            match clipboard::write(&text).await {
                true => Ok(DeviceAnswer::Done),
                false => Err(Problem::of(DeviceProblem::NotAllowed)),
            }
        }
        ask @ (DeviceAsk::Folders
        | DeviceAsk::List { .. }
        | DeviceAsk::Read { .. }
        | DeviceAsk::Write { .. }
        | DeviceAsk::Delete { .. }) => mounts::perform(agent, ask).await,
    }
}

fn require_clipboard() -> Result<(), Problem> {
    if clipboard::is_there() { Ok(()) } else { Err(Problem::of(DeviceProblem::Unsupported)) }
}
