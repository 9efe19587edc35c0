//! `location` and `clipboard`: what a device has that shows the agent's page.

use super::{ToolError, devices};
use crate::gateway::Caller;
use crate::permissions;
use agent::tools::ResolvedCall;
use protocol::Permission;
use protocol::agent::Ability;
use protocol::device::{DeviceAnswer, DeviceAsk, DeviceLocation, DeviceProblem};
use protocol::log::DeviceWanted;
use serde_json::{Value, json};
use std::time::Duration;

/// How long the device has, its person included, whom the browser may ask.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of what was copied that a model is told.
const ROOM: usize = agent::context::RESULT_CHARS - 1000;
/// Characters of a browser's words that are passed on.
const MESSAGE: usize = 200;

pub(super) async fn location(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let decided = permissions::permissions_of(caller.hub.store(), caller.root).await?;
    if decided.iter().any(|one| one.permission == Permission::Location && !one.allowed) {
        return Err(ToolError("Your person has decided that you do not learn where they are.".to_owned()));
    }
    let precise = call.input().get("precise").and_then(Value::as_bool).unwrap_or_default();
    let ask = DeviceAsk::Location { precise };
    match perform(caller, call, Ability::Location, &ask).await? {
        (DeviceAnswer::Location(place), device) => Ok(told(&place, &device).to_string()),
        (answer, device) => Err(refused(answer, &device)),
    }
}

pub(super) async fn clipboard(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = call.input().get("text").and_then(Value::as_str);
    let writes = call.input().get("action").and_then(Value::as_str) == Some("write");
    let ask = match text {
        Some(text) if writes => DeviceAsk::WriteClipboard { text: text.to_owned() },
        None if writes => return Err(ToolError("write needs a text.".to_owned())),
        Some(_) | None => DeviceAsk::ReadClipboard,
    };
    match perform(caller, call, Ability::Screen, &ask).await? {
        (DeviceAnswer::Clipboard { text }, device) if !writes => {
            let mut end = text.len().min(ROOM);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let mut answer = json!({ "text": text[..end], "device": device });
            if end < text.len() {
                answer["more"] = "There is more than fits here. Your person can attach it as a file.".into();
            }
            Ok(answer.to_string())
        }
        (DeviceAnswer::Done, device) if writes => Ok(json!({ "ok": true, "device": device }).to_string()),
        (answer, device) => Err(refused(answer, &device)),
    }
}

/// Has a device do it that fits, and gives its name as well.
async fn perform(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    needs: Ability,
    ask: &DeviceAsk,
) -> Result<(DeviceAnswer, String), ToolError> {
    let (wanted, _) = devices::split(call.input());
    let wanted = DeviceWanted { needs: Some(needs), ..wanted.unwrap_or_default() };
    let (tab, answer) = devices::perform(caller, call.id(), &wanted, ask, PATIENCE).await?;
    Ok((answer, caller.hub.accounts().device_name_of(tab.device.as_ref()).await?))
}

fn told(place: &DeviceLocation, device: &str) -> Value {
    let DeviceLocation { latitude, longitude, accuracy, altitude, heading, speed, at } = place;
    let mut answer = json!({
        "latitude": latitude,
        "longitude": longitude,
        "accuracy_metres": accuracy,
        "at": at,
        "device": device,
    });
    for (name, value) in
        [("altitude_metres", altitude), ("heading_degrees", heading), ("metres_a_second", speed)]
    {
        if let Some(value) = value {
            answer[name] = json!(value);
        }
    }
    answer
}

fn refused(answer: DeviceAnswer, device: &str) -> ToolError {
    let DeviceAnswer::Failed { why, message } = answer else {
        return ToolError(format!("{device} answered something else. Try again."));
    };
    let message: String = message.chars().take(MESSAGE).collect();
    ToolError(match why {
        DeviceProblem::NotAllowed => format!(
            "The browser of {device} does not allow it. It may want a press of your person's in your page first, or is set to say no. {message}"
        ),
        DeviceProblem::Unsupported => format!("The browser of {device} cannot do that. {message}"),
        DeviceProblem::NoFolder
        | DeviceProblem::Missing
        | DeviceProblem::Exists
        | DeviceProblem::Changed
        | DeviceProblem::TooLarge
        | DeviceProblem::Other => format!("It did not work out on {device}. {message}"),
    })
}
