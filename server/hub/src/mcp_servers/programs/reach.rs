//! What a program reaches: the hosts that administrators name for it. That is looked at when a connection is made, so
//! that what they say holds for one that runs already.

use super::find;
use crate::Hub;
use crate::network;
use crate::outbound::Target;
use crate::terminal::{Gate, Pace};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::view::Network;
use tokio::net::TcpStream;

#[derive(Clone)]
pub(super) struct HostsOfProgram {
    pub(super) hub: Hub,
    pub(super) name: String,
}

impl Gate for HostsOfProgram {
    fn open(&self, target: Target, pace: Pace) -> BoxFuture<'_, Result<TcpStream, String>> {
        self.in_turn(target, pace).boxed()
    }

    fn open_sealed(&self, target: Target, pace: Pace) -> BoxFuture<'_, Result<TcpStream, String>> {
        self.in_turn(target, pace).boxed()
    }
}

impl HostsOfProgram {
    async fn in_turn(&self, target: Target, pace: Pace) -> Result<TcpStream, String> {
        let of_task = self.clone();
        let connecting = async move { of_task.connect(target).await };
        let connected = pace.take(self.hub.tasks(), connecting).await;
        connected.unwrap_or_else(|| Err("the hub is about to stop".to_owned()))
    }

    async fn connect(&self, target: Target) -> Result<TcpStream, String> {
        let program = find(self.hub.store().read(), &self.name).await;
        let program = program.map_err(|error| error.into_failure().to_string())?;
        let hosts = program.map(|program| program.hosts).unwrap_or_default();
        if network::permit(&Network::AllowList { hosts }, &target).is_err() {
            let place = target.place();
            return Err(format!(
                "Not allowed: {place} is not among the hosts that an administrator names for it."
            ));
        }
        // A name of the open web is looked up by others, who could have it lead into the house.
        let outbound = if target.is_local() { self.hub.listed() } else { self.hub.web() };
        let (host, port) =
            target.url().host_str().zip(target.url().port_or_known_default()).unwrap_or_default();
        outbound.dial(host, port).await.map_err(|error| error.to_string())
    }
}
