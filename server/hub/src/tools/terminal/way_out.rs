//! What a command reaches: the hosts on its agent's list, if its person lets commands out. Each connection is looked at
//! when it is made, so that what the person says holds for a job that runs already.

use crate::gateway::{Beginner, Caller, Sealed};
use crate::outbound::Target;
use crate::terminal::{Gate, Pace, Reached, WayOut};
use crate::tools::ToolError;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::view::Network;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::net::TcpStream;

/// Places of each kind that are named, and characters of a place and of a reason.
const NAMED: usize = 4;
const LONGEST: usize = 120;

struct HostsOnItsList(Beginner);

/// None: commands reach nothing.
pub(super) async fn of(caller: &Caller<'_>) -> Result<Option<WayOut>, ToolError> {
    let network = caller.hub.networks().of_commands(caller.root).await?;
    Ok((network != Network::Off).then(|| WayOut::through(Arc::new(HostsOnItsList(caller.beginner())))))
}

impl Gate for HostsOnItsList {
    fn open(&self, target: Target, pace: Pace) -> BoxFuture<'_, Result<TcpStream, String>> {
        self.in_turn(target, Sealed::No, pace).boxed()
    }

    fn open_sealed(&self, target: Target, pace: Pace) -> BoxFuture<'_, Result<TcpStream, String>> {
        self.in_turn(target, Sealed::Yes, pace).boxed()
    }
}

impl HostsOnItsList {
    async fn in_turn(&self, target: Target, sealed: Sealed, pace: Pace) -> Result<TcpStream, String> {
        let (Self(beginner), of_task) = (self, self.0.clone());
        let connecting = async move { Self(of_task).connect(target, sealed).await };
        let connected = pace.take(beginner.hub.tasks(), connecting).await;
        connected.unwrap_or_else(|| Err("the hub is about to stop".to_owned()))
    }

    async fn connect(&self, target: Target, sealed: Sealed) -> Result<TcpStream, String> {
        let Self(beginner) = self;
        match beginner.may_connect(&target, sealed).await {
            Ok(permitted) => permitted?,
            Err(error) => return Err(error.to_string()),
        }
        // As `fetch` does: a name of the open web is looked up by others, who could have it lead into the house.
        let outbound = if target.is_local() { beginner.hub.listed() } else { beginner.hub.web() };
        let (host, port) =
            target.url().host_str().zip(target.url().port_or_known_default()).unwrap_or_default();
        outbound.dial(host, port).await.map_err(|error| ToolError::from(error).0)
    }
}

/// Adds where it was, and where it was not let: the first of each, in few words.
pub(super) fn tell(answer: &mut Value, reached: &Reached) {
    let Reached { places, refused, .. } = reached;
    if !places.is_empty() {
        let named = places.iter().take(NAMED);
        answer["reached"] =
            named.map(|(place, bytes)| json!({ "place": short(place), "bytes": bytes })).collect();
        answer["reached_besides"] = json!(places.len().saturating_sub(NAMED));
    }
    if !refused.is_empty() {
        let named = refused.iter().take(NAMED);
        answer["not_reached"] =
            named.map(|(place, why)| json!({ "place": short(place), "why": short(why) })).collect();
        answer["not_reached_besides"] = json!(refused.len().saturating_sub(NAMED));
    }
}

fn short(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
