//! A page as one HTML document, which is what a `.srcdoc` file holds, and back. Listeners, which HTML
//! cannot carry, travel in a `meta` element of ours. Documents that others wrote are read by the engine.

use crate::engine::{Document, EngineError, LISTENERS, Reading, Servers, Still, Task, Unread};
use crate::error::{Error, Result};
use crate::skins::Skins;
use protocol::UserId;
use protocol::page::SkinPage;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

/// What reading a page may take.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) fn write(page: &SkinPage) -> String {
    let mut html = String::with_capacity(page.head.len() + page.body.len() + 256);
    html.push_str("<!DOCTYPE html><html");
    push_attributes(&mut html, &page.html_attributes);
    html.push_str("><head>");
    html.push_str(&page.head);
    if !page.listeners.is_empty() {
        let listeners = serde_json::to_string(&page.listeners).expect("two texts are JSON");
        let meta =
            BTreeMap::from([("name".to_owned(), LISTENERS.to_owned()), ("content".to_owned(), listeners)]);
        html.push_str("<meta");
        push_attributes(&mut html, &meta);
        html.push('>');
    }
    html.push_str("</head><body");
    push_attributes(&mut html, &page.body_attributes);
    html.push('>');
    html.push_str(&page.body);
    html.push_str("</body></html>");
    html
}

impl Skins<'_> {
    /// Reads any text as a browser would, and fills its viewport.
    pub(crate) async fn read_document(
        self,
        person: &UserId,
        html: String,
        viewport: Option<String>,
    ) -> Result<Document> {
        match self.read(person, Reading { html, viewport }).await? {
            Ok(document) => Ok(document),
            Err(Unread::TooMuch) => Err(Error::invalid(
                "The page cannot be read: too many of its elements are left open, or there are too many.",
            )),
            Err(Unread::TooLarge) => Err(too_large()),
        }
    }

    /// The servers that the page wants scripts, styles, pictures and the like from.
    pub(crate) async fn servers(self, person: &UserId, page: &SkinPage) -> Result<BTreeSet<String>> {
        self.read(person, Servers { page: page.clone() }).await
    }

    /// The page as a document in which nothing runs and which fetches nothing.
    pub(crate) async fn still(self, person: &UserId, page: SkinPage) -> Result<String> {
        self.read(person, Still { page }).await?.ok_or_else(unreadable)
    }

    async fn read<T: Task>(self, person: &UserId, task: T) -> Result<T::Done> {
        self.hub.engine().perform(person, task, READ_TIMEOUT).await.map_err(|error| match error {
            EngineError::TimedOut | EngineError::Died => unreadable(),
            EngineError::Busy => {
                Error::Limit("Too many of your pages are being read. Try again in a moment.".to_owned())
            }
            EngineError::NotStarted(error) => Error::internal(error),
        })
    }
}

pub(super) fn too_large() -> Error {
    Error::Limit("The page is larger than 2 MB.".to_owned())
}

fn unreadable() -> Error {
    Error::invalid("The page cannot be read: it takes more time or memory than a page may.")
}

pub(super) fn push_attributes(html: &mut String, attributes: &BTreeMap<String, String>) {
    for (name, value) in attributes {
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'));
        if name.is_empty() || !is_name {
            continue;
        }
        let value = value.replace('&', "&amp;").replace('"', "&quot;");
        write!(html, " {name}=\"{value}\"").expect("writing to a text cannot fail");
    }
}
