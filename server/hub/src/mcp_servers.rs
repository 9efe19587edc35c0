//! MCP servers whose tools and prompts a person's agents may be given: which ones there are, what their tools are, who may use
//! them, and the calls themselves. Whether a call may be made is the gateway's to say.

mod apps;
mod asking;
mod attach;
mod call;
mod check;
mod choice;
mod client;
mod complete;
mod failure;
mod file_name;
mod form;
mod give;
mod headers;
mod lent;
mod look;
mod mirror;
mod mounted;
mod mounts;
mod names;
mod oauth;
mod offer;
mod programs;
mod prompts;
mod query;
mod resources;
mod result;
mod rows;
mod schema;
mod skills;
mod switch;
mod visible;

pub use apps::AppPage;
pub(crate) use apps::PageOwner;
pub(crate) use asking::Asks;
pub(crate) use call::McpTool;
pub(crate) use choice::copy_choice;
pub use complete::FilledIn;
pub(crate) use failure::McpFailure;
pub(crate) use mounted::MountedServer;
pub(crate) use mounts::copy_mounts;
pub use oauth::{HubAddress, Returned, client_document};
pub use programs::AllowedMcpPrograms;
pub(crate) use result::{Brought, BroughtFile};

use crate::Hub;
use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::fair_queue::{FairQueue, Permit};
use crate::outbound::Target;
use crate::store::Transaction;
use crate::vault::Vault;
use apps::Pages;
use client::{Client, LogLines, Processes, ProgramClient, Sessions, Way, WebClient};
use headers::SecretHeaders;
use look::LookedAt;
use mounted::Listings;
use oauth::HeldAccess;
use protocol::hub::Noun;
use protocol::view::{AuditAction, McpConnection, McpServerDetail, McpServerView, Probe, Right};
use protocol::{McpServerId, UserId};
use rows::{headers_place, query_place};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The MCP servers of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnMcpServers<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn mcp_servers(&self) -> OwnMcpServers<'a> {
        OwnMcpServers { scoped: *self }
    }
}

/// The MCP servers of people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct McpServers<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn mcp_servers(&self) -> McpServers<'_> {
        McpServers { hub: self }
    }
}

#[derive(Debug)]
pub(crate) struct InMemory {
    sessions: Sessions,
    processes: Processes,
    challenges: oauth::Challenges,
    looked: LookedAt,
    listings: Listings,
    requests: FairQueue<UserId>,
    pages: Pages,
    log: LogLines,
}

impl Default for InMemory {
    fn default() -> Self {
        Self {
            sessions: Sessions::default(),
            processes: Processes::default(),
            challenges: oauth::Challenges::default(),
            looked: LookedAt::default(),
            listings: Listings::default(),
            requests: FairQueue::new(REQUESTS, WAITING),
            pages: Pages::default(),
            log: LogLines::default(),
        }
    }
}

impl InMemory {
    /// The server says that it has others by now.
    fn has_others(&self, server: &McpServerId) {
        self.looked.forget(server);
        self.listings.forget(server);
    }
}

const MAX_SERVERS: usize = 20;
/// Requests at a time, and how many of a person may wait.
const REQUESTS: usize = 32;
const WAITING: usize = 16;
/// For a word of good-bye.
const PARTING: Duration = Duration::from_secs(5);

impl OwnMcpServers<'_> {
    /// By name.
    pub async fn list(self) -> Result<Vec<McpServerView>> {
        rows::list(self.scoped.hub.store().read(), self.scoped.owner()).await
    }

    /// One server with its tools, and what changed of those that did.
    pub async fn read(self, id: &McpServerId) -> Result<McpServerDetail> {
        let (store, owner) = (self.scoped.hub.store(), self.scoped.owner());
        let server = rows::find(store.read(), owner, id).await?.ok_or(Error::NotFound("server"))?;
        let (differences, person) = (&self.scoped.hub.0.differences, &self.scoped.viewer.me.id);
        let mut tools = Vec::new();
        for tool in rows::tools(store.read(), owner, id).await? {
            let difference = match &tool.accepted {
                Some(accepted) if !tool.is_as_accepted() => {
                    differences.between(person, accepted.lines(), tool.offered.lines()).await?
                }
                Some(_) | None => String::new(),
            };
            tools.push(tool.view(difference));
        }
        let prompts = rows::prompts(store.read(), owner, id).await?;
        let (sign_in, sharing) = (self.sign_in(id).await?, self.sharing(&server).await?);
        let app_hosts = self.asked_hosts(id).await?.list();
        let log = self.scoped.hub.0.mcp_servers.log.of(id);
        let agents = self.agents_using(id).await?;
        Ok(McpServerDetail { server, tools, prompts, sign_in, sharing, app_hosts, log, agents })
    }

    /// Adds a server, and asks it which tools it has. One that does not say so is there all the same, with why.
    pub async fn add(self, name: &str, url: &str, token: &str, headers: &str) -> Result<McpServerView> {
        self.scoped.require(Right::SaveProviders)?;
        let hub = self.scoped.hub;
        let name = check::name(name)?;
        let (url, query) = check::url(url, hub.outbound().reach())?;
        let headers = check::headers(token, headers)?;
        let server = new_server(name, url, headers.names());
        let (owner, now) = (self.scoped.owner(), hub.now());
        let mut tx = hub.store().write().await?;
        self.insert(&mut tx, &server).await?;
        let place = place_of(&server.url);
        if !headers.is_empty() {
            hub.vault().put(&mut tx, headers_place(owner, &server.id, &place), &headers.seal(), now).await?;
        }
        if let Some(query) = &query {
            hub.vault().put(&mut tx, query_place(owner, &server.id, &place), query.secret(), now).await?;
        }
        self.note_added(&mut tx, &server).await?;
        tx.commit().await?;
        // What came of it stands with the server.
        let _ = self.asked(&server).await;
        self.found(&server.id).await
    }

    /// Keeps one more, if there is room for it.
    async fn insert(self, tx: &mut Transaction, server: &McpServerView) -> Result<()> {
        let (hub, owner, name) = (self.scoped.hub, self.scoped.owner(), &server.name);
        let existing = rows::list(&mut **tx, owner).await?;
        if existing.len() >= MAX_SERVERS {
            return Err(Error::Limit(format!("You have {MAX_SERVERS} servers. Remove one first.")));
        }
        if existing.iter().any(|other| other.name == *name) {
            return Err(Error::Conflict(format!("You have a server {name} already. Take another name.")));
        }
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        rows::insert(tx, owner, server, hub.now()).await
    }

    async fn note_added(self, tx: &mut Transaction, server: &McpServerView) -> Result<()> {
        let line = AuditEvent::done(AuditAction::McpServerAdded, self.scoped.viewer);
        self.scoped.hub.audit().note(tx, line.object(&server.name)).await
    }

    /// Sends these along from now on and nothing else, and asks it once more which tools it has.
    pub async fn set_headers(self, id: &McpServerId, token: &str, headers: &str) -> Result<McpServerView> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let headers = check::headers(token, headers)?;
        let mut tx = hub.store().write().await?;
        let server = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("server"))?;
        if server.lent.is_some() {
            return Err(Error::invalid(
                "What is sent along to a server that is lent is its administrator's to enter.",
            ));
        }
        if programs::named(&server.url).is_some() {
            return Err(Error::invalid("This server is a program, to which no headers are sent."));
        }
        let server = McpServerView { headers: headers.names(), ..server };
        rows::set_headers(&mut tx, owner, &server).await?;
        Vault::forget_one(&mut tx, headers_place(owner, id, "")).await?;
        if !headers.is_empty() {
            let place = place_of(&server.url);
            hub.vault().put(&mut tx, headers_place(owner, id, &place), &headers.seal(), hub.now()).await?;
        }
        let line = AuditEvent::done(AuditAction::McpHeadersSet, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&server.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await?;
        // It knew somebody else by the session of before. What comes of it stands with the server.
        hub.0.mcp_servers.sessions.forget(id);
        hub.0.mcp_servers.challenges.forget(id);
        hub.0.mcp_servers.listings.forget(id);
        let _ = self.asked(&server).await;
        self.found(id).await
    }

    /// Asks the server which tools it has, and says in words what came of it.
    pub async fn look(self, id: &McpServerId) -> Result<Probe> {
        let hub = self.scoped.hub;
        let server = self.found(id).await?;
        self.require_use(&server)?;
        let before = hub.moment();
        let looked = self.asked(&server).await;
        let millis = u64::try_from(hub.moment().ms_since(before)).unwrap_or_default();
        let (ok, message) = match looked {
            Ok(()) => (true, in_words(&self.found(id).await?)),
            Err(failure) => (false, format!("{}: {failure}", server.name)),
        };
        Ok(Probe { ok, message, millis })
    }

    /// Removes a server, its secrets, and its tools from all agents.
    pub async fn remove(self, id: &McpServerId) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let server = self.found(id).await?;
        let client = hub.mcp_servers().client(&self.scoped.viewer.me.id, id, &server.name, &server.url).await;
        let leaving = self.leaving(&server).await?;
        let mut tx = hub.store().write().await?;
        if rows::delete(&mut tx, owner, id).await? == 0 {
            return Err(Error::NotFound("server"));
        }
        Vault::forget(&mut tx, owner, &id.0).await?;
        let line = AuditEvent::done(AuditAction::McpServerRemoved, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&server.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await?;
        if let Ok(client) = client {
            let _ = timeout(PARTING, client.end()).await;
        }
        hub.0.mcp_servers.processes.end(id);
        hub.0.mcp_servers.challenges.forget(id);
        hub.0.mcp_servers.listings.forget(id);
        hub.0.mcp_servers.log.forget(id);
        self.take_back(leaving).await;
        Ok(())
    }

    async fn found(self, id: &McpServerId) -> Result<McpServerView> {
        let found = rows::find(self.scoped.hub.store().read(), self.scoped.owner(), id).await?;
        found.ok_or(Error::NotFound("server"))
    }

    async fn asked(self, server: &McpServerView) -> std::result::Result<(), McpFailure> {
        let (servers, owner) = (self.scoped.hub.mcp_servers(), &self.scoped.viewer.me.id);
        let _turn = servers.turn(owner).await?;
        let client = servers.client(owner, &server.id, &server.name, &server.url).await;
        let client = match client {
            Ok(client) => client,
            Err(failure) => {
                servers.not_looked(owner, &server.id, &failure).await?;
                return Err(failure);
            }
        };
        match servers.look(owner, &client).await {
            Err(McpFailure::LoginNeeded) if servers.signed_in_again(owner, &client).await? => {}
            other => return other,
        }
        match servers.look(owner, &client).await {
            Err(McpFailure::LoginNeeded) => {
                let failure = servers.signed_out(owner, &client).await?;
                servers.not_looked(owner, &server.id, &failure).await?;
                Err(failure)
            }
            other => other,
        }
    }
}

impl<'a> McpServers<'a> {
    /// One of the requests that a person may have under way.
    async fn turn(self, owner: &UserId) -> std::result::Result<Permit<UserId>, McpFailure> {
        self.hub.0.mcp_servers.requests.enter(owner).await.map_err(|_| McpFailure::Busy)
    }

    /// Somebody to talk to a server of this person's, who sends along what they entered for it.
    async fn client(
        self,
        owner: &UserId,
        id: &McpServerId,
        name: &str,
        url: &str,
    ) -> std::result::Result<Client<'a>, McpFailure> {
        let way = match programs::named(url) {
            Some(program) => {
                let program = Arc::new(self.program(owner, id, program).await?);
                let (owner, server) = (owner.clone(), id.clone());
                Way::Program(Box::new(ProgramClient { hub: self.hub, owner, server, program, asking: None }))
            }
            None => Way::Web(Box::new(self.web_client(owner, id, url).await?)),
        };
        Ok(Client { server: id.clone(), name: name.to_owned(), way })
    }

    async fn web_client(
        self,
        owner: &UserId,
        id: &McpServerId,
        url: &str,
    ) -> std::result::Result<WebClient<'a>, McpFailure> {
        let (target, query) = self.whole(owner, id, &Target::parse(url)?).await?;
        let place = target.place();
        let (whose, of) = self.sealed_for(owner, id).await?;
        let sealed = self.hub.vault().read(self.hub.store(), headers_place(&whose.0, &of, &place)).await;
        let sealed = sealed.map_err(|error| {
            tracing::warn!("the headers of an MCP server cannot be read: {error:?}");
            McpFailure::NoSecrets
        })?;
        let headers = match sealed {
            Some(sealed) => SecretHeaders::opened(&sealed).map_err(|_| McpFailure::NoSecrets)?,
            None => SecretHeaders::default(),
        };
        let access = HeldAccess::new(self.access(owner, id, &place).await?);
        Ok(WebClient { hub: self.hub, server: id.clone(), target, query, headers, access, asking: None })
    }

    /// Somebody who does not say who they are.
    fn nobody(self, id: &McpServerId, target: &Target) -> WebClient<'a> {
        let (hub, target, headers) = (self.hub, target.clone(), SecretHeaders::default());
        let access = HeldAccess::default();
        WebClient { hub, server: id.clone(), target, query: None, headers, access, asking: None }
    }

    /// The server knows nobody by what was sent along: with a new token, where there is one, it is asked once more.
    async fn signed_in_again(
        self,
        owner: &UserId,
        client: &Client<'_>,
    ) -> std::result::Result<bool, McpFailure> {
        let Way::Web(web) = &client.way else { return Ok(false) };
        let Some(refused) = web.access.get() else { return Ok(false) };
        web.access.set(None);
        web.access.set(self.access_after(owner, &web.server, &web.target.place(), &refused).await?);
        Ok(web.access.get().is_some())
    }

    /// Nor by a new one: its person has to sign in.
    async fn signed_out(
        self,
        owner: &UserId,
        client: &Client<'_>,
    ) -> std::result::Result<McpFailure, McpFailure> {
        if let Way::Web(web) = &client.way
            && let Some(refused) = web.access.get()
        {
            self.end(owner, &client.server, &refused).await?;
        }
        Ok(McpFailure::SignedOut)
    }
}

/// One that was not asked anything yet.
fn new_server(name: &str, url: String, headers: Vec<String>) -> McpServerView {
    McpServerView {
        id: McpServerId(new_id()),
        name: name.to_owned(),
        url,
        headers,
        looked_at: None,
        failure: None,
        tools_on: 0,
        tools_off: 0,
        tools_changed: 0,
        tools_new: 0,
        left_out: 0,
        connection: McpConnection::None,
        sign_in_failure: None,
        lent: None,
    }
}

/// The one server to which what is entered for it goes: scheme, host and port.
fn place_of(url: &str) -> String {
    Target::parse(url).map(|target| target.place()).unwrap_or_default()
}

fn in_words(server: &McpServerView) -> String {
    let McpServerView { tools_on, tools_off, tools_changed, tools_new, .. } = *server;
    let waits = |count: u32, what: &str| match count {
        0 => String::new(),
        1 => format!(" 1 {what} and waits for you."),
        many => format!(" {many} {what} and wait for you."),
    };
    let (changed, new) = (waits(tools_changed, "changed"), waits(tools_new, "came anew"));
    match tools_on + tools_off + tools_changed + tools_new {
        0 => "It answers, and has no tool that could be used.".to_owned(),
        1 => format!("It answers, with 1 tool.{changed}{new}"),
        many => format!("It answers, with {many} tools.{changed}{new}"),
    }
}
