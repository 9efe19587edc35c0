//! The devices that show an agent's page at this moment, as the agent knows them, and the choice of one.

mod wait;

pub(super) use wait::perform;

use crate::error::Result;
use crate::gateway::Caller;
use crate::live::TabLink;
use protocol::agent::Ability;
use protocol::log::DeviceWanted;
use serde_json::{Value, json};
use std::sync::Arc;

/// A tab that shows the page, and what its device is called.
struct Present {
    tab: Arc<TabLink>,
    name: String,
}

/// What the call says of the device that it wants, if anything, and the rest of its input.
pub(super) fn split(input: &Value) -> (Option<DeviceWanted>, Value) {
    let mut rest = input.clone();
    let Some(fields) = rest.as_object_mut() else { return (None, rest) };
    let device = fields.remove("device").and_then(|device| device.as_str().map(str::to_owned));
    let needs = fields.remove("needs").and_then(|needs| serde_json::from_value(needs).ok());
    let wanted = DeviceWanted { device, needs };
    ((wanted != DeviceWanted::default()).then_some(wanted), rest)
}

/// The tabs that a call goes to, the best first.
async fn fitting(caller: &Caller<'_>, wanted: &DeviceWanted) -> Result<Vec<Arc<TabLink>>> {
    let Some(device) = &wanted.device else {
        return Ok(caller.hub.live().pages(caller.agent, wanted.needs));
    };
    let is_named = |one: &Present| {
        let id = one.tab.device.as_ref().map(|id| id.0.as_str());
        is_name_of(device, &one.name, id)
    };
    let able = present(caller, wanted.needs).await?;
    Ok(able.into_iter().filter(is_named).map(|one| one.tab).collect())
}

/// Whether the person has such a device at all, open or not.
async fn is_known(caller: &Caller<'_>, device: &str) -> Result<bool> {
    let known = caller.hub.accounts().devices_of(caller.owner).await?;
    Ok(known.iter().any(|(id, name)| is_name_of(device, name, Some(&id.0))))
}

fn is_name_of(wanted: &str, name: &str, id: Option<&str>) -> bool {
    name.eq_ignore_ascii_case(wanted) || id == Some(wanted)
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
    for tab in caller.hub.live().pages(caller.agent, needs) {
        let name = caller.hub.accounts().device_name_of(tab.device.as_ref()).await?;
        all.push(Present { tab, name });
    }
    Ok(all)
}

/// Which devices there are, for a call that found none.
async fn others(caller: &Caller<'_>) -> Result<String> {
    let there = present(caller, None).await?;
    if there.is_empty() {
        return Ok("No device shows your page.".to_owned());
    }
    let there: Vec<String> = there.iter().map(in_words).collect();
    Ok(format!("There are: {}.", there.join("; ")))
}

fn in_words(one: &Present) -> String {
    let abilities: Vec<&str> = one.tab.able().abilities.into_iter().map(Ability::name).collect();
    format!("{} ({})", one.name, abilities.join(", "))
}
