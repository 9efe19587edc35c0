//! Where what an agent says comes from: the pages that its searches found and that it read in this conversation.
//! Only a link to one of these is shown as a source, whatever else a text leads to.

use super::answer;
use super::web_results::FoundPages;
use crate::prelude::*;
use crate::ui::{Cited, GrowingLinks, Source, key_of, link_out, titled_links};
use protocol::log::{CallEvent, Class, Entry, EntryBody, NoticeKind};
use protocol::model::ToolResult;
use protocol::tool_names;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sources that are known of one conversation.
const MOST_SOURCES: usize = 1000;
/// Characters of what a preview shows.
const EXCERPT: usize = 400;

/// By their addresses, without what two ways of writing one differ in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources(Arc<BTreeMap<String, Source>>);

/// A page that was read.
#[derive(Deserialize)]
struct ReadPage {
    status: u16,
    url: String,
    title: Option<String>,
    published: Option<String>,
    text: Option<String>,
}

impl Sources {
    pub fn of(entries: &[Entry]) -> Self {
        let mut sources = Self::default();
        for entry in entries {
            sources.take(entry);
        }
        sources
    }

    /// Takes in what a call brought. Whether anything is new.
    pub fn take(&mut self, entry: &Entry) -> bool {
        if let EntryBody::Notice { kind: NoticeKind::Sources, text, .. } = &entry.body {
            let found = titled_links(text).into_iter();
            let mut is_new = false;
            for source in found.filter_map(|(url, title)| source(url, title, None, "")) {
                is_new |= self.add_new(source);
            }
            return is_new;
        }
        let Class::Call(CallEvent::Finished { result, .. }) = entry.body.class() else { return false };
        let mut is_new = false;
        for source in sources_of(result) {
            is_new |= self.add(source);
        }
        is_new
    }

    /// What is read of a page says more than what a search says of it, so the newest counts.
    fn add(&mut self, source: Source) -> bool {
        let key = key_of(&source.url);
        if self.0.get(&key) == Some(&source) || self.0.len() >= MOST_SOURCES {
            return false;
        }
        Arc::make_mut(&mut self.0).insert(key, source);
        true
    }

    /// What a call brought of the same page says more.
    fn add_new(&mut self, source: Source) -> bool {
        !self.0.contains_key(&key_of(&source.url)) && self.add(source)
    }

    /// Those that a text leads to, in its order, which has these links.
    fn cited(&self, links: Vec<String>, id: &str) -> Cited {
        let mut cited = Cited { id: id.to_owned(), links: links.len(), sources: Vec::new() };
        for address in links {
            if let Some(source) = self.0.get(&key_of(&address))
                && !cited.sources.contains(source)
            {
                cited.sources.push(source.clone());
            }
        }
        cited
    }
}

fn sources_of(result: &ToolResult) -> Vec<Source> {
    if result.is_error {
        return Vec::new();
    }
    match tool_names::named(&result.name).0 {
        tool @ ("web_search" | "research_topic") => {
            FoundPages::of(tool, &result.content).map_or_else(Vec::new, FoundPages::into_sources)
        }
        "fetch" => {
            let page =
                answer::read(&result.content).filter(|page: &ReadPage| (200..300).contains(&page.status));
            page.and_then(read).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn read(ReadPage { url, title, published, text, .. }: ReadPage) -> Option<Source> {
    source(url, title.unwrap_or_default(), published, &text?)
}

/// None: it leads nowhere on the web.
pub(super) fn source(url: String, title: String, date: Option<String>, excerpt: &str) -> Option<Source> {
    let host = super::web_results::host(&url)?.to_owned();
    let title = if title.trim().is_empty() { host.clone() } else { title };
    let mut excerpt: String = excerpt.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = excerpt.char_indices().nth(EXCERPT) {
        excerpt.truncate(end);
        excerpt.push('…');
    }
    Some(Source { url, title, host, date, excerpt })
}

/// The sources of a text, as it grows.
pub(super) fn cited(sources: RwSignal<Sources>, text: ArcRwSignal<String>, id: String) -> Memo<Cited> {
    let links = StoredValue::new(GrowingLinks::default());
    Memo::new(move |_| {
        sources.with(|sources| {
            if sources.0.is_empty() {
                return sources.cited(Vec::new(), &id);
            }
            let links = text.with(|text| links.try_update_value(|links| links.update(text)));
            sources.cited(links.unwrap_or_default(), &id)
        })
    })
}

/// The sources of an answer, below it, each with what is known of it behind a press.
#[component]
pub(super) fn SourceList(cited: Memo<Cited>) -> impl IntoView {
    let each = move || cited.with(|cited| (1..).zip(cited.sources.clone()).collect::<Vec<_>>());
    let id = cited.with_untracked(|cited| cited.id.clone());
    let row = move |(number, source): (usize, Source)| row(&format!("{id}-{number}"), number, source);
    view! {
        <Show when=move || cited.with(|cited| !cited.sources.is_empty())>
            <ol class="sources" aria-label="Sources">
                <For each key=|(number, source)| (*number, source.clone()) children=row.clone()/>
            </ol>
        </Show>
    }
}

fn row(id: &str, number: usize, source: Source) -> impl IntoView + use<> {
    let Source { url, title, host, date, excerpt } = source;
    let about = date.map_or_else(|| host.clone(), |date| format!("{host} · {date}"));
    let excerpt = (!excerpt.is_empty()).then(|| view! { <blockquote>{excerpt}</blockquote> });
    let id = id.to_owned();
    view! {
        <li>
            <button type="button" class="source" popovertarget=id.clone()>
                <span class="source-number">{number}</span>
                <span class="source-title">{title.clone()}</span>
                <span class="source-host">{host}</span>
            </button>
            <div class="source-preview" id=id popover="auto" role="dialog" aria-label={say!("Source {number}")}>
                <p class="source-name">{title}</p>
                <p class="source-about">{about}</p>
                {excerpt}
                <p class="source-open">{link_out(&url, vec![t("Open the page").into_any()])}</p>
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &str, content: &str) -> ToolResult {
        ToolResult {
            call: "1".into(),
            name: name.to_owned(),
            content: content.to_owned(),
            media: Vec::new(),
            is_error: false,
        }
    }

    const FOUND: &str = r#"{"note":"","results":[{"title":"On moss","url":"https://moss.example/on","snippet":"It grows.","date":"2026-03-04"},{"title":"Bad","url":"javascript:alert(1)"}]}"#;
    const READ: &str =
        r#"{"status":200,"url":"https://fern.example/","title":"Ferns","text":"They  stand\nin the shade."}"#;
    const GONE: &str = r#"{"status":404,"url":"https://gone.example/","text":"Not here."}"#;

    #[test]
    fn only_what_calls_brought_is_a_source_and_each_has_one_number() {
        let mut sources = Sources::default();
        for (name, content) in
            [("WebSearch", FOUND), ("read_page", READ), ("fetch", GONE), ("runjs", FOUND), ("fetch", "no")]
        {
            for source in sources_of(&result(name, content)) {
                sources.add(source);
            }
        }
        let text = "Moss grows [1](https://moss.example/on#a). It is old [2](https://evil.example/?q=secret). \
            Ferns stand [3](https://fern.example) and moss [4](http://www.moss.example/on/). \
            [5](https://gone.example/) `[6](https://fern.example/)`";
        let links = GrowingLinks::default().update(text);
        let cited = sources.cited(links.clone(), "x");
        let titles: Vec<&str> = cited.sources.iter().map(|source| source.title.as_str()).collect();
        assert_eq!(titles, ["On moss", "Ferns"]);
        assert_eq!(cited.sources[1].excerpt, "They stand in the shade.");
        assert_eq!(cited.links, 5);
        assert_eq!(sources.cited(Vec::new(), "x").sources, []);
        let other = source("https://lichen.example/".to_owned(), String::new(), None, "Slow.");
        assert!(sources.add(other.unwrap()));
        assert_eq!(
            sources.cited(links, "x"),
            cited,
            "a source that a text does not lead to changes nothing of it"
        );
    }
}
