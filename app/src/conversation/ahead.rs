//! A conversation is asked for as soon as its link is pressed, or a mouse rests on it: by the time that the press is over,
//! part of the way is done. What comes of it is for a moment's use; entries since then are told by the feed as ever.

use crate::AppError;
use crate::agents::api::get_agent_page;
use crate::browser::clock;
use crate::prelude::*;
use leptos::ev;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event};
use leptos_router::hooks::use_location;
use protocol::AgentId;
use protocol::view::AgentPage as Page;
use std::cell::RefCell;
use std::pin::Pin;
use std::task::{Context, Waker};
use std::time::Duration;

/// Who rests on a link for so long may follow it.
const REST: Duration = Duration::from_millis(80);
/// What was asked for longer ago is asked for anew.
const KEPT_MS: f64 = 2_000.0;

thread_local! {
    /// What this tab asked for last. On a server no link is pressed: there is nothing.
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

struct Asked {
    agent: AgentId,
    conversation: String,
    at: f64,
    /// Its link was pressed. Who comes otherwise may have changed something meanwhile.
    is_pressed: bool,
    page: Pin<Box<dyn Future<Output = Result<Page, AppError>> + Send>>,
}

impl Asked {
    fn is_good(&self, agent: &AgentId, conversation: &str) -> bool {
        self.agent == *agent && self.conversation == conversation && clock::now() - self.at < KEPT_MS
    }
}

/// What a pointer does to a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Rests,
    Presses,
}

/// The page of a conversation, which may be on its way already.
pub async fn page(agent: AgentId, conversation: String) -> Result<Page, AppError> {
    let asked = ASKED.take().filter(|asked| asked.is_pressed && asked.is_good(&agent, &conversation));
    match asked {
        Some(asked) => asked.page.await,
        None => get_agent_page(agent, 0, conversation).await,
    }
}

/// Asks for what links lead to that look as if they were to be followed.
#[component]
pub fn AskAhead() -> impl IntoView {
    let pathname = use_location().pathname;
    let rests = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let ask = move |path: &str, sign: Sign| {
            if pathname.with_untracked(|shown| shown != path) {
                begin(path, sign);
            }
        };
        let press = window_event_listener(ev::pointerdown, move |event| {
            if event.button() == 0
                && let Some(path) = path_of(&event)
            {
                ask(&path, Sign::Presses);
            }
        });
        // Whatever it comes upon next ends its rest.
        let rest = window_event_listener(ev::pointerover, move |event| {
            rests.update_value(|rests| *rests = rests.wrapping_add(1));
            let rest = rests.get_value();
            if event.pointer_type() == "mouse"
                && let Some(path) = path_of(&event)
            {
                let ask = move || {
                    if rests.try_get_value() == Some(rest) {
                        ask(&path, Sign::Rests);
                    }
                };
                set_timeout(ask, REST);
            }
        });
        on_cleanup(move || {
            press.remove();
            rest.remove();
        });
    });
}

/// The address of the link that this happened to.
fn path_of(event: &Event) -> Option<String> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let href = element.closest("a[href]").ok()??.get_attribute("href")?;
    Some(href.split(['?', '#']).next().unwrap_or_default().to_owned())
}

fn begin(path: &str, sign: Sign) {
    let Some((agent, conversation)) = conversation_at(path) else { return };
    let is_pressed = sign == Sign::Presses;
    let is_asked = ASKED.with_borrow_mut(|asked| {
        let asked = asked.as_mut().filter(|asked| asked.is_good(&agent, &conversation));
        let Some(asked) = asked else { return false };
        asked.is_pressed |= is_pressed;
        true
    });
    if is_asked {
        return;
    }
    let mut asked = Asked {
        page: Box::pin(get_agent_page(agent.clone(), 0, conversation.clone())),
        agent,
        conversation,
        at: clock::now(),
        is_pressed,
    };
    // The request leaves with the first poll; who waits for the answer polls again.
    if asked.page.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        ASKED.set(Some(asked));
    }
}

/// The agent and the conversation of a page. An empty one is the one that was used last.
fn conversation_at(path: &str) -> Option<(AgentId, String)> {
    let mut parts = path.strip_prefix("/agents/")?.split('/');
    let agent = parts.next().filter(|agent| !agent.is_empty() && *agent != "new")?;
    let conversation = match (parts.next(), parts.next(), parts.next()) {
        (None, None, None) => "",
        (Some("conversations"), Some(conversation), None) if !conversation.is_empty() => conversation,
        _ => return None,
    };
    Some((AgentId::from(agent), conversation.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_shows_a_conversation_is_asked_for_ahead() {
        for (path, expected) in [
            ("/agents/a1", Some(("a1", ""))),
            ("/agents/a1/conversations/c1", Some(("a1", "c1"))),
            ("/agents/a1/conversations", None),
            ("/agents/a1/conversations/", None),
            ("/agents/a1/conversations/c1/export", None),
            ("/agents/a1/edit", None),
            ("/agents/new", None),
            ("/agents/", None),
            ("/", None),
            ("https://elsewhere.example/agents/a1", None),
        ] {
            let found = conversation_at(path);
            let found = found.as_ref().map(|(agent, conversation)| (agent.0.as_str(), conversation.as_str()));
            assert_eq!(found, expected, "{path}");
        }
    }
}
