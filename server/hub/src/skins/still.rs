//! A page without its life: what the dashboard shows in small.
//!
//! The still is served under a policy that runs no script and loads nothing, so most of what is
//! taken out here could do no harm. Not all: a policy does not stop the name lookups that links
//! and hints cause, and a lookup tells a stranger that somebody is looking.

use super::document::push_attributes;
use crate::error::{Error, Result};
use lol_html::html_content::Element;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use protocol::page::SkinPage;

/// Elements that leave with all that is in them.
const BANNED: &[&str] = &[
    "script",
    "noscript",
    "template",
    "iframe",
    "frame",
    "frameset",
    "noframes",
    "object",
    "embed",
    "applet",
    "portal",
    "link",
    "meta",
    "base",
    "fencedframe",
    "noembed",
    "plaintext",
    "xmp",
];

/// Attributes that name something to fetch or to go to.
const ADDRESSES: &[&str] = &[
    "href",
    "xlink:href",
    "src",
    "srcset",
    "imagesrcset",
    "srcdoc",
    "action",
    "formaction",
    "poster",
    "data",
    "ping",
    "background",
    "manifest",
    "codebase",
    "archive",
    "classid",
    "attributionsrc",
];

/// The ground that the skin frame gives a page before its own styles.
const GROUND: &str = "<style>@layer vivarium { :where(html) { color-scheme: light dark; \
    font-family: system-ui, sans-serif; line-height: 1.5; } }</style>";

pub(crate) fn document(page: &SkinPage) -> Result<String> {
    let mut html = String::with_capacity(page.head.len() + page.body.len() + 256);
    html.push_str("<!doctype html><html");
    push_attributes(&mut html, &page.html_attributes);
    html.push_str("><head>");
    html.push_str(GROUND);
    html.push_str(&page.head);
    html.push_str("</head><body");
    push_attributes(&mut html, &page.body_attributes);
    html.push('>');
    html.push_str(&page.body);
    html.push_str("</body></html>");
    let settings = RewriteStrSettings::new().append_element_content_handler(element!("*", |element| {
        quieten(element);
        Ok(())
    }));
    rewrite_str(&html, settings).map_err(Error::internal)
}

fn quieten(element: &mut Element<'_, '_>) {
    if BANNED.contains(&element.tag_name().as_str()) || sets_address(element) {
        element.remove();
        return;
    }
    let names: Vec<String> = element.attributes().iter().map(|attribute| attribute.name()).collect();
    for name in names {
        let value = element.get_attribute(&name).unwrap_or_default();
        if !is_quiet(&name, &value) {
            element.remove_attribute(&name);
        }
    }
}

/// An animation in SVG can give a link its address, under whatever prefix.
fn sets_address(element: &Element<'_, '_>) -> bool {
    let name = element.get_attribute("attributename").unwrap_or_default().to_ascii_lowercase();
    let local = name.rsplit(':').next().unwrap_or_default().trim();
    ADDRESSES.contains(&local)
}

fn is_quiet(name: &str, value: &str) -> bool {
    if name.starts_with("on") {
        return false;
    }
    let value = value.trim_start();
    !ADDRESSES.contains(&name) || value.starts_with('#') || value.starts_with("data:image/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn looks_stay() {
        for body in [
            "<div class=\"card\" style=\"color:red\">a &lt; b</div>",
            "<svg viewBox=\"0 0 9 9\"><defs><path id=\"p\" d=\"M0 0\"></path></defs><use href=\"#p\"></use></svg>",
            "<img src=\"data:image/png;base64,AAAA\" alt=\"\">",
            "<svg><circle r=\"1\"><animate attributeName=\"r\" to=\"9\" dur=\"1s\"></animate></circle></svg>",
            "<style>@media (width < 600px) { a > b { color: red } }</style>",
            "<my-board data-on=\"1\"><button disabled>Go</button></my-board>",
        ] {
            assert_eq!(still_of(body), body);
        }
    }

    #[test]
    fn what_runs_fetches_or_leads_away_goes() {
        for (body, expected) in [
            ("a<script>alert(1)</script>b", "ab"),
            ("a<SCRIPT src=//x.example></SCRIPT>b", "ab"),
            ("<svg><script>alert(1)</script></svg>", "<svg></svg>"),
            ("<p onclick=\"x()\" ONLOAD='y()' id=\"p\">a</p>", "<p id=\"p\">a</p>"),
            ("<a href=\"javascript:alert(1)\">a</a>", "<a>a</a>"),
            ("<a href=\"https://x.example\" ping=\"https://x.example\">a</a>", "<a>a</a>"),
            ("<link rel=\"dns-prefetch\" href=\"//x.example\">a", "a"),
            ("<meta http-equiv=\"refresh\" content=\"0;url=//x.example\">a", "a"),
            ("<base href=\"//x.example\">a", "a"),
            ("<iframe srcdoc=\"<p>\"></iframe><object data=\"x\"></object><embed src=\"x\">a", "a"),
            ("<noscript><link rel=preconnect href=//x.example></noscript>a", "a"),
            ("<img src=\"//x.example/a.png\" srcset=\"//x.example/b.png 2x\">", "<img>"),
            (
                "<form action=\"//x.example\"><button formaction=\"//x.example\">a</button></form>",
                "<form><button>a</button></form>",
            ),
            ("<svg><a xlink:href=\"//x.example\"></a></svg>", "<svg><a></a></svg>"),
            ("<img src=\"data:text/html,x\">", "<img>"),
            (
                "<svg><a><animate attributeName=\"href\" values=\"//x.example\"></animate>a</a></svg>",
                "<svg><a>a</a></svg>",
            ),
            (
                "<svg><a><SET ATTRIBUTENAME=\" x:HREF \" to=\"//x.example\"></SET>a</a></svg>",
                "<svg><a>a</a></svg>",
            ),
        ] {
            let still = still_of(body);
            assert_eq!(still.replace(" >", ">"), expected, "{body}");
        }
    }

    #[test]
    fn attributes_of_the_root_cannot_leave_their_quotes() {
        let attributes = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
        let page = SkinPage {
            html_attributes: attributes("lang", "\"><script>alert(1)</script>"),
            body_attributes: attributes("x onload=alert(1)", ""),
            ..SkinPage::default()
        };
        let still = document(&page).unwrap();
        assert!(still.contains("<html lang=\"&quot;><script>alert(1)</script>\">"), "{still}");
        assert!(still.contains("<body>"), "{still}");
    }

    fn still_of(body: &str) -> String {
        let page = SkinPage { body: body.to_owned(), ..SkinPage::default() };
        let still = document(&page).unwrap();
        let before = format!("<!doctype html><html><head>{GROUND}</head><body>");
        let inner = still.strip_prefix(before.as_str()).unwrap();
        inner.strip_suffix("</body></html>").unwrap().to_owned()
    }
}
