//! Servers that anybody may use, as cards: a press fills in name and address of one.

use crate::prelude::*;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// What it is called here until its person calls it otherwise.
    pub(super) name: &'static str,
    pub(super) url: &'static str,
    title: &'static str,
    about: &'static str,
    wants: &'static str,
}

const NOTHING: &str = key!("Asks for nothing");
const SIGN_IN: &str = key!("You sign in there");
const TOKEN: &str = key!("Wants a token");

static KNOWN: [Known; 8] = [
    Known {
        name: "deepwiki",
        url: "https://mcp.deepwiki.com/mcp",
        title: "DeepWiki",
        about: key!("Explains public repositories"),
        wants: NOTHING,
    },
    Known {
        name: "context7",
        url: "https://mcp.context7.com/mcp",
        title: "Context7",
        about: key!("Documentation of libraries, by version"),
        wants: NOTHING,
    },
    Known {
        name: "learn",
        url: "https://learn.microsoft.com/api/mcp",
        title: "Microsoft Learn",
        about: key!("Documentation of Microsoft"),
        wants: NOTHING,
    },
    Known {
        name: "cloudflare-docs",
        url: "https://docs.mcp.cloudflare.com/mcp",
        title: "Cloudflare",
        about: key!("Documentation of Cloudflare"),
        wants: NOTHING,
    },
    Known {
        name: "huggingface",
        url: "https://huggingface.co/mcp",
        title: "Hugging Face",
        about: key!("Models, data sets and papers"),
        wants: NOTHING,
    },
    Known {
        name: "linear",
        url: "https://mcp.linear.app/mcp",
        title: "Linear",
        about: key!("Your issues and projects"),
        wants: SIGN_IN,
    },
    Known {
        name: "notion",
        url: "https://mcp.notion.com/mcp",
        title: "Notion",
        about: key!("Your pages and databases"),
        wants: SIGN_IN,
    },
    Known {
        name: "github",
        url: "https://api.githubcopilot.com/mcp/",
        title: "GitHub",
        about: key!("Your repositories, issues and pull requests"),
        wants: TOKEN,
    },
];

/// The one of this name.
pub(super) fn named(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

#[component]
pub(super) fn KnownServers(chosen: Memo<Option<&'static Known>>) -> impl IntoView {
    let cards = KNOWN.iter().map(move |known| {
        let Known { name, title, about, wants, .. } = known;
        let is_chosen = move || (chosen.get() == Some(known)).then_some("true");
        view! {
            <li>
                <a class="known-server" href=format!("/mcp-servers?known={name}#server-form") aria-current=is_chosen>
                    <b>{*title}</b>
                    <span>{t(about)}</span>
                    <span class="known-server-wants">{t(wants)}</span>
                </a>
            </li>
        }
    });
    view! {
        <p id="known-servers">"Servers that anybody may use. Press one, and its name and address are filled in:"</p>
        <ul class="known-servers" aria-labelledby="known-servers">{cards.collect_view()}</ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_known_server_has_a_name_of_its_own_that_may_be_entered_and_a_sealed_address() {
        let names: BTreeSet<_> = KNOWN.iter().map(|known| known.name).collect();
        assert_eq!(names.len(), KNOWN.len());
        for Known { name, url, .. } in &KNOWN {
            let may_be_entered = name.len() <= 20
                && name.starts_with(|first: char| first.is_ascii_lowercase())
                && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
            assert!(may_be_entered, "{name}");
            assert!(url.starts_with("https://") && !url.contains('?'), "{url}");
            assert_eq!(named(name).map(|known| known.url), Some(*url));
        }
        assert_eq!(named("nobody"), None);
    }
}
