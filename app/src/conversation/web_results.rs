//! What a search of the web found: titled links, each with its host and date, what was read there, and what could
//! not be asked.

use super::answer;
use super::sources::source;
use crate::prelude::*;
use crate::ui::{Source, link_out};
use serde::Deserialize;

/// What the tools that search answer with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct FoundPages {
    results: Vec<FoundPage>,
    #[serde(default)]
    failed: Vec<FailedSource>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct FoundPage {
    title: String,
    url: String,
    #[serde(default)]
    snippet: String,
    date: Option<String>,
    #[serde(default)]
    from: Vec<String>,
    /// Of a page that was read.
    author: Option<String>,
    #[serde(default)]
    parts: Vec<String>,
    remark: Option<String>,
    /// Why it was not read.
    not_read: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct FailedSource {
    source: String,
    why: String,
}

impl FoundPages {
    /// None: the call searched nothing.
    pub(super) fn of(tool: &str, result: &str) -> Option<Self> {
        if !["web_search", "research_topic"].contains(&tool) {
            return None;
        }
        let mut found: Self = answer::read(result)?;
        found.results.retain(|page| host(&page.url).is_some());
        Some(found)
    }

    pub(super) fn into_sources(self) -> Vec<Source> {
        let source = |page: FoundPage| {
            let excerpt = page.parts.into_iter().next().unwrap_or(page.snippet);
            source(page.url, page.title, page.date, &excerpt)
        };
        self.results.into_iter().filter_map(source).collect()
    }
}

#[component]
pub(super) fn WebResults(found: FoundPages) -> impl IntoView {
    let FoundPages { results, failed } = found;
    let nothing = results.is_empty().then(|| view! { <p>"Nothing was found."</p> });
    let pages = results.into_iter().map(page).collect_view();
    let failed = failed.into_iter().map(|FailedSource { source, why }| {
        view! { <p class="field-hint">{format!("{source}: {why}")}</p> }
    });
    view! {
        {nothing}
        <ol class="web-results">{pages}</ol>
        {failed.collect_view()}
    }
}

fn page(page: FoundPage) -> impl IntoView {
    let FoundPage { title, url, snippet, date, from, author, parts, remark, not_read } = page;
    let host = host(&url).unwrap_or_default().to_owned();
    let date = date.map(|date| view! { <span>{date}</span> });
    let author = author.map(|author| view! { <span>{author}</span> });
    let snippet = (!snippet.is_empty()).then(|| view! { <p>{snippet}</p> });
    let parts =
        parts.into_iter().map(|part| view! { <blockquote class="web-result-part">{part}</blockquote> });
    let remark = remark.map(|remark| view! { <p class="field-hint">{remark}</p> });
    let not_read = not_read.map(|why| view! { <p class="field-hint">{say!("Not read. {why}")}</p> });
    view! {
        <li class="web-result">
            {link_out(&url, vec![title.into_any()])}
            <p class="web-result-about"><span>{host}</span> {author} {date} <span>{from.join(", ")}</span></p>
            {snippet}
            {parts.collect_view()}
            {remark}
            {not_read}
        </li>
    }
}

/// The host of an address of the web, with its port if it has one.
pub(super) fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty() && !host.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_search_shows_links_and_only_links_to_the_web() {
        let result = r#"{"note":"n","results":[
            {"title":"Moss","url":"https://moss.example:81/a?b","snippet":"s","date":"2026-11-24","from":["Kagi"]},
            {"title":"Bad","url":"javascript:alert(1)","snippet":"","from":[]},
            {"title":"Bad","url":"https://moss.example@evil.example/","snippet":"","from":[]}
        ],"asked":["Kagi"],"failed":[{"source":"Brave Search","why":"It did not answer in time."}]}"#;
        let found = FoundPages::of("web_search", result).expect("results");
        assert_eq!(found.results.len(), 1);
        assert_eq!(host(&found.results[0].url), Some("moss.example:81"));
        assert_eq!(found.failed[0].source, "Brave Search");
        let hooked = format!("{}\n\nA hook says so.", result.replace('\n', ""));
        assert_eq!(FoundPages::of("web_search", &hooked), Some(found));
        let read = r#"{"results":[
            {"title":"Moss","url":"https://moss.example/","from":["Kagi"],"parts":["It grows."],"author":"Ada"},
            {"title":"Fern","url":"https://fern.example/","from":[],"snippet":"s","not_read":"It is gone."}
        ]}"#;
        let found = FoundPages::of("research_topic", read).expect("results").results;
        assert_eq!((found[0].parts.len(), found[1].not_read.as_deref()), (1, Some("It is gone.")));
        for (tool, result) in [("fetch", result), ("web_search", "No source answered."), ("web_search", "{}")]
        {
            assert_eq!(FoundPages::of(tool, result), None);
        }
    }
}
