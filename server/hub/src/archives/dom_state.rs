//! `_dom_state.json`: a page as it stood, with its listeners. It is newer than the document beside it
//! and wins over it.

use crate::engine::Document;
use protocol::page::{Listener, SkinPage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FILE: &str = "_dom_state.json";

/// Who hears events there, unless they are for a helper of the agent's.
const AGENT: &str = "main";

/// What a listener hears that names no element.
const WHOLE_PAGE: &str = ":root";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DomState {
    /// What is inside the viewport if the document has one, otherwise what is inside `body`. Empty: it is as
    /// the document has it.
    #[serde(alias = "bodyHtml")]
    viewport_html: String,
    #[serde(alias = "bodyAttributes")]
    body_attrs: BTreeMap<String, String>,
    head_html: String,
    #[serde(alias = "htmlAttributes")]
    html_attrs: BTreeMap<String, String>,
    listeners: Vec<DomListener>,
    captured_at: Value,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DomListener {
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<String>,
    events: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worker_id: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    options: Map<String, Value>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

impl DomState {
    pub(super) fn of(page: &SkinPage, at: i64) -> Self {
        let mut listeners: Vec<DomListener> = Vec::new();
        for Listener { selector, event } in &page.listeners {
            match listeners.last_mut().filter(|heard| heard.selector.as_ref() == Some(selector)) {
                Some(heard) => heard.events.push(event.clone()),
                None => listeners.push(DomListener {
                    selector: Some(selector.clone()),
                    events: vec![event.clone()],
                    worker_id: Some(AGENT.to_owned()),
                    ..DomListener::default()
                }),
            }
        }
        Self {
            viewport_html: page.body.clone(),
            body_attrs: page.body_attributes.clone(),
            head_html: page.head.clone(),
            html_attrs: page.html_attributes.clone(),
            listeners,
            captured_at: json!(at),
            unknown: Map::new(),
        }
    }

    /// What it says and the page does not, a sentence each.
    pub(super) fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        let listeners = self.listeners.iter();
        let unknown = listeners.flat_map(|heard| heard.options.keys().chain(heard.unknown.keys()));
        let unknown: BTreeSet<_> = unknown.chain(self.unknown.keys()).map(String::as_str).collect();
        if !unknown.is_empty() {
            let list: Vec<_> = unknown.into_iter().collect();
            notices.push(format!("Its captured page says what means nothing here: {}.", list.join(", ")));
        }
        let is_helpers =
            |heard: &&DomListener| heard.worker_id.as_deref().is_some_and(|worker| worker != AGENT);
        let helpers = self.listeners.iter().filter(is_helpers).count();
        if helpers > 0 {
            notices.push(format!(
                "{helpers} of its page's listeners wake a helper, which is not here. They wake the agent."
            ));
        }
        notices
    }

    /// What is to stand in the viewport of its document, if that has one.
    pub(super) fn viewport(&self) -> Option<&str> {
        (self.is_viewport() && !self.viewport_html.is_empty()).then_some(self.viewport_html.as_str())
    }

    /// Whether it says nothing of what is around the viewport.
    fn is_viewport(&self) -> bool {
        self.head_html.is_empty() && self.body_attrs.is_empty()
    }

    /// The page, with what the state leaves out taken from the document.
    pub(super) fn page(self, document: Option<Document>) -> SkinPage {
        let is_viewport = self.is_viewport();
        let (document, inside) =
            document.map_or_else(Default::default, |Document { page, filled }| (page, filled));
        let body =
            if self.viewport_html.is_empty() { document.body } else { inside.unwrap_or(self.viewport_html) };
        let heard = self.listeners.into_iter().flat_map(|DomListener { selector, events, .. }| {
            let selector = selector.unwrap_or_else(|| WHOLE_PAGE.to_owned());
            events.into_iter().map(move |event| Listener { selector: selector.clone(), event })
        });
        SkinPage {
            head: if self.head_html.is_empty() { document.head } else { self.head_html },
            body,
            html_attributes: if self.html_attrs.is_empty() {
                document.html_attributes
            } else {
                self.html_attrs
            },
            body_attributes: if is_viewport { document.body_attributes } else { self.body_attrs },
            listeners: heard.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_fills_the_viewport_of_its_document_or_stands_for_all_of_it() {
        let document = |viewport: Option<&str>| Document {
            page: SkinPage {
                head: "<style>p{}</style>".to_owned(),
                body: "<div id=\"agent-viewport\"><p>old</p></div>\n".to_owned(),
                ..SkinPage::default()
            },
            filled: viewport.map(|html| format!("<div id=\"agent-viewport\">{html}</div>\n")),
        };
        for (state, head, body) in [
            (
                json!({ "viewportHtml": "<b>new</b>", "listeners": [] }),
                "<style>p{}</style>",
                "<div id=\"agent-viewport\"><b>new</b></div>\n",
            ),
            (
                json!({ "viewportHtml": "<b>new</b>", "headHtml": "<title>T</title>", "bodyAttrs": { "class": "x" } }),
                "<title>T</title>",
                "<b>new</b>",
            ),
            (
                json!({ "viewportHtml": "" }),
                "<style>p{}</style>",
                "<div id=\"agent-viewport\"><p>old</p></div>\n",
            ),
        ] {
            let state: DomState = serde_json::from_value(state).unwrap();
            let document = document(state.viewport());
            let page = state.page(Some(document));
            assert_eq!((page.head.as_str(), page.body.as_str()), (head, body));
        }
    }

    #[test]
    fn a_page_comes_back_from_its_state() {
        let heard =
            |selector: &str, event: &str| Listener { selector: selector.to_owned(), event: event.to_owned() };
        let page = SkinPage {
            head: "<style>p{}</style>".to_owned(),
            body: "<p>a".to_owned(),
            body_attributes: BTreeMap::from([("class".to_owned(), "x".to_owned())]),
            listeners: vec![heard("#a", "click"), heard("#a", "input"), heard("#b", "click")],
            ..SkinPage::default()
        };
        let text = serde_json::to_string(&DomState::of(&page, 7)).unwrap();
        let state: DomState = serde_json::from_str(&text).unwrap();
        assert_eq!(state.page(None), page);
    }
}
