//! A page as one HTML document, which is what a `.srcdoc` file holds, and back. Listeners, which HTML
//! cannot carry, travel in a `meta` element of ours.

use super::effort;
use crate::error::{Error, Result};
use protocol::frame::{Listener, SkinPage};
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const LISTENERS: &str = "vivarium-listeners";

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

/// Reads any text as a browser would: what is not HTML becomes text on a page.
pub(crate) fn read(html: &str) -> Result<SkinPage> {
    let document = parse(html)?;
    let root = document.root_element();
    let mut page = SkinPage { html_attributes: attributes(root), ..SkinPage::default() };
    for child in root.child_elements() {
        match child.value().name() {
            "head" => page.head = child.inner_html(),
            "body" => {
                page.body = child.inner_html();
                page.body_attributes = attributes(child);
            }
            _ => {}
        }
    }
    let meta = Selector::parse(&format!("meta[name={LISTENERS}]")).expect("it is a selector");
    for meta in document.select(&meta) {
        page.head = page.head.replacen(&meta.html(), "", 1);
        page.listeners = meta.attr("content").and_then(listeners).unwrap_or_default();
    }
    Ok(page)
}

/// The tree of a document, unless the text was written to keep the parser busy.
pub(crate) fn parse(html: &str) -> Result<Html> {
    if !effort::is_bearable(html) {
        return Err(Error::invalid("The page cannot be read: too many of its elements are left open."));
    }
    Ok(Html::parse_document(html))
}

fn listeners(text: &str) -> Option<Vec<Listener>> {
    serde_json::from_str(text).ok()
}

fn attributes(element: ElementRef<'_>) -> BTreeMap<String, String> {
    element.value().attrs().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_comes_back_from_its_document() {
        let texts = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        let page = SkinPage {
            head: "<style>a > b { color: red }</style><title>Ä &amp; ß</title>".to_owned(),
            body: "<p class=\"x\">1 &lt; 2</p><script>if (1 < 2 && \"</p>\") go();</script>\
                   <button onclick=\"go('a')\">Go</button><template><li>a</li></template>\n"
                .to_owned(),
            html_attributes: texts(&[("lang", "en"), ("data-q", "a\"b&c")]),
            body_attributes: texts(&[("class", "dark")]),
            listeners: vec![Listener { selector: "a[href=\"x\"]".to_owned(), event: "click".to_owned() }],
        };
        assert_eq!(read(&write(&page)).unwrap(), page);
    }

    #[test]
    fn any_text_is_a_page() {
        for (html, head, body) in [
            ("", "", ""),
            ("Hello", "", "Hello"),
            ("<p>a<p>b", "", "<p>a</p><p>b</p>"),
            ("<title>T</title><h1>H</h1>", "<title>T</title>", "<h1>H</h1>"),
            (
                "<!doctype html><html><head><style>p{}</style></head><body>x</body></html>",
                "<style>p{}</style>",
                "x",
            ),
        ] {
            let page = read(html).unwrap();
            assert_eq!((page.head.as_str(), page.body.as_str()), (head, body), "{html}");
        }
    }
}
