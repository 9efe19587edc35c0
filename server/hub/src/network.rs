//! What of the web each agent may reach: nothing, some hosts, or everything that is public. Its
//! person decides, and the gateway asks before each call. Which addresses are public is `outbound`'s.

mod hosts;

pub(crate) use hosts::{host_named, host_of};

use crate::Hub;
use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::store::{Json, Transaction, query};
use hosts::Pattern;
use protocol::AgentId;
use protocol::view::{AgentView, AuditAction, Network};

/// What of the web the viewer's agents may reach.
#[derive(Clone, Copy, Debug)]
pub struct OwnNetworks<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn networks(&self) -> OwnNetworks<'a> {
        OwnNetworks { scoped: *self }
    }
}

/// What of the web each agent may reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Networks<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn networks(&self) -> Networks<'_> {
        Networks { hub: self }
    }
}

/// Hosts on a list at most.
const MAX_HOSTS: usize = 100;
/// Ports that need not be named.
const USUAL_PORTS: [u16; 4] = [80, 443, 8080, 8443];

impl OwnNetworks<'_> {
    /// Says what of the web the agent may reach. It holds from the next call on.
    pub async fn set(self, agent: &AgentId, network: Network) -> Result<AgentView> {
        let view = self.scoped.agents().get(agent).await?;
        let network = check(network)?;
        let words = in_words(&network);
        self.store(&view, &WebAccess { network, ..WebAccess::of(&view) }, &words).await
    }

    /// Says whether the agent reads of the web only what `robots.txt` lets programs read.
    pub async fn follow_robots(self, agent: &AgentId, follows: bool) -> Result<AgentView> {
        let view = self.scoped.agents().get(agent).await?;
        let words = if follows { "by robots.txt" } else { "whatever robots.txt says" };
        self.store(&view, &WebAccess { follows_robots: follows, ..WebAccess::of(&view) }, words).await
    }

    /// Says whether the commands that the agent runs reach the hosts on its list as well. It holds from the next
    /// connection on.
    pub async fn let_commands_out(self, agent: &AgentId, allowed: bool) -> Result<AgentView> {
        let view = self.scoped.agents().get(agent).await?;
        let words = if allowed { "commands reach its hosts" } else { "commands reach nothing" };
        self.store(&view, &WebAccess { commands_reach: allowed, ..WebAccess::of(&view) }, words).await
    }

    async fn store(self, agent: &AgentView, access: &WebAccess, words: &str) -> Result<AgentView> {
        let mut tx = self.scoped.hub.store().write().await?;
        store(&mut tx, &agent.id, access).await?;
        let line = AuditEvent::done(AuditAction::NetworkSet, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(&format!("{}: {words}", agent.name))).await?;
        tx.commit().await?;
        self.scoped.agents().get(&agent.id).await
    }
}

impl Networks<'_> {
    pub(crate) async fn of_agent(self, agent: &AgentId) -> Result<Network> {
        let Json(network) = query("SELECT network FROM agents WHERE id = $1", (agent,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("agent"))?;
        Ok(network)
    }

    /// What its commands may reach.
    pub(crate) async fn of_commands(self, agent: &AgentId) -> Result<Network> {
        let (Json(network), reach): (Json<Network>, bool) =
            query("SELECT network, commands_reach FROM agents WHERE id = $1", (agent,))
                .fetch_optional(self.hub.store().read())
                .await?
                .ok_or(Error::NotFound("agent"))?;
        Ok(match network {
            Network::AllowList { hosts } if reach => Network::AllowList { hosts },
            Network::AllowList { .. } | Network::Off | Network::Public => Network::Off,
        })
    }

    pub(crate) async fn follows_robots(self, agent: &AgentId) -> Result<bool> {
        query("SELECT follows_robots FROM agents WHERE id = $1", (agent,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("agent"))
    }
}

/// What of the web an agent reaches, and how.
pub(crate) struct WebAccess {
    network: Network,
    follows_robots: bool,
    commands_reach: bool,
}

impl WebAccess {
    pub(crate) fn of(agent: &AgentView) -> Self {
        let AgentView { network, follows_robots, commands_reach, .. } = agent;
        Self { network: network.clone(), follows_robots: *follows_robots, commands_reach: *commands_reach }
    }
}

/// Stores the policy of an agent that is known to be the viewer's.
pub(crate) async fn store(tx: &mut Transaction, agent: &AgentId, access: &WebAccess) -> Result<()> {
    let WebAccess { network, follows_robots, commands_reach } = access;
    query(
        "UPDATE agents SET network = $2, follows_robots = $3, commands_reach = $4 WHERE id = $1",
        (agent, Json(network), *follows_robots, *commands_reach),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lets an agent that is made in this transaction reach this.
pub(crate) async fn begin_with(
    viewer: &Scoped<'_>,
    tx: &mut Transaction,
    agent: &AgentId,
    name: &str,
    network: Network,
    follows_robots: bool,
) -> Result<()> {
    let network = check(network)?;
    let words = in_words(&network);
    store(tx, agent, &WebAccess { network, follows_robots, commands_reach: false }).await?;
    let line = AuditEvent::done(AuditAction::NetworkSet, viewer.viewer);
    viewer.hub.audit().note(tx, line.object(&format!("{name}: {words}"))).await
}

/// Whether it is a policy that can be set here.
pub(crate) fn is_sound(network: &Network) -> bool {
    check(network.clone()).is_ok()
}

/// Whether the address has a port that the web usually has.
pub(crate) fn has_usual_port(target: &Target) -> bool {
    target.url().port_or_known_default().is_some_and(|port| USUAL_PORTS.contains(&port))
}

/// Whether the policy lets a request go there; otherwise why not, in words for the model.
pub(crate) fn permit(network: &Network, target: &Target) -> std::result::Result<(), String> {
    let place = target.place();
    let url = target.url();
    match network {
        Network::Off => Err("Not allowed: this agent may not reach the web.".to_owned()),
        Network::Public if has_usual_port(target) => Ok(()),
        Network::Public => Err(format!(
            "Not allowed: {place} has an unusual port. An agent that may reach everything public has 80, 443, 8080 \
             and 8443."
        )),
        Network::AllowList { hosts } => {
            let mut patterns = hosts.iter().filter_map(|host| Pattern::parse(host));
            match patterns.any(|pattern| pattern.allows(url, &USUAL_PORTS)) {
                true => Ok(()),
                false => {
                    Err(format!("Not allowed: {place} is not on the list of what this agent may reach."))
                }
            }
        }
    }
}

/// The same of an address that no model chose: who may reach everything public may reach its port as well.
pub(crate) fn permit_chosen(network: &Network, target: &Target) -> std::result::Result<(), String> {
    match network {
        Network::Public => Ok(()),
        Network::Off | Network::AllowList { .. } => permit(network, target),
    }
}

/// In few words, for the audit.
fn in_words(network: &Network) -> String {
    match network {
        Network::Off => "nothing".to_owned(),
        Network::AllowList { hosts } => hosts.join(", "),
        Network::Public => "everything public".to_owned(),
    }
}

/// Each host once, as it is compared.
fn check(network: Network) -> Result<Network> {
    let Network::AllowList { hosts: named } = network else { return Ok(network) };
    let hosts = hosts(named.iter().map(String::as_str))?;
    if hosts.is_empty() {
        return Err(Error::invalid("Name at least one host, or choose that the agent reaches nothing."));
    }
    Ok(Network::AllowList { hosts })
}

/// Each host once, as it is compared. Empty lines are none.
pub(crate) fn hosts<'h>(lines: impl Iterator<Item = &'h str>) -> Result<Vec<String>> {
    let mut checked: Vec<String> = Vec::new();
    for host in lines.map(str::trim).filter(|host| !host.is_empty()) {
        let pattern = Pattern::parse(host).ok_or_else(|| {
            Error::invalid(format!(
                "{host:?} is not a host. Write example.org, *.example.org or example.org:8000, without http:// and path."
            ))
        })?;
        let text = pattern.to_string();
        if !checked.contains(&text) {
            checked.push(text);
        }
    }
    if checked.len() > MAX_HOSTS {
        return Err(Error::invalid(format!("The list has at most {MAX_HOSTS} hosts.")));
    }
    Ok(checked)
}

#[cfg(test)]
mod tests;
