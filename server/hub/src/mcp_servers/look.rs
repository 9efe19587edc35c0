//! Asking a server which tools and prompts it has, and what becomes of those that are new, another one, or gone.

use super::McpServers;
use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::names::called;
use super::offer::Offer;
use super::prompts;
use super::resources;
use super::rows::{self, ToolRow};
use crate::clock::Moment;
use protocol::hub::Noun;
use protocol::{McpServerId, UserId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// For all of it.
const LIMIT: Duration = Duration::from_secs(30);
/// Tools of a server that are kept, and pages in which they come.
const MOST_TOOLS: usize = 200;
const PAGES: usize = 50;
/// Bytes that they say of themselves together.
const ROOM: usize = 1024 * 1024;
/// Of a server that is new so many are switched on: its person said yes to it as it is.
const ON_AT_FIRST: usize = 40;
/// For so long nobody asks again whether a tool is the one that its person said yes to.
const FRESH_MS: i64 = 5 * 60 * 1000;
const MOST_KNOWN: usize = 10_000;

/// When each server was last asked. `None`: it said that it has others since.
#[derive(Debug, Default)]
pub(super) struct LookedAt(Mutex<HashMap<McpServerId, Option<Moment>>>);

impl LookedAt {
    pub(super) fn is_fresh(&self, server: &McpServerId, now: Moment) -> bool {
        let looked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        looked.get(server).copied().flatten().is_some_and(|at| now.ms_since(at) < FRESH_MS)
    }

    fn keep(&self, server: &McpServerId, now: Moment) {
        let mut looked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.len() >= MOST_KNOWN {
            looked.retain(|_, at| at.is_some_and(|at| now.ms_since(at) < FRESH_MS));
        }
        looked.insert(server.clone(), Some(now));
    }

    pub(super) fn forget(&self, server: &McpServerId) {
        if let Some(at) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(server) {
            *at = None;
        }
    }

    pub(super) fn has_changed(&self, server: &McpServerId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(server) == Some(&None)
    }
}

impl McpServers<'_> {
    /// Asks it, and keeps what it says, or why it said nothing.
    pub(super) async fn look(self, owner: &UserId, client: &Client<'_>) -> Result<(), McpFailure> {
        let looking = async { Ok::<_, McpFailure>((offers(client).await?, prompts::offered(client).await)) };
        let looked = timeout(LIMIT, looking).await;
        let looked = looked.unwrap_or(Err(McpFailure::TooLate(LIMIT.as_secs())));
        let ((offers, left_out), prompts) = match looked {
            Ok(looked) => looked,
            Err(failure) => {
                self.not_looked(owner, &client.server, &failure).await?;
                return Err(failure);
            }
        };
        let mut tx = self.hub.store().write().await?;
        let now = self.hub.now();
        let is_first =
            rows::find(&mut *tx, &owner.0, &client.server).await?.is_some_and(|it| it.looked_at.is_none());
        if rows::looked(&mut tx, &owner.0, &client.server, (left_out, prompts.as_deref()), now).await? == 0 {
            return Err(McpFailure::Hub("There is no such server any more.".to_owned()));
        }
        let mut known: BTreeMap<String, ToolRow> = rows::tools(&mut *tx, &owner.0, &client.server)
            .await?
            .into_iter()
            .map(|tool| (tool.offered.name.clone(), tool))
            .collect();
        let mut on = 0;
        for (name, fresh) in offers {
            let before = known.remove(&name);
            let mut tool = fresh;
            if let Some(before) = &before {
                tool.accepted = before.accepted.clone();
                tool.accepted_digest = before.accepted_digest.clone();
                tool.is_on = before.is_on;
                tool.is_new = before.is_new;
            } else if !is_first {
                tool.is_new = true;
            } else if tool.problem.is_none() && on < ON_AT_FIRST {
                on += 1;
                tool.accept();
            }
            if before.as_ref() != Some(&tool) {
                rows::put(&mut tx, &client.server, &tool).await?;
            }
        }
        for name in known.keys() {
            rows::forget_tool(&mut tx, &client.server, name).await?;
        }
        tx.changes(owner, Noun::McpServers);
        tx.commit().await?;
        self.hub.0.mcp_servers.looked.keep(&client.server, self.hub.moment());
        Ok(())
    }

    /// Keeps why it said nothing.
    pub(super) async fn not_looked(
        self,
        owner: &UserId,
        id: &McpServerId,
        failure: &McpFailure,
    ) -> Result<(), McpFailure> {
        let wants_sign_in = matches!(failure, McpFailure::LoginNeeded);
        let mut tx = self.hub.store().write().await?;
        rows::failed(&mut tx, &owner.0, id, &failure.to_string(), wants_sign_in).await?;
        tx.changes(owner, Noun::McpServers);
        tx.commit().await?;
        Ok(())
    }
}

impl ToolRow {
    /// Its person said yes to it as it is offered.
    pub(super) fn accept(&mut self) {
        self.accepted = Some(self.offered.clone());
        self.accepted_digest = Some(self.digest.clone());
        self.is_on = true;
        self.is_new = false;
    }

    /// The person knows of it and does without.
    pub(super) fn leave_off(&mut self) {
        self.is_on = false;
        self.is_new = false;
    }
}

/// By name, and how many there are besides.
async fn offers(client: &Client<'_>) -> Result<(BTreeMap<String, ToolRow>, usize), McpFailure> {
    let (mut offered, mut left_out, mut bytes, mut params) = (Vec::new(), 0, ROOM, json!({}));
    // Who has none may not know the word.
    let pages = if client.has_tools().await? { PAGES } else { 0 };
    for _ in 0..pages {
        let page =
            client.ask(&Asked { method: "tools/list", about: None, params, mirrored: Vec::new() }).await?;
        let tools = page.get("tools").and_then(Value::as_array).ok_or(McpFailure::NotMcp)?;
        let room = MOST_TOOLS.saturating_sub(offered.len());
        offered.extend(tools.iter().take(room).filter_map(|tool| Offer::read(tool, &mut bytes)));
        left_out += tools.len().saturating_sub(room);
        match page.get("nextCursor").and_then(Value::as_str) {
            Some(cursor) if !cursor.is_empty() && left_out == 0 => params = json!({ "cursor": cursor }),
            Some(_) | None => break,
        }
    }
    if resources::are_there(client).await {
        offered.push((resources::offer(), None));
    }
    let name = client.name.clone();
    let sorted = tokio::task::spawn_blocking(move || sorted(&name, offered));
    Ok((sorted.await.map_err(|_| McpFailure::NotMcp)?, left_out))
}

/// Each tool by its name, with what is wrong with it.
fn sorted(server: &str, offered: Vec<(Offer, Option<String>)>) -> BTreeMap<String, ToolRow> {
    let mut calls: HashMap<String, usize> = HashMap::new();
    for (offer, _) in &offered {
        *calls.entry(called(server, &offer.name)).or_default() += 1;
    }
    let rows = offered.into_iter().map(|(offer, too_large)| {
        let called = called(server, &offer.name);
        let is_alone = calls.get(&called) == Some(&1);
        let same = "Another tool of this server has a name that agents could not tell from it.";
        let problem = too_large.or_else(|| (!is_alone).then(|| same.to_owned())).or_else(|| offer.problem());
        let digest = offer.digest();
        let row = ToolRow {
            called,
            digest,
            offered: offer,
            accepted: None,
            accepted_digest: None,
            is_on: false,
            is_new: false,
            problem,
        };
        (row.offered.name.clone(), row)
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_that_agents_could_not_tell_apart_are_refused() {
        let offer = |name: &str| Offer::read(&json!({ "name": name }), &mut ROOM.clone()).expect("a tool");
        let sorted = sorted("garden", ["water", "a.b", "a b", "twice", "twice"].map(offer).into());
        let usable: Vec<&str> =
            sorted.values().filter(|tool| tool.problem.is_none()).map(|tool| tool.called.as_str()).collect();
        assert_eq!(usable, ["mcp_garden_water"]);
        assert_eq!(sorted.len(), 4);
    }
}
