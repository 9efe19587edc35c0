//! Where a person's agents search the web.

use crate::{ProviderId, SearchSourceId};
use serde::{Deserialize, Serialize};

/// What kind of search a source is: whose requests and answers it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// A program that people run themselves, and that asks many others.
    Searxng,
    Brave,
    Tavily,
    Exa,
    Kagi,
    Mojeek,
    /// The search that a provider of models has itself.
    Provider,
    Wikipedia,
    HackerNews,
    StackExchange,
    Arxiv,
}

impl SearchKind {
    pub const ALL: [Self; 11] = [
        Self::Searxng,
        Self::Brave,
        Self::Tavily,
        Self::Exa,
        Self::Kagi,
        Self::Mojeek,
        Self::Provider,
        Self::Wikipedia,
        Self::HackerNews,
        Self::StackExchange,
        Self::Arxiv,
    ];

    /// The name that people know it by.
    pub fn label(self) -> &'static str {
        match self {
            Self::Searxng => "SearXNG",
            Self::Brave => "Brave Search",
            Self::Tavily => "Tavily",
            Self::Exa => "Exa",
            Self::Kagi => "Kagi",
            Self::Mojeek => "Mojeek",
            Self::Provider => "A provider's own search",
            Self::Wikipedia => "Wikipedia",
            Self::HackerNews => "Hacker News",
            Self::StackExchange => "Stack Exchange",
            Self::Arxiv => "arXiv",
        }
    }

    /// As forms, calls and columns name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Searxng => "searxng",
            Self::Brave => "brave",
            Self::Tavily => "tavily",
            Self::Exa => "exa",
            Self::Kagi => "kagi",
            Self::Mojeek => "mojeek",
            Self::Provider => "provider",
            Self::Wikipedia => "wikipedia",
            Self::HackerNews => "hacker_news",
            Self::StackExchange => "stack_exchange",
            Self::Arxiv => "arxiv",
        }
    }

    /// Whether it searches the web as a whole. One of these stands in for another.
    pub fn is_general(self) -> bool {
        match self {
            Self::Searxng
            | Self::Brave
            | Self::Tavily
            | Self::Exa
            | Self::Kagi
            | Self::Mojeek
            | Self::Provider => true,
            Self::Wikipedia | Self::HackerNews | Self::StackExchange | Self::Arxiv => false,
        }
    }
}

/// One place that agents ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSourceView {
    pub id: SearchSourceId,
    pub kind: SearchKind,
    /// Absent: the kind's own.
    pub base_url: Option<String>,
    pub has_key: bool,
    /// Of a provider's own search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<SearchModel>,
}

/// The model that searches, with the tool that its provider has for that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchModel {
    pub provider: ProviderId,
    /// What the provider is called; empty: it is not there any more.
    pub name: String,
    pub model: String,
}

/// Which way a source goes in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Towards {
    Start,
    End,
}
