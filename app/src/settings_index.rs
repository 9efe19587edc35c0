//! Which settings there are, and which of them a page belongs to.

use crate::prelude::*;

/// Where something is set: a page, or a part of one.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    pub href: &'static str,
    pub icon: &'static str,
    pub name: &'static str,
    /// What is set there.
    pub about: &'static str,
    /// The setting whose page has it, or leads to it.
    pub part_of: Option<&'static str>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    pub id: &'static str,
    pub name: &'static str,
    /// The page with the overview that it stands on, and the name of that.
    pub overview: (&'static str, &'static str),
    pub settings: &'static [Setting],
}

/// Where a page stands among the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub group: &'static Group,
    /// The setting of that group to which it belongs.
    pub href: &'static str,
}

const OF_PEOPLE: (&str, &str) = ("/settings", key!("Settings"));
pub const OF_THE_HUB: (&str, &str) = ("/settings/hub", key!("The hub"));

const GROUPS: &[Group] = &[
    Group {
        id: "you",
        name: key!("You"),
        overview: OF_PEOPLE,
        settings: &[
            page(
                "/account",
                "user",
                key!("Account"),
                key!("Devices that are signed in, password, passkeys, tokens, what is kept and for how long"),
            ),
            part(
                "/account",
                "/account#appearance",
                "sun",
                key!("Appearance"),
                key!("Language, colours, contrast, size of the text"),
            ),
            page(
                "/notifications/settings",
                "bell",
                key!("Notifications"),
                key!("What you hear of, where, and at which times not"),
            ),
            page(
                "/context",
                "location",
                key!("Context"),
                key!("What agents are told around what you say: time, place, device, calendar"),
            ),
            page(
                "/memory",
                "thought",
                key!("Memory"),
                key!("What is remembered of you from one conversation to the next"),
            ),
            part(
                "/account",
                "/account/second-factor",
                "key",
                key!("Second factor"),
                key!("A code from your phone, besides the password"),
            ),
            part(
                "/account",
                "/account/transfer",
                "link",
                key!("Move settings"),
                key!("Providers, prices, limits and rules, to another device or hub"),
            ),
            part(
                "/account",
                "/import",
                "file",
                key!("Import conversations"),
                key!("What you said with ChatGPT, Claude and others, from the files that they export"),
            ),
        ],
    },
    Group {
        id: "models-and-money",
        name: key!("Models and money"),
        overview: OF_PEOPLE,
        settings: &[
            page(
                "/providers",
                "key",
                key!("Providers"),
                key!("Where models run, with their keys; dictation and reading aloud"),
            ),
            page("/models", "tool", key!("Models"), key!("What is known of models: room, prices, abilities")),
            page("/usage", "usage", key!("Usage"), key!("What was spent, on what, and your limits")),
        ],
    },
    Group {
        id: "what-agents-use",
        name: key!("What agents can use"),
        overview: OF_PEOPLE,
        settings: &[
            page(
                "/skills",
                "file",
                key!("Skills"),
                key!("Instructions for a kind of work, which agents read when they need them"),
            ),
            page(
                "/mcp-servers",
                "link",
                key!("MCP servers"),
                key!("Servers elsewhere whose tools your agents can call"),
            ),
            page("/web-search", "search", key!("Web search"), key!("Where your agents search the web")),
            page(
                "/external-jobs",
                "tool",
                key!("External jobs"),
                key!("Where agents may start work elsewhere, and how it goes"),
            ),
            page(
                "/peers",
                "people",
                key!("Peers"),
                key!("Other hubs, and agents elsewhere, that your agents may ask"),
            ),
        ],
    },
    Group {
        id: "records",
        name: key!("Records"),
        overview: OF_PEOPLE,
        settings: &[
            page(
                "/account/audit",
                "clock",
                key!("Audit"),
                key!("What happened with your account, and from where"),
            ),
            page(
                "/account/calls",
                "tool",
                key!("Calls of tools"),
                key!("What your agents called, and what came of it"),
            ),
        ],
    },
    Group {
        id: "hub",
        name: key!("The hub"),
        overview: OF_THE_HUB,
        settings: &[
            page(
                "/admin",
                "settings",
                key!("Admin"),
                key!("People, invitations, terminals, files, limits for everybody"),
            ),
            page(
                "/admin/status",
                "info",
                key!("Status"),
                key!("How the hub is: database, disk, backups, providers, log"),
            ),
            page("/groups", "people", key!("Groups"), key!("Groups of people, to share with")),
            page(
                "/admin/audit",
                "clock",
                key!("Audit of everybody"),
                key!("What happened on the whole hub, and from where"),
            ),
            page(
                "/admin/calls",
                "tool",
                key!("Calls of everybody"),
                key!("What all agents of the hub called, and what came of it"),
            ),
        ],
    },
];

const fn page(href: &'static str, icon: &'static str, name: &'static str, about: &'static str) -> Setting {
    Setting { href, icon, name, about, part_of: None }
}

const fn part(
    of: &'static str,
    href: &'static str,
    icon: &'static str,
    name: &'static str,
    about: &'static str,
) -> Setting {
    Setting { href, icon, name, about, part_of: Some(of) }
}

/// Those that somebody sees who may run the hub, or may not.
pub fn groups_for(runs_the_hub: bool) -> impl Iterator<Item = &'static Group> {
    GROUPS.iter().filter(move |group| runs_the_hub || group.overview != OF_THE_HUB)
}

/// `None` where nothing is set, and on the pages with the overview.
pub fn place_of(path: &str) -> Option<Place> {
    // Where agents may start work stands above what they started.
    let path = if path.starts_with("/job-services/") { "/external-jobs" } else { path };
    let all = GROUPS.iter().flat_map(|group| group.settings.iter().map(move |setting| (group, setting)));
    let (group, setting) = all
        .filter(|(_, setting)| is_within(path, setting.href))
        .max_by_key(|(_, setting)| setting.href.len())?;
    Some(Place { group, href: setting.part_of.unwrap_or(setting.href) })
}

fn is_within(path: &str, href: &str) -> bool {
    path.strip_prefix(href).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_belongs_to_the_setting_whose_address_it_has_or_goes_on_from() {
        for (path, expected) in [
            ("/providers", Some(("models-and-money", "/providers"))),
            ("/providers/7/share", Some(("models-and-money", "/providers"))),
            ("/skills/found", Some(("what-agents-use", "/skills"))),
            ("/job-services/7", Some(("what-agents-use", "/external-jobs"))),
            ("/account", Some(("you", "/account"))),
            ("/account/transfer", Some(("you", "/account"))),
            ("/import/7", Some(("you", "/account"))),
            ("/account/audit", Some(("records", "/account/audit"))),
            ("/admin/people/7", Some(("hub", "/admin"))),
            ("/admin/status", Some(("hub", "/admin/status"))),
            ("/notifications", None),
            ("/accounts", None),
            ("/settings", None),
            ("/settings/hub", None),
            ("/", None),
        ] {
            let place = place_of(path).map(|place| (place.group.id, place.href));
            assert_eq!(place, expected, "{path}");
        }
    }

    #[test]
    fn what_is_a_part_of_a_setting_stands_in_the_same_group() {
        for group in GROUPS {
            let is_there = |of: &str| group.settings.iter().any(|setting| setting.href == of);
            for setting in group.settings {
                assert!(setting.part_of.is_none_or(is_there), "{}", setting.href);
            }
        }
    }

    #[test]
    fn what_is_of_the_hub_is_shown_to_whoever_runs_it() {
        assert!(groups_for(false).all(|group| group.id != "hub"));
        assert!(groups_for(true).any(|group| group.id == "hub"));
    }
}
