//! What kinds of sources differ in: each knows how one is asked, and what its answer says.

use super::arxiv::Arxiv;
use super::brave::Brave;
use super::exa::Exa;
use super::failure::SourceError;
use super::hacker_news::HackerNews;
use super::hit::Hit;
use super::kagi::Kagi;
use super::mojeek::Mojeek;
use super::request::{Request, Wanted};
use super::searxng::Searxng;
use super::stack_exchange::StackExchange;
use super::tavily::Tavily;
use super::wikipedia::Wikipedia;
use crate::vault::Secret;
use protocol::view::SearchKind;
use url::Url;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyUse {
    Needed,
    None,
}

pub(super) trait Backend: Sync {
    /// Where it is, if it is the same for everybody.
    fn own_address(&self) -> Option<&'static str>;

    fn key(&self) -> KeyUse {
        KeyUse::None
    }

    /// Milliseconds between two requests of this hub at that address.
    fn gap_ms(&self) -> i64 {
        1000
    }

    fn request(&self, base: &Url, wanted: &Wanted, key: Option<&Secret>) -> Result<Request, SourceError>;

    /// What an answer that went well says.
    fn read(&self, base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError>;

    /// What an answer means that did not, where it means something else than it does elsewhere.
    fn failure(&self, _status: u16) -> Option<SourceError> {
        None
    }

    /// Seconds for which it wants to be left alone, by what an answer says that went well.
    fn backoff(&self, _body: &[u8]) -> Option<u64> {
        None
    }
}

/// `None`: the search of a provider of models, which is a call of one of those.
pub(super) fn of(kind: SearchKind) -> Option<&'static dyn Backend> {
    Some(match kind {
        SearchKind::Provider => return None,
        SearchKind::Searxng => &Searxng,
        SearchKind::Brave => &Brave,
        SearchKind::Tavily => &Tavily,
        SearchKind::Exa => &Exa,
        SearchKind::Kagi => &Kagi,
        SearchKind::Mojeek => &Mojeek,
        SearchKind::Wikipedia => &Wikipedia,
        SearchKind::HackerNews => &HackerNews,
        SearchKind::StackExchange => &StackExchange,
        SearchKind::Arxiv => &Arxiv,
    })
}
