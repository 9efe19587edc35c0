//! The devices that show an agent's page at this moment, as the agent knows them, and the choice of one.

use super::ToolError;
use crate::error::Result;
use crate::gateway::Caller;
use crate::live::TabLink;

use protocol::hub::Ability;
use serde_json::{Value, json};
use std::sync::Arc;

/// A tab that shows the page, and what its device is called.
struct Present {
    tab: Arc<TabLink>,
    name: String,
}

/// Which device a call asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    device: Option<String>,
    needs: Option<Ability>,
}

impl Wanted {
    /// Only a page that is open will do.
    pub(super) fn names_a_device(&self) -> bool {
        self.device.is_some() || self.needs.is_some()
    }

    /// What the call says of the device, and the rest of its input.
    pub(super) fn split(input: &Value) -> (Self, Value) {
        let mut rest = input.clone();
        let Some(fields) = rest.as_object_mut() else { return (Self::default(), rest) };
        let device = fields.remove("device").and_then(|device| device.as_str().map(str::to_owned));
        let needs = fields.remove("needs").and_then(|needs| serde_json::from_value(needs).ok());
        (Self { device, needs }, rest)
    }
}

/// The tabs that a call goes to, the best first.
pub(super) async fn wanted(
    caller: &Caller<'_>,
    wanted: &Wanted,
) -> std::result::Result<Vec<Arc<TabLink>>, ToolError> {
    let Some(device) = &wanted.device else {
        let tabs = caller.hub.live.pages(caller.agent, wanted.needs);
        return if tabs.is_empty() { Err(missing(caller, wanted).await?) } else { Ok(tabs) };
    };
    let is_named = |one: &Present| {
        one.name.eq_ignore_ascii_case(device) || one.tab.device.as_ref().is_some_and(|id| id.0 == *device)
    };
    let able = present(caller, wanted.needs).await?;
    let tabs: Vec<_> = able.into_iter().filter(is_named).map(|one| one.tab).collect();
    if tabs.is_empty() { Err(missing(caller, wanted).await?) } else { Ok(tabs) }
}

/// The devices as `capabilities` lists them.
pub(super) async fn list(caller: &Caller<'_>) -> Result<Vec<Value>> {
    let all = present(caller, None).await?;
    let view = |(place, one): (usize, &Present)| {
        let able = one.tab.able();
        json!({
            "device": one.name,
            "id": one.tab.device.as_ref().map(|id| id.0.as_str()),
            "abilities": able.abilities,
            "visible": able.visible,
            "stage": place == 0,
            "drivesThisRun": caller.tab == Some(one.tab.key),
        })
    };
    Ok(all.iter().enumerate().map(view).collect())
}

async fn present(caller: &Caller<'_>, needs: Option<Ability>) -> Result<Vec<Present>> {
    let mut all = Vec::new();
    for tab in caller.hub.live.pages(caller.agent, needs) {
        let name = caller.hub.device_name_of(tab.device.as_ref()).await?;
        all.push(Present { tab, name });
    }
    Ok(all)
}

/// No device fits, and these there are.
async fn missing(caller: &Caller<'_>, wanted: &Wanted) -> Result<ToolError> {
    let there = present(caller, None).await?;
    let there: Vec<String> = there.iter().map(in_words).collect();
    let what = match (&wanted.device, wanted.needs) {
        (Some(device), None) => format!("No device {device} shows your page"),
        (Some(device), Some(needs)) => format!("No device {device} with {} shows your page", needs.name()),
        (None, Some(needs)) => format!("No device with {} shows your page", needs.name()),
        (None, None) => "No device shows your page".to_owned(),
    };
    Ok(ToolError(format!("{what}, so nothing was done. There are: {}.", there.join("; "))))
}

fn in_words(one: &Present) -> String {
    let abilities: Vec<&str> = one.tab.able().abilities.into_iter().map(Ability::name).collect();
    format!("{} ({})", one.name, abilities.join(", "))
}
