//! Links to pages that something said was read there: numbered chips, which open what is known of the page.

use super::options;
use crate::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// A page that claims come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    pub url: String,
    pub title: String,
    pub host: String,
    pub date: Option<String>,
    /// What of it was shown to the agent.
    pub excerpt: String,
}

/// The sources of one text, in the order in which it leads to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cited {
    /// What the ids of their previews begin with.
    pub id: String,
    /// How many links the text has: what they may be numbered to.
    pub links: usize,
    pub sources: Vec<Source>,
}

/// What is seen of a link to a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Chip {
    number: usize,
    title: String,
    host: String,
    /// The words of the link, unless they only say that there is a source.
    words: Option<String>,
}

impl Cited {
    /// Its number, counted from 1.
    fn find(&self, address: &str) -> Option<(usize, &Source)> {
        let key = key_of(address);
        let at = self.sources.iter().position(|source| key_of(&source.url) == key)?;
        Some((at + 1, &self.sources[at]))
    }

    pub(super) fn has(&self, address: &str) -> bool {
        self.find(address).is_some()
    }

    /// None: it is no source.
    fn chip(&self, address: &str, words: &str) -> Option<Chip> {
        let (number, source) = self.find(address)?;
        let Source { title, host, .. } = source.clone();
        let words = (!is_mark(words, source, self.links)).then(|| words.to_owned());
        Some(Chip { number, title, host, words })
    }

    /// The chips of a part of the text that has these links. While they are the same, it looks the same.
    pub(super) fn chips(&self, links: &[(String, String)]) -> Vec<Chip> {
        if self.sources.is_empty() {
            return Vec::new();
        }
        links.iter().filter_map(|(address, words)| self.chip(address, words)).collect()
    }

    /// The id of the preview of a source.
    fn preview(&self, number: usize) -> String {
        format!("{}-{number}", self.id)
    }
}

/// Links of a text with their words.
pub fn titled_links(source: &str) -> Vec<(String, String)> {
    let mut links: Vec<(String, String)> = Vec::new();
    let mut is_in_link = false;
    for event in Parser::new_ext(source, options()) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                links.push((dest_url.into_string(), String::new()));
                is_in_link = true;
            }
            Event::End(TagEnd::Link) => is_in_link = false,
            Event::Text(words) | Event::Code(words) if is_in_link => {
                if let Some((_, title)) = links.last_mut() {
                    title.push_str(&words);
                }
            }
            _ => {}
        }
    }
    links
}

/// An address without what two ways of writing the same differ in.
pub fn key_of(address: &str) -> String {
    let address = address.split('#').next().unwrap_or_default();
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = host.to_ascii_lowercase();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let kept: Vec<&str> =
        query.split('&').filter(|part| !part.is_empty() && !part.starts_with("utm_")).collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("{}{}{query}", host.strip_prefix("www.").unwrap_or(&host), path.trim_end_matches('/'))
}

/// A link to a source: its words, if they say something besides, and the chip. None: it is no source.
pub(super) fn chip(cited: &Cited, address: &str, words: &str) -> Option<AnyView> {
    let Chip { number, title, host, words } = cited.chip(address, words)?;
    let view = view! {
        {words}
        <button
            type="button"
            class="cite"
            popovertarget=cited.preview(number)
            aria-label={say!("Source {number}: {title}, {host}")}
            data-title=title
            data-host=host
        >
            {number}
        </button>
    };
    Some(view.into_any())
}

/// Whether the words of a link only say that there is a source, in a text of so many links.
fn is_mark(words: &str, source: &Source, links: usize) -> bool {
    let words = words.trim().trim_matches(['[', ']', '(', ')']).trim();
    let is = |other: &str| words.eq_ignore_ascii_case(other);
    let is_number = words.len() <= 2
        && words.bytes().all(|byte| byte.is_ascii_digit())
        && words.parse().is_ok_and(|number: usize| number <= links);
    words.is_empty()
        || is_number
        || is("source")
        || is(&source.title)
        || is(&source.host)
        || key_of(words) == key_of(&source.url)
        || key_of(words) == key_of(&source.host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moss() -> Source {
        Source {
            url: "https://www.moss.example/on/?utm_source=x&a=1#top".to_owned(),
            title: "On moss".to_owned(),
            host: "moss.example".to_owned(),
            date: None,
            excerpt: String::new(),
        }
    }

    #[test]
    fn an_address_is_known_however_it_is_written() {
        for (address, is_known) in [
            ("https://moss.example/on?a=1", true),
            ("http://MOSS.example/on/?a=1#end", true),
            ("https://moss.example/on", false),
            ("https://moss.example/On?a=1", false),
            ("https://moss.example.evil/on?a=1", false),
            ("https://evil.example/https://moss.example/on?a=1", false),
        ] {
            assert_eq!(key_of(address) == key_of(&moss().url), is_known, "{address}");
        }
    }

    #[test]
    fn words_of_a_link_stay_unless_they_only_name_the_source() {
        for (words, is_only) in [
            ("1", true),
            ("[12]", true),
            ("", true),
            ("13", false),
            ("42", false),
            ("2019", false),
            ("001", false),
            ("On moss", true),
            ("moss.example", true),
            ("https://moss.example/on?a=1", true),
            ("Source", true),
            ("the survey", false),
            ("2 mosses", false),
        ] {
            assert_eq!(is_mark(words, &moss(), 12), is_only, "{words}");
        }
    }

    #[test]
    fn a_block_is_drawn_anew_only_for_what_its_chips_show() {
        let block =
            "Moss grows [1](https://moss.example/on?a=1) since [*2019*](https://moss.example/on?a=1).";
        let cited = Cited { id: "x".to_owned(), links: 2, sources: vec![moss()] };
        let of_block = titled_links(block);
        let chips = cited.chips(&of_block);
        let words: Vec<Option<&str>> = chips.iter().map(|chip| chip.words.as_deref()).collect();
        assert_eq!(words, [None, Some("2019")]);
        let fern = Source { url: "https://fern.example/".to_owned(), ..moss() };
        let excerpt = Source { excerpt: "It grows.".to_owned(), ..moss() };
        let title = Source { title: "Of moss".to_owned(), ..moss() };
        for (links, sources, is_same) in [
            (3, vec![moss(), fern.clone()], true),
            (2, vec![excerpt], true),
            (2, vec![fern, moss()], false),
            (2, vec![title], false),
            (2, vec![], false),
        ] {
            let other = Cited { links, sources, ..cited.clone() };
            assert_eq!(other.chips(&of_block) == chips, is_same, "{other:?}");
        }
        assert_eq!(cited.chips(&titled_links("No link.")), []);
    }
}
