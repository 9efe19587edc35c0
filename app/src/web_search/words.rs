//! Kinds of sources in words.

use crate::prelude::{say, t};
use protocol::view::{SearchKind, SearchModel, SearchSourceView};

/// What a person needs to know to choose it.
pub(super) fn kind_hint(kind: SearchKind) -> &'static str {
    t(match kind {
        SearchKind::Searxng => "A server of your own, which asks many others. Needs its address.",
        SearchKind::Brave => "An index of its own. Needs a key.",
        SearchKind::Tavily => "Made for programs like these. Needs a key.",
        SearchKind::Exa => "Searches by meaning. Needs a key.",
        SearchKind::Kagi => "Without advertisements. Needs a key.",
        SearchKind::Mojeek => "An index of its own. Needs a key.",
        SearchKind::Provider => "Of Anthropic, OpenAI or Gemini. Needs a provider and a model.",
        SearchKind::Wikipedia => "No key. With an address, any wiki that runs MediaWiki.",
        SearchKind::HackerNews => "News and talk about computers. No key.",
        SearchKind::StackExchange => "Questions at Stack Overflow. No key.",
        SearchKind::Arxiv => "Papers of the sciences. No key.",
    })
}

/// Most are the names of others.
pub(super) fn kind_label(kind: SearchKind) -> &'static str {
    match kind {
        SearchKind::Provider => t("A provider's own search"),
        kind => kind.label(),
    }
}

/// The kind, and the host where that is not the usual one.
pub(super) fn name_of(source: &SearchSourceView) -> String {
    if let Some(SearchModel { name, model, .. }) = &source.model {
        let name = if name.is_empty() { t("A provider that is gone") } else { name };
        return say!("{name}: its own search, by {model}");
    }
    let label = kind_label(source.kind);
    match source.base_url.as_deref().and_then(host) {
        Some(host) => say!("{label} at {host}"),
        None => label.to_owned(),
    }
}

fn host(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_named_by_kind_and_host() {
        for (base_url, expected) in [
            (None, "SearXNG"),
            (Some("http://127.0.0.1:8888/searx"), "SearXNG at 127.0.0.1:8888"),
            (Some("https://searx.example"), "SearXNG at searx.example"),
        ] {
            let base_url = base_url.map(str::to_owned);
            let source = SearchSourceView {
                id: "s".into(),
                kind: SearchKind::Searxng,
                base_url,
                has_key: false,
                model: None,
            };
            assert_eq!(name_of(&source), expected);
        }
    }
}
