//! Calls of the hub to the page: performed as soon as it is there, and each answered once, whatever
//! becomes of the page.

use super::{Load, PAGE_TIMEOUT, shows, with};
use crate::application::application;
use crate::live;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::hub::ClientFrame;
use protocol::page::{SkinCommand, SkinDone};
use serde_json::json;

/// Performs a call that the hub let through, as soon as the page is there.
pub fn perform(request: u64, agent: AgentId, command: SkinCommand) {
    if !shows(&agent) {
        return refuse(agent, vec![request], "This tab does not show the page any more.");
    }
    let has_frame = with(|skin| {
        match skin.load {
            Load::Shown { .. } => skin.call(request, command),
            Load::Opening | Load::Fetching { .. } => skin.waiting.push((request, command)),
        }
        skin.frame.is_some()
    });
    if has_frame != Some(true) {
        return give_up(request);
    }
    set_timeout(move || give_up(request), PAGE_TIMEOUT);
}

/// Answers a call that nobody has performed so far.
fn give_up(request: u64) {
    let agent = with(|skin| {
        let place = skin.waiting.iter().position(|(waiting, _)| *waiting == request)?;
        skin.waiting.remove(place);
        Some(skin.agent.clone())
    });
    if let Some(Some(agent)) = agent {
        refuse(agent, vec![request], "The page is not ready, so nothing was done. Try again in a moment.");
    }
}

/// Answers calls with an error. The answer carries the page as it is stored: without knowing that,
/// silence is better than a page that would replace it.
pub(super) fn refuse(agent: AgentId, requests: Vec<u64>, why: &'static str) {
    if requests.is_empty() {
        return;
    }
    let known = with(|skin| if skin.agent == agent { skin.page.clone() } else { None }).flatten();
    spawn_local(async move {
        let page = match known {
            Some(page) => page,
            None => match (application().skin)(agent).await {
                Ok(drawn) => drawn.map(|drawn| drawn.page).unwrap_or_default(),
                Err(_) => return,
            },
        };
        for request in requests {
            let done = SkinDone { result: json!({ "error": why }), is_error: true, page: page.clone() };
            live::send(ClientFrame::SkinDone { request, done });
        }
    });
}
