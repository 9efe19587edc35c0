//! Where the web is searched.

use crate::golden::{Section, every, section};
use protocol::view::{SearchKind, SearchModel, SearchSourceView};

pub fn sections() -> Vec<Section> {
    vec![
        every!(SearchKind {
            SearchKind::Searxng => [SearchKind::Searxng],
            SearchKind::Brave => [SearchKind::Brave],
            SearchKind::Tavily => [SearchKind::Tavily],
            SearchKind::Exa => [SearchKind::Exa],
            SearchKind::Kagi => [SearchKind::Kagi],
            SearchKind::Mojeek => [SearchKind::Mojeek],
            SearchKind::Provider => [SearchKind::Provider],
            SearchKind::Wikipedia => [SearchKind::Wikipedia],
            SearchKind::HackerNews => [SearchKind::HackerNews],
            SearchKind::StackExchange => [SearchKind::StackExchange],
            SearchKind::Arxiv => [SearchKind::Arxiv],
        }),
        section(
            "SearchSourceView",
            &[SearchSourceView {
                id: "source-1".into(),
                kind: SearchKind::Searxng,
                base_url: Some("http://127.0.0.1:8888".to_owned()),
                has_key: false,
                model: Some(SearchModel {
                    provider: "provider-1".into(),
                    name: "Anthropic".to_owned(),
                    model: "model-1".to_owned(),
                }),
            }],
        ),
    ]
}
