//! A page as its server gives it.

use super::hosts::{self, Asked};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::view::AppPermission;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Where a resource says how it is to be shown.
const UI: &str = "/_meta/ui";
/// The attribute by which markup brings a tree along, and one that means nothing.
const TREE: &str = "shadowrootmode";
const NO_TREE: &str = "shadowrootnone";

/// With what it names.
#[derive(Debug)]
pub(in super::super) struct Whole {
    pub(super) html: String,
    /// Hosts that it wants to speak with, and those from which it wants pictures, fonts, styles and scripts.
    pub(super) connect: BTreeSet<String>,
    pub(super) load: BTreeSet<String>,
    /// What it wants to use of the device.
    pub(super) permissions: BTreeSet<AppPermission>,
    pub(super) is_bordered: bool,
}

/// With what of that its person allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppPage {
    pub html: String,
    /// Hosts that it may speak with: scheme, host and port.
    pub connect: Vec<String>,
    /// Hosts from which it may have pictures, fonts, styles and scripts.
    pub load: Vec<String>,
    /// What it may use of the device.
    pub uses: Vec<AppPermission>,
}

fn content(result: &Value) -> Option<&Value> {
    result.get("contents")?.get(0)
}

/// Whether what was read says how it is to be shown and what it reaches.
pub(super) fn tells_of_itself(result: &Value) -> bool {
    content(result).is_some_and(|content| content.pointer(UI).is_some())
}

/// Markup can bring trees along that no script looks into, and frames in them nobody would take out. Scripts make theirs
/// through a function that is watched (`sandbox/page/skin/frames.js`). The name has no other spelling in HTML.
fn without_hidden_trees(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let (mut seen, mut at) = (String::with_capacity(html.len()), 0);
    for (found, name) in lower.match_indices(TREE) {
        seen.push_str(&html[at..found]);
        seen.push_str(NO_TREE);
        at = found + name.len();
    }
    seen.push_str(&html[at..]);
    seen
}

impl Whole {
    /// Where a page says nothing of itself, what is `listed` of it holds. `None`: what was read is no page.
    pub(super) fn of(
        result: &Value,
        listed: Option<&Value>,
        without_secrets: impl Fn(&str) -> String,
    ) -> Option<Self> {
        let content = content(result)?;
        let kind = content.get("mimeType")?.as_str()?;
        let kind: String = kind.chars().filter(|char| !char.is_whitespace()).collect();
        if !kind.eq_ignore_ascii_case(super::PAGE) {
            return None;
        }
        let part = |name: &str| content.get(name).and_then(Value::as_str);
        let html = match (part("text"), part("blob")) {
            (Some(text), _) => text.to_owned(),
            (None, Some(blob)) => String::from_utf8(STANDARD.decode(blob).ok()?).ok()?,
            (None, None) => return None,
        };
        let ui = content.pointer(UI).or_else(|| listed?.pointer(UI));
        let csp = |name: &str| ui?.get("csp")?.get(name);
        Some(Self {
            html: without_hidden_trees(&without_secrets(&html)),
            connect: hosts::named(csp("connectDomains")),
            load: hosts::named(csp("resourceDomains")),
            permissions: hosts::permissions(ui.and_then(|ui| ui.get("permissions"))),
            is_bordered: ui.and_then(|ui| ui.get("prefersBorder")) != Some(&Value::Bool(false)),
        })
    }

    pub(super) fn size(&self) -> usize {
        self.html.len()
    }

    /// Names the page with what it may reach and use.
    pub(super) fn seal(&self, asked: &Asked) -> String {
        let page = self.with(asked);
        let mut digest = Sha256::new();
        let uses: Vec<&str> = page.uses.iter().map(|permission| permission.name()).collect();
        for part in [&page.html, &page.connect.join(" "), &page.load.join(" "), &uses.join(" ")] {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        data_encoding::HEXLOWER.encode(&digest.finalize())
    }

    pub(super) fn with(&self, asked: &Asked) -> AppPage {
        let allowed = |named: &BTreeSet<String>| named.intersection(&asked.allowed).cloned().collect();
        let uses = self.permissions.iter().copied();
        AppPage {
            html: self.html.clone(),
            connect: allowed(&self.connect),
            load: allowed(&self.load),
            uses: uses.filter(|permission| asked.allowed.contains(permission.name())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_read_is_a_page_if_it_says_so() {
        let page = |content: Value| {
            Whole::of(&json!({ "contents": [content] }), None, str::to_owned).map(|page| page.html)
        };
        let kind = super::super::PAGE;
        for (content, expected) in [
            (json!({ "mimeType": kind, "text": "<p>" }), Some("<p>")),
            (json!({ "mimeType": "text/html; profile=MCP-App", "blob": "PHA+" }), Some("<p>")),
            (json!({ "mimeType": "text/html", "text": "<p>" }), None),
            (json!({ "mimeType": kind }), None),
            (json!({ "mimeType": kind, "blob": "?" }), None),
            (json!({ "text": "<p>" }), None),
        ] {
            assert_eq!(page(content.clone()).as_deref(), expected, "{content}");
        }
    }

    #[test]
    fn what_the_list_says_of_a_page_holds_where_it_says_nothing_of_itself() {
        let listed = json!({ "_meta": { "ui": { "csp": { "connectDomains": ["https://a.example"] }, "prefersBorder": false } } });
        let own = json!({ "ui": { "csp": { "connectDomains": ["https://b.example"] } } });
        for (meta, expected, is_bordered) in
            [(json!({}), "https://a.example", false), (own, "https://b.example", true)]
        {
            let content = json!({ "mimeType": super::super::PAGE, "text": "<p>", "_meta": meta });
            let result = json!({ "contents": [content] });
            assert_eq!(tells_of_itself(&result), is_bordered, "{meta}");
            let page = Whole::of(&result, Some(&listed), str::to_owned).expect("a page");
            assert_eq!(page.connect.into_iter().collect::<Vec<_>>(), [expected]);
            assert_eq!(page.is_bordered, is_bordered, "{meta}");
        }
    }

    #[test]
    fn no_markup_of_a_page_brings_a_tree_along_that_hides_what_is_in_it() {
        for (html, expected) in [
            ("<p>Moß", "<p>Moß"),
            ("<template shadowrootmode=open>", "<template shadowrootnone=open>"),
            ("ẞ<template ShadowRootMode>ı</template>", "ẞ<template shadowrootnone>ı</template>"),
            ("shadowrootmodeshadowrootmode", "shadowrootnoneshadowrootnone"),
        ] {
            assert_eq!(without_hidden_trees(html), expected);
        }
    }

    #[test]
    fn a_page_reaches_what_it_names_and_its_person_allowed() {
        let csp = json!({ "connectDomains": ["https://a.example", "https://b.example", "*"], "resourceDomains": ["https://b.example"] });
        let content =
            json!({ "mimeType": super::super::PAGE, "text": "<p>", "_meta": { "ui": { "csp": csp } } });
        let page = Whole::of(&json!({ "contents": [content] }), None, str::to_owned).expect("a page");
        let mut asked = Asked::default();
        let (none, open) = (page.seal(&asked), asked.open(&page));
        assert_eq!((page.with(&asked).connect, open.len()), (Vec::new(), 2));
        let hosts =
            |names: &[&str]| names.iter().map(|name| format!("https://{name}.example")).collect::<Vec<_>>();
        asked.answer(&hosts(&["b", "c"]), true).expect("hosts");
        asked.answer(&hosts(&["a"]), false).expect("hosts");
        let AppPage { connect, load, .. } = page.with(&asked);
        assert_eq!((connect, load, asked.open(&page)), (hosts(&["b"]), hosts(&["b"]), Vec::new()));
        assert_ne!(page.seal(&asked), none);
        assert!(asked.answer(&["*".to_owned()], true).is_err());
    }

    #[test]
    fn a_page_uses_of_the_device_what_it_names_is_known_and_its_person_allowed() {
        use AppPermission::{Camera, ClipboardWrite, Microphone};
        for (named, expected) in [
            (json!({ "microphone": {}, "camera": {}, "usb": {}, "*": {} }), vec![Camera, Microphone]),
            (json!({ "clipboardWrite": {}, "camera ; usb": {} }), vec![ClipboardWrite]),
            (json!(["camera"]), vec![]),
            (json!("camera"), vec![]),
            (json!(null), vec![]),
        ] {
            let meta = json!({ "ui": { "permissions": named } });
            let content = json!({ "mimeType": super::super::PAGE, "text": "<p>", "_meta": meta });
            let page = Whole::of(&json!({ "contents": [content] }), None, str::to_owned).expect("a page");
            let mut asked = Asked::default();
            let sealed = page.seal(&asked);
            assert_eq!((page.with(&asked).uses, asked.open_permissions(&page)), (vec![], expected.clone()));
            let Some((first, others)) = expected.split_first() else { continue };
            asked.answer(&[first.name().to_owned()], true).expect("it is known");
            for other in others {
                asked.answer(&[other.name().to_owned()], false).expect("it is known");
            }
            assert_eq!((page.with(&asked).uses, asked.open_permissions(&page)), (vec![*first], vec![]));
            assert_ne!(page.seal(&asked), sealed);
        }
        assert!(Asked::default().answer(&["usb".to_owned()], true).is_err());
    }
}
