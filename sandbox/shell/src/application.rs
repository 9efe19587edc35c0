//! What the shell needs of the application around it.

use crate::{lost_focus, open_tabs};
use protocol::log::Skin;
use protocol::view::ModelList;
use protocol::{AgentId, Failure, Permission, ProviderId};
use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

/// An answer of the hub's, on its way.
pub type HubFuture<T> = Pin<Box<dyn Future<Output = Result<T, Failure>>>>;

/// The application knows how the hub's functions are called, and where its files are.
#[derive(Clone, Copy)]
pub struct Application {
    /// Fails as unauthenticated, if nobody is signed in any more.
    pub check_in: fn() -> HubFuture<()>,
    /// Reads what a model server answered, with this status, when it was asked for its models.
    pub read_models: fn(ProviderId, u16, String) -> HubFuture<ModelList>,
    /// The newest page of an agent, if it has drawn.
    pub skin: fn(AgentId) -> HubFuture<Option<Skin>>,
    pub state: fn(AgentId) -> HubFuture<BTreeMap<String, Value>>,
    /// Whether "always" for the host of a link covers the whole of its address.
    pub covers_link: fn(AgentId, String) -> HubFuture<bool>,
    /// The host is for links, and empty for all others.
    pub set_permission: fn(AgentId, Permission, String, bool) -> HubFuture<()>,
    /// The address of a file of this build, whose path begins with a slash.
    pub asset: fn(&str) -> String,
}

thread_local! {
    static APPLICATION: Cell<Option<Application>> = const { Cell::new(None) };
}

/// Comes before everything else.
pub fn begin(application: Application) {
    APPLICATION.set(Some(application));
    open_tabs::hold();
    lost_focus::keep();
}

pub(crate) fn application() -> Application {
    APPLICATION.get().expect("the application begins before it calls anything")
}
