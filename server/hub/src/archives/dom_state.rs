//! `_dom_state.json`: a page as it stood, with its listeners. It is newer than the document beside it
//! and wins over it.

use crate::error::Result;
use crate::skins::document;
use protocol::frame::{Listener, SkinPage};
use scraper::Selector;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) const FILE: &str = "_dom_state.json";

/// Where flo.monster puts what its agent draws, in a document of its own.
const VIEWPORT: &str = "#agent-viewport";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DomState {
    /// What is inside the viewport if the document has one, otherwise what is inside `body`.
    #[serde(alias = "bodyHtml")]
    viewport_html: String,
    #[serde(alias = "bodyAttributes")]
    body_attrs: BTreeMap<String, String>,
    head_html: String,
    #[serde(alias = "htmlAttributes")]
    html_attrs: BTreeMap<String, String>,
    listeners: Vec<Heard>,
    captured_at: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Heard {
    selector: String,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default = "main")]
    worker_id: String,
}

impl DomState {
    pub(super) fn of(page: &SkinPage, at: i64) -> Self {
        let mut listeners: Vec<Heard> = Vec::new();
        for Listener { selector, event } in &page.listeners {
            match listeners.last_mut().filter(|heard| heard.selector == *selector) {
                Some(heard) => heard.events.push(event.clone()),
                None => listeners.push(Heard {
                    selector: selector.clone(),
                    events: vec![event.clone()],
                    worker_id: main(),
                }),
            }
        }
        Self {
            viewport_html: page.body.clone(),
            body_attrs: page.body_attributes.clone(),
            head_html: page.head.clone(),
            html_attrs: page.html_attributes.clone(),
            listeners,
            captured_at: at,
        }
    }

    /// The page, with what the state leaves out taken from the document.
    pub(super) fn page(self, document: Option<SkinPage>) -> Result<SkinPage> {
        let document = document.unwrap_or_default();
        let is_viewport = self.head_html.is_empty() && self.body_attrs.is_empty();
        let inside = if is_viewport { with_viewport(&document.body, &self.viewport_html)? } else { None };
        let heard = self.listeners.into_iter().flat_map(|Heard { selector, events, .. }| {
            events.into_iter().map(move |event| Listener { selector: selector.clone(), event })
        });
        Ok(SkinPage {
            head: if self.head_html.is_empty() { document.head } else { self.head_html },
            body: inside.unwrap_or(self.viewport_html),
            html_attributes: if self.html_attrs.is_empty() {
                document.html_attributes
            } else {
                self.html_attrs
            },
            body_attributes: if is_viewport { document.body_attributes } else { self.body_attrs },
            listeners: heard.collect(),
        })
    }
}

/// The body with `html` inside its viewport; `None` if it has none.
fn with_viewport(body: &str, html: &str) -> Result<Option<String>> {
    let document = document::parse(body)?;
    let selector = Selector::parse(VIEWPORT).expect("it is a selector");
    let Some(viewport) = document.select(&selector).next() else { return Ok(None) };
    let (whole, inner) = (viewport.html(), viewport.inner_html());
    let end = format!("{inner}</{}>", viewport.value().name());
    let Some(open) = whole.strip_suffix(&end).filter(|_| body.contains(&whole)) else { return Ok(None) };
    let filled = format!("{open}{html}</{}>", viewport.value().name());
    Ok(Some(body.replacen(&whole, &filled, 1)))
}

fn main() -> String {
    "main".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_state_fills_the_viewport_of_its_document_or_stands_for_all_of_it() {
        let document = SkinPage {
            head: "<style>p{}</style>".to_owned(),
            body: "<div id=\"agent-viewport\"><p>old</p></div>\n".to_owned(),
            ..SkinPage::default()
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
        ] {
            let state: DomState = serde_json::from_value(state).unwrap();
            let page = state.page(Some(document.clone())).unwrap();
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
        assert_eq!(state.page(None).unwrap(), page);
    }
}
