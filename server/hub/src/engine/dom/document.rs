//! A document that somebody wrote, read as the page that it would be in a browser.

use super::effort::TooMuch;
use super::tree::{NodeId, Tree};
use crate::skins;
use html5ever::local_name;
use protocol::page::{Listener, SkinPage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use url::Url;

/// The name of the `meta` element in which listeners travel, which HTML cannot carry.
pub(crate) const LISTENERS: &str = "vivarium-listeners";

/// Where flo.monster puts what its agent draws, in a document of its own.
const VIEWPORT: &str = "agent-viewport";

/// What is to be read.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Reading {
    /// Any text: what is not HTML becomes text on a page.
    pub(crate) html: String,
    /// What is to stand in its viewport.
    pub(crate) viewport: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Document {
    pub(crate) page: SkinPage,
    /// The body with its viewport filled, if it has one.
    pub(crate) filled: Option<String>,
}

/// Why there is no page.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) enum Unread {
    TooMuch,
    TooLarge,
}

impl From<TooMuch> for Unread {
    fn from(_: TooMuch) -> Self {
        Self::TooMuch
    }
}

pub(in crate::engine) fn read(Reading { html, viewport }: Reading) -> Result<Document, Unread> {
    let mut tree = Tree::default();
    let document = tree.parse_document(&html)?;
    let listeners = take_listeners(&mut tree, document);
    let part = |name| child(&tree, child(&tree, document, "html")?, name);
    let (head, body) = (part("head"), part("body"));
    let page = SkinPage {
        head: head.map(|head| tree.inner_html(head)).unwrap_or_default(),
        body: body.map(|body| tree.inner_html(body)).unwrap_or_default(),
        html_attributes: child(&tree, document, "html")
            .map(|html| tree.attributes_of(html))
            .unwrap_or_default(),
        body_attributes: body.map(|body| tree.attributes_of(body)).unwrap_or_default(),
        listeners,
    };
    let filled = match (viewport, body) {
        (Some(viewport), Some(body)) => fill(&mut tree, body, &viewport)?,
        (Some(_) | None, _) => None,
    };
    let is_small = |length: usize| length <= skins::PAGE;
    let size = serde_json::to_string(&page).map_or(usize::MAX, |text| text.len());
    if !is_small(size) || !is_small(filled.as_ref().map_or(0, String::len)) {
        return Err(Unread::TooLarge);
    }
    Ok(Document { page, filled })
}

/// The servers that the page wants scripts, styles, pictures and the like from.
pub(in crate::engine) fn servers(page: &SkinPage) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in [&page.head, &page.body] {
        let mut tree = Tree::default();
        let Ok(document) = tree.parse_document(part) else { continue };
        for element in tree.everything_below(document).filter_map(|id| tree.element(id)) {
            let is_link = element.name.local == local_name!("link");
            let addresses = ["href", "src", "poster"].into_iter().filter(|name| *name != "href" || is_link);
            found.extend(addresses.filter_map(|name| element.attribute(name)).filter_map(server));
        }
    }
    found
}

fn server(address: &str) -> Option<String> {
    let base = Url::parse("https://page.invalid/").ok()?;
    let url = base.join(address).ok()?;
    let is_elsewhere = matches!(url.scheme(), "http" | "https") && url.host_str() != base.host_str();
    is_elsewhere.then(|| url.host_str().unwrap_or_default().to_owned())
}

fn child(tree: &Tree, parent: NodeId, name: &str) -> Option<NodeId> {
    let is_named = |id: &NodeId| tree.element(*id).is_some_and(|element| *element.name.local == *name);
    tree.children(parent).find(is_named)
}

fn take_listeners(tree: &mut Tree, document: NodeId) -> Vec<Listener> {
    let carries = |id: &NodeId| {
        let element = tree.element(*id);
        element.is_some_and(|element| {
            element.is_html(&local_name!("meta")) && element.attribute("name") == Some(LISTENERS)
        })
    };
    let carriers: Vec<_> = tree.all_below(document).filter(carries).collect();
    let mut listeners = Vec::new();
    for carrier in carriers {
        let content = tree.element(carrier).and_then(|element| element.attribute("content"));
        listeners = content.and_then(|content| serde_json::from_str(content).ok()).unwrap_or_default();
        tree.detach(carrier);
    }
    listeners
}

fn fill(tree: &mut Tree, body: NodeId, html: &str) -> Result<Option<String>, TooMuch> {
    let is_viewport =
        |id: &NodeId| tree.element(*id).is_some_and(|element| element.attribute("id") == Some(VIEWPORT));
    let Some(viewport) = tree.all_below(body).find(is_viewport) else { return Ok(None) };
    tree.clear(viewport);
    for node in tree.parse(html, viewport)? {
        tree.append(viewport, node);
    }
    Ok(Some(tree.inner_html(body)))
}

#[cfg(test)]
mod tests;
