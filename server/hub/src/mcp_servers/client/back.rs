//! The way back to a server, for what is said beside requests.

use super::message::Message;
use super::process::Process;
use super::{Era, WebClient};
use crate::Hub;
use crate::mcp_servers::PARTING;
use crate::outbound::Target;
use reqwest::Method;
use reqwest::header::HeaderMap;
use std::sync::Arc;
use tokio::time::timeout;

#[derive(Clone)]
pub(super) enum Back {
    Web { hub: Hub, target: Target, headers: HeaderMap },
    Program(Arc<Process>),
}

impl WebClient<'_> {
    pub(super) fn back(&self, era: Option<&Era>) -> Back {
        Back::Web { hub: self.hub.clone(), target: self.target.clone(), headers: self.headers(era) }
    }
}

impl Back {
    /// A server that does not hear it has lost nothing but a reply.
    pub(super) async fn say(&self, message: &Message) {
        match self {
            Self::Web { hub, target, headers } => {
                let said = hub.outbound().send(Method::POST, target, headers.clone(), message.bytes());
                let _ = timeout(PARTING, said).await;
            }
            Self::Program(process) => {
                let _ = timeout(PARTING, process.write(message)).await;
            }
        }
    }
}
