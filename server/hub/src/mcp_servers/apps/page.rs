//! A page as its server gives it.

use super::hosts::{self, Asked};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// With what it names.
#[derive(Debug)]
pub(in super::super) struct Whole {
    pub(super) html: String,
    /// Hosts that it wants to speak with, and those from which it wants pictures, fonts, styles and scripts.
    pub(super) connect: BTreeSet<String>,
    pub(super) load: BTreeSet<String>,
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
}

impl Whole {
    /// `None`: what was read is no page.
    pub(super) fn of(result: &Value, without_secrets: impl Fn(&str) -> String) -> Option<Self> {
        let content = result.get("contents")?.get(0)?;
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
        let csp = |name: &str| content.pointer("/_meta/ui/csp").and_then(|csp| csp.get(name));
        Some(Self {
            html: without_secrets(&html),
            connect: hosts::named(csp("connectDomains")),
            load: hosts::named(csp("resourceDomains")),
            is_bordered: content.pointer("/_meta/ui/prefersBorder") != Some(&Value::Bool(false)),
        })
    }

    pub(super) fn size(&self) -> usize {
        self.html.len()
    }

    /// Names the page with what it may reach.
    pub(super) fn seal(&self, asked: &Asked) -> String {
        let page = self.with(asked);
        let mut digest = Sha256::new();
        for part in [&page.html, &page.connect.join(" "), &page.load.join(" ")] {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        data_encoding::HEXLOWER.encode(&digest.finalize())
    }

    pub(super) fn with(&self, asked: &Asked) -> AppPage {
        let allowed = |named: &BTreeSet<String>| named.intersection(&asked.allowed).cloned().collect();
        AppPage { html: self.html.clone(), connect: allowed(&self.connect), load: allowed(&self.load) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_read_is_a_page_if_it_says_so() {
        let page = |content: Value| {
            Whole::of(&json!({ "contents": [content] }), str::to_owned).map(|page| page.html)
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
    fn a_page_reaches_what_it_names_and_its_person_allowed() {
        let csp = json!({ "connectDomains": ["https://a.example", "https://b.example", "*"], "resourceDomains": ["https://b.example"] });
        let content =
            json!({ "mimeType": super::super::PAGE, "text": "<p>", "_meta": { "ui": { "csp": csp } } });
        let page = Whole::of(&json!({ "contents": [content] }), str::to_owned).expect("a page");
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
}
