//! What waits for the person to look at it, in a row each. No agent waits with it.

use crate::prelude::*;
use protocol::view::{McpServerReview, ProposedSkill, Reviews};

/// What is to be looked at, and where.
struct Review {
    words: String,
    page: String,
    link: &'static str,
    /// The link, for who does not see what it stands beside.
    label: String,
}

pub(super) fn rows(reviews: Reviews) -> impl IntoView {
    let Reviews { memories, disagreeing, skills, mcp_servers } = reviews;
    let proposed = (memories > 0).then(|| Review {
        words: plural!(
            memories,
            "{memories} memory waits for your yes: its agent had read words of strangers.",
            "{memories} memories wait for your yes: their agents had read words of strangers."
        ),
        page: "/memory#proposed".to_owned(),
        link: t("See what waits"),
        label: t("See what waits").to_owned(),
    });
    let disagreeing = (disagreeing > 0).then(|| Review {
        words: plural!(
            disagreeing,
            "{disagreeing} memory may not be true beside an older one.",
            "{disagreeing} memories may not be true beside older ones."
        ),
        page: "/memory#disagreeing".to_owned(),
        link: t("Say which holds"),
        label: t("Say which holds").to_owned(),
    });
    let skills = skills.into_iter().map(|ProposedSkill { id, name }| Review {
        words: say!("The skill {name} waits for your yes: an agent of yours wrote it."),
        page: format!("/skills/{id}"),
        link: t("See the skill"),
        label: say!("See the skill {name}"),
    });
    let servers = mcp_servers.into_iter().flat_map(of_server);
    let all = proposed.into_iter().chain(disagreeing).chain(skills).chain(servers);
    all.map(row).collect_view()
}

fn of_server(server: McpServerReview) -> impl Iterator<Item = Review> {
    let McpServerReview { id, name, tools_changed: tools, tools_new, is_signed_out } = server;
    let (page, link) = (format!("/mcp-servers/{id}"), t("See the server"));
    let label = say!("See the server {name}");
    let changed = (tools > 0).then(|| Review {
        words: plural!(
            tools,
            "{tools} tool of the server {name} changed and is off until you have looked at it.",
            "{tools} tools of the server {name} changed and are off until you have looked at them."
        ),
        page: page.clone(),
        link,
        label: label.clone(),
    });
    let new = (tools_new > 0).then(|| Review {
        words: plural!(
            tools_new,
            "{tools_new} tool of the server {name} is new and off until you say whether it is on.",
            "{tools_new} tools of the server {name} are new and off until you say whether they are on."
        ),
        page: page.clone(),
        link,
        label: label.clone(),
    });
    let signed_out = is_signed_out.then(|| Review {
        words: say!("The server {name} wants you to sign in again."),
        page,
        link,
        label,
    });
    changed.into_iter().chain(new).chain(signed_out)
}

fn row(review: Review) -> impl IntoView {
    let Review { words, page, link, label } = review;
    view! {
        <li class="banner" data-kind="ask">
            <span class="dot" data-status="waiting" aria-hidden="true"></span>
            <p class="banner-text">{words}</p>
            <a class="button" href=page aria-label=label>{link}</a>
        </li>
    }
}
