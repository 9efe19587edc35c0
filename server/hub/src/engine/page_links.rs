//! Where a page of the web leads.

use super::job::{HtmlPage, PageLink};
use super::page_base::Base;
use dom_query::{Document, NodeRef};
use std::collections::HashMap;

/// Links of a page that are told of.
const MOST_LINKS: usize = 5000;
/// Characters of the words of a link.
const WORDS: usize = 200;

/// In the order of the page, each address once, with the first words that stand for it.
pub(super) fn read(page: &HtmlPage) -> Vec<PageLink> {
    let document = Document::from(page.html.as_str());
    let base = Base::of(&document, &page.url);
    let mut found: Vec<PageLink> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for node in document.select("a[href], area[href]").nodes() {
        let Some(url) = node.attr("href").and_then(|href| base.address(&href)) else { continue };
        let words = words(node);
        if let Some(at) = known.get(&url) {
            if found[*at].text.is_empty() {
                found[*at].text = words;
            }
            continue;
        }
        if found.len() == MOST_LINKS {
            break;
        }
        known.insert(url.clone(), found.len());
        found.push(PageLink { url, text: words });
    }
    found
}

/// What somebody reads of it, or hears where it is a picture.
fn words(node: &NodeRef<'_>) -> String {
    let own = |name| node.attr(name).map(|value| value.to_string()).unwrap_or_default();
    let pictured =
        || node.descendants().iter().find_map(|inner| inner.attr("alt")).map(|alt| alt.to_string());
    let texts = [
        node.text().to_string(),
        own("aria-label"),
        pictured().unwrap_or_default(),
        own("title"),
        own("alt"),
    ];
    let clean = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = texts.iter().map(clean).find(|text| !text.is_empty());
    first.unwrap_or_default().chars().take(WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[(&str, &str)]) {
        let page = HtmlPage { html: html.to_owned(), url: "https://example.org/moss/".to_owned() };
        let found = read(&page);
        let found: Vec<_> = found.iter().map(|link| (link.url.as_str(), link.text.as_str())).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn every_address_of_the_web_is_told_once_and_whole() {
        check("", &[]);
        check(
            "<nav><a href='/'><img alt='Home'></a></nav><p><a href='fern'> On\n ferns </a> <a href='fern#top'></a>\
             <a href='fern'>again</a> <a href='javascript:alert(1)'>x</a> <a href='mailto:a@b.c'>mail</a>\
             <a href='http://[bad'>broken</a> <a>none</a></p>",
            &[
                ("https://example.org/", "Home"),
                ("https://example.org/moss/fern", "On ferns"),
                ("https://example.org/moss/fern#top", ""),
            ],
        );
        check(
            "<head><base href='https://other.example/a/'></head><a href='b'></a><a href='b' title='later'></a>",
            &[("https://other.example/a/b", "later")],
        );
    }
}
