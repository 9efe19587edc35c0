//! What a command reaches: the hosts on its agent's list, if its person lets commands out. Each connection is looked at
//! when it is made, so that what the person says holds for a job that runs already.

use crate::gateway::{Beginner, Caller, Sealed};
use crate::outbound::Target;
use crate::terminal::{Gate, Reached, WayOut};
use crate::tools::ToolError;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::view::Network;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::net::TcpStream;

struct HostsOnItsList(Beginner);

/// None: commands reach nothing.
pub(super) async fn of(caller: &Caller<'_>) -> Result<Option<WayOut>, ToolError> {
    let network = caller.hub.networks().of_commands(caller.root).await?;
    Ok((network != Network::Off).then(|| WayOut::through(Arc::new(HostsOnItsList(caller.beginner())))))
}

impl Gate for HostsOnItsList {
    fn open(&self, target: Target) -> BoxFuture<'_, Result<TcpStream, String>> {
        self.connect(target, Sealed::No).boxed()
    }

    fn open_sealed(&self, target: Target) -> BoxFuture<'_, Result<TcpStream, String>> {
        self.connect(target, Sealed::Yes).boxed()
    }
}

impl HostsOnItsList {
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

/// Adds where it was, and where it was not let.
pub(super) fn tell(answer: &mut Value, reached: &Reached) {
    let Reached { places, refused, .. } = reached;
    if !places.is_empty() {
        answer["reached"] =
            places.iter().map(|(place, bytes)| json!({ "place": place, "bytes": bytes })).collect();
    }
    if !refused.is_empty() {
        answer["not_reached"] =
            refused.iter().map(|(place, why)| json!({ "place": place, "why": why })).collect();
    }
}
