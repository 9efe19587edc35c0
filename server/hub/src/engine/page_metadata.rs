//! What a page of the web says of itself, in its head and not to its readers: HTML's own names, Open Graph
//! (<https://ogp.me>), and the types of its JSON-LD (<https://schema.org>).

use super::job::HtmlPage;
use super::page_base::Base;
use dom_query::Document;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Characters of one value.
const VALUE: usize = 500;
/// Feeds, and types of things, that are told of.
const MOST_OF_A_KIND: usize = 10;

/// Only what the page names. Addresses are whole.
pub(super) fn read(page: &HtmlPage) -> Map<String, Value> {
    let document = Document::from(page.html.as_str());
    let base = Base::of(&document, &page.url);
    let meta = |names: &[&str]| names.iter().find_map(|name| named(&document, name));
    let link = |rel: &str| {
        let href = document.select(&format!("link[rel~='{rel}'][href]")).first().attr("href")?;
        base.address(&href)
    };
    let title = filled(&document.select("title").first().text());
    let texts = [
        ("title", meta(&["og:title"]).or(title)),
        ("description", meta(&["description", "og:description", "twitter:description"])),
        ("author", meta(&["author", "article:author", "dc.creator"])),
        ("published", meta(&["article:published_time", "datePublished", "date", "dc.date"])),
        ("modified", meta(&["article:modified_time", "dateModified", "last-modified"])),
        ("site", meta(&["og:site_name", "application-name"])),
        ("kind", meta(&["og:type"])),
        ("language", document.select("html").first().attr("lang").and_then(|lang| filled(&lang))),
        ("canonical", link("canonical").or_else(|| base.address(&meta(&["og:url"])?))),
        ("image", meta(&["og:image", "twitter:image"]).and_then(|href| base.address(&href))),
        ("icon", link("icon")),
    ];
    let mut told: Map<String, Value> =
        texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?)))).collect();
    for (name, list) in [("feeds", feeds(&document, &base)), ("things", things(&document))] {
        if !list.is_empty() {
            told.insert(name.to_owned(), list.into());
        }
    }
    told
}

/// The first of the elements that name it, whichever attribute they name it by.
fn named(document: &Document, name: &str) -> Option<String> {
    let by = ["name", "property", "itemprop"].map(|attribute| format!("meta[{attribute}='{name}' i]"));
    let found = document.select(&by.join(", "));
    found.iter().find_map(|meta| filled(&meta.attr("content")?))
}

fn filled(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| text.chars().take(VALUE).collect())
}

fn feeds(document: &Document, base: &Base) -> Vec<Value> {
    let feeds = "link[rel~='alternate'][type='application/rss+xml'], link[rel~='alternate'][type='application/atom+xml'], \
                 link[rel~='alternate'][type='application/feed+json']";
    let found = document.select(feeds);
    let told = found.iter().filter_map(|feed| {
        let url = base.address(&feed.attr("href")?)?;
        Some(json!({ "url": url, "title": feed.attr("title").and_then(|title| filled(&title)) }))
    });
    told.take(MOST_OF_A_KIND).collect()
}

/// The types of what its JSON-LD describes.
fn things(document: &Document) -> Vec<Value> {
    let mut types = BTreeSet::new();
    for script in document.select("script[type='application/ld+json']").iter() {
        if let Ok(read) = serde_json::from_str::<Value>(&script.text()) {
            collect_types(&read, &mut types);
        }
    }
    types.into_iter().take(MOST_OF_A_KIND).map(Value::from).collect()
}

fn collect_types(value: &Value, types: &mut BTreeSet<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|value| collect_types(value, types)),
        Value::Object(thing) => {
            match thing.get("@type") {
                Some(Value::String(name)) => types.extend(filled(name)),
                Some(Value::Array(names)) => {
                    types.extend(names.iter().filter_map(|name| filled(name.as_str()?)))
                }
                Some(_) | None => {}
            }
            if let Some(graph) = thing.get("@graph") {
                collect_types(graph, types);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: Value) {
        let page = HtmlPage { html: html.to_owned(), url: "https://example.org/moss/".to_owned() };
        assert_eq!(Value::from(read(&page)), expected, "{html}");
    }

    #[test]
    fn what_a_page_says_of_itself_is_told_by_one_name_each() {
        check("", json!({}));
        check("<title>  On\n moss </title>", json!({ "title": "On moss" }));
        check(
            "<html lang='de'><head><title>Moos · Beispiel</title><meta property='og:title' content='Moos'>\
             <meta name='Description' content='Über Moos.'><meta property='og:image' content='/moos.jpg'>\
             <meta property='article:published_time' content='2026-03-01'><meta name='author' content=' '>\
             <link rel='canonical' href='../moos'><link rel='alternate' type='application/rss+xml' href='/feed' title='Neues'>\
             <script type='application/ld+json'>{\"@graph\":[{\"@type\":\"Article\"},{\"@type\":[\"Person\"]}]}</script>\
             <script type='application/ld+json'>{broken</script></head><body>Moos</body></html>",
            json!({
                "title": "Moos",
                "description": "Über Moos.",
                "language": "de",
                "published": "2026-03-01",
                "image": "https://example.org/moos.jpg",
                "canonical": "https://example.org/moos",
                "feeds": [{ "url": "https://example.org/feed", "title": "Neues" }],
                "things": ["Article", "Person"],
            }),
        );
        check(
            "<meta name='description' content='x'><link rel=canonical href='javascript:1'>",
            json!({ "description": "x" }),
        );
    }
}
