//! What a selector picks out of a page.

use super::job::{HtmlPage, PagePart, PartOf};
use super::readable::whole;
use dom_query::{Document, Matcher, NodeId};
use std::collections::HashSet;

/// Bytes of a selector.
const LONGEST: usize = 500;
/// Parts of a page that are picked.
const MOST_PARTS: usize = 500;

/// An error says what is wrong with the selector, or that nothing fits it.
pub(super) fn read(PartOf { page: HtmlPage { html, .. }, selector }: &PartOf) -> Result<PagePart, String> {
    if selector.len() > LONGEST {
        return Err(format!("The selector is longer than {LONGEST} bytes."));
    }
    let document = Document::from(html.as_str());
    let Some(matcher) = Matcher::new(selector).ok() else {
        return Err(format!("{selector:?} is no selector of CSS."));
    };
    // What stands within a part that was picked is in it.
    let mut picked: HashSet<NodeId> = HashSet::new();
    let mut parts: Vec<String> = Vec::new();
    for node in document.select_matcher(&matcher).nodes() {
        if parts.len() == MOST_PARTS {
            break;
        }
        if !node.ancestors(None).iter().any(|above| picked.contains(&above.id)) {
            picked.insert(node.id);
            parts.push(node.html().to_string());
        }
    }
    if parts.is_empty() {
        return Err(format!("Nothing on the page fits {selector:?}."));
    }
    let title = document.select("title").text().trim().to_owned();
    let markdown: Vec<String> = parts.iter().map(|part| whole(part)).collect();
    Ok(PagePart {
        title: Some(title).filter(|title| !title.is_empty()),
        html: parts.join("\n"),
        markdown: markdown.join("\n\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(selector: &str) -> Result<String, String> {
        let html = "<title>Moss</title><nav>Home</nav><table id=prices><tr><th>kind</th><th>price</th></tr>\
                    <tr><td>star <b>moss</b></td><td>3</td></tr></table><p class=note>Damp.</p><p class=note>Dry.</p>";
        let page = HtmlPage { html: html.to_owned(), url: "https://example.org/".to_owned() };
        let part = read(&PartOf { page, selector: selector.to_owned() })?;
        assert_eq!(part.title.as_deref(), Some("Moss"));
        Ok(part.markdown)
    }

    #[test]
    fn a_selector_picks_parts_each_once_and_says_when_there_are_none() {
        let table = picked("#prices, #prices td").unwrap();
        assert_eq!(table.matches("star").count(), 1, "{table}");
        assert!(table.contains("| kind") && !table.contains("Home"), "{table}");
        assert_eq!(picked("p.note").as_deref(), Ok("Damp.\n\nDry."));
        assert_eq!(picked(".none").unwrap_err(), "Nothing on the page fits \".none\".");
        assert_eq!(picked("p[[").unwrap_err(), "\"p[[\" is no selector of CSS.");
        assert!(picked(&"p".repeat(501)).unwrap_err().contains("longer"));
    }
}
