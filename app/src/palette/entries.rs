//! What the palette leads to, and what of it fits what somebody writes.

use super::commands::{COMMANDS, Command};
use crate::conversations::address;
use crate::prelude::{key, say, t};
use crate::ui::conversation_title;
use protocol::view::{AgentCard, ConversationView, Me, Right, Status};
use std::collections::HashMap;

/// Conversations shown where nothing is written, and entries of a kind where something is.
const RECENT: usize = 8;
const MATCHES: usize = 12;

/// What comes of choosing an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    To(String),
    Does(Command),
}

/// A place to go to, or something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) words: String,
    /// Whose it is, or what is there.
    pub(super) about: String,
    pub(super) leads: Leads,
    pub(super) icon: &'static str,
    /// Of an agent.
    pub(super) status: Option<Status>,
}

/// Entries of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) entries: Vec<Entry>,
}

const PAGES: &[(&str, &str, &str)] = &[
    (key!("Agents"), "/", "chat"),
    (key!("New agent"), "/agents/new", "plus"),
    (key!("Search"), "/search", "search"),
    (key!("Settings"), "/settings", "settings"),
    (key!("Providers"), "/providers", "key"),
    (key!("Workspaces"), "/workspaces", "file"),
    (key!("Memory"), "/memory", "thought"),
    (key!("Context"), "/context", "location"),
    (key!("Web search"), "/web-search", "search"),
    (key!("Skills"), "/skills", "file"),
    (key!("MCP servers"), "/mcp-servers", "tool"),
    (key!("Peers"), "/peers", "people"),
    (key!("External jobs"), "/external-jobs", "tool"),
    (key!("Models and prices"), "/models", "usage"),
    (key!("Usage and limits"), "/usage", "usage"),
    (key!("Schedules"), "/schedules", "calendar"),
    (key!("Console"), "/console", "split"),
    (key!("Delegations"), "/delegations", "people"),
    (key!("Topics"), "/topics", "bell"),
    (key!("Pipelines"), "/pipelines", "people"),
    (key!("Teams"), "/teams", "people"),
    (key!("Notifications"), "/notifications", "bell"),
    (key!("What you hear of"), "/notifications/settings", "bell"),
    (key!("Shared with you"), "/shared", "people"),
    (key!("Gallery"), "/gallery", "skin"),
    (key!("Import conversations"), "/import", "file"),
    (key!("Account"), "/account", "user"),
    (key!("Appearance"), "/account#appearance", "sun"),
    (key!("Second factor"), "/account/second-factor", "key"),
    (key!("Move settings"), "/account/transfer", "link"),
    (key!("Audit"), "/account/audit", "clock"),
    (key!("Calls of tools"), "/account/calls", "tool"),
];
const ADMIN_PAGES: &[(&str, &str, &str)] = &[
    (key!("The hub"), "/settings/hub", "home-hub"),
    (key!("Administration"), "/admin", "people"),
    (key!("Status of the hub"), "/admin/status", "info"),
    (key!("Groups"), "/groups", "people"),
    (key!("Audit of everybody"), "/admin/audit", "clock"),
    (key!("Calls of everybody"), "/admin/calls", "tool"),
];

/// What fits the words, in the order in which it is shown: what waits for the person first.
pub(super) fn groups(
    text: &str,
    me: &Me,
    agents: &[AgentCard],
    conversations: &[ConversationView],
) -> Vec<Group> {
    let wanted: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &Entry| {
        let own = format!("{} {}", entry.words, entry.about).to_lowercase();
        wanted.iter().all(|word| own.contains(word.as_str()))
    };
    let most = |empty: usize| if wanted.is_empty() { empty } else { MATCHES };
    let mut cards: Vec<&AgentCard> = agents.iter().collect();
    cards.sort_by_key(|card| !matches!(card.status, Status::Waiting | Status::Error));
    let of_agents = cards.into_iter().map(agent).filter(fits).take(most(MATCHES)).collect();
    let names: HashMap<_, _> = agents.iter().map(|card| (&card.id, card.name.as_str())).collect();
    let of_conversations = conversations
        .iter()
        .filter(|conversation| !conversation.title.is_empty())
        .map(|conversation| Entry {
            words: conversation_title(&conversation.title),
            about: names.get(&conversation.agent).map_or_else(String::new, |name| say!("with {name}")),
            leads: Leads::To(address(conversation)),
            icon: "chat",
            status: None,
        })
        .filter(fits)
        .take(most(RECENT))
        .collect();
    let admin = if me.rights.contains(&Right::RunTheHub) { ADMIN_PAGES } else { &[] };
    let pages = PAGES.iter().chain(admin).map(|(words, address, icon)| Entry {
        words: t(words).to_owned(),
        about: String::new(),
        leads: Leads::To((*address).to_owned()),
        icon,
        status: None,
    });
    let pages = if wanted.is_empty() { Vec::new() } else { pages.filter(fits).collect() };
    let commands = COMMANDS.iter().map(|(command, words, icon)| Entry {
        words: t(words).to_owned(),
        about: String::new(),
        leads: Leads::Does(*command),
        icon,
        status: None,
    });
    let commands = if wanted.is_empty() { Vec::new() } else { commands.filter(fits).collect() };
    let mut groups = vec![
        Group { name: t("Agents"), entries: of_agents },
        Group { name: t("Conversations"), entries: of_conversations },
        Group { name: t("Pages"), entries: pages },
        Group { name: t("Actions"), entries: commands },
    ];
    groups.retain(|group| !group.entries.is_empty());
    groups
}

fn agent(card: &AgentCard) -> Entry {
    let about = t(match card.status {
        Status::Waiting => "waits for you",
        Status::Error => "stopped with an error",
        Status::Running => "is at work",
        Status::Idle => "",
    });
    Entry {
        words: card.name.clone(),
        about: about.to_owned(),
        leads: Leads::To(format!("/agents/{}", card.id)),
        icon: "vivarium",
        status: Some(card.status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings_index::groups_for;
    use std::collections::HashSet;

    #[test]
    fn it_leads_to_every_setting() {
        let led_to: HashSet<&str> = PAGES.iter().chain(ADMIN_PAGES).map(|(_, address, _)| *address).collect();
        let groups: Vec<_> = groups_for(true).collect();
        let settings = groups.iter().flat_map(|group| group.settings).map(|setting| setting.href);
        let overviews = groups.iter().map(|group| group.overview.0);
        let missing: Vec<_> = settings.chain(overviews).filter(|address| !led_to.contains(address)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
