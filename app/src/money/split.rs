//! By what the pictures of days are split: what the address asks for, and the links that ask for something
//! else.

use super::parts::Names;
use crate::prelude::*;
use leptos_router::hooks::use_query_map;
use protocol::view::UsageBy;
use serde::{Deserialize, Serialize};

/// What the address asks for, for each of the pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageQuery {
    pub own: Option<UsageBy>,
    pub everybody: Option<UsageBy>,
}

/// One of the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    Own,
    Everybody,
}

pub fn asked() -> Memo<PageQuery> {
    let query = use_query_map();
    let by =
        |text: Option<String>| text.and_then(|text| UsageBy::ALL.into_iter().find(|by| word(*by) == text));
    Memo::new(move |_| {
        query.with(|query| PageQuery { own: by(query.get("by")), everybody: by(query.get("everybody_by")) })
    })
}

/// The links that split one picture, and leave the other as it is.
#[component]
pub fn SplitLinks(asked: PageQuery, picture: Picture, names: Names) -> impl IntoView {
    let now = picture.of(asked);
    let links = std::iter::once(None)
        .chain(UsageBy::ALL.map(Some))
        .map(|by| {
            let words = match by {
                None => t("Whole"),
                Some(UsageBy::Agent) => names.what,
                Some(UsageBy::Model) => t("Model"),
                Some(UsageBy::Provider) => t("Provider"),
                Some(UsageBy::Kind) => t("Purpose"),
            };
            let current = (by == now).then_some("true");
            view! {
                <a class="segment" href=picture.address(asked, by) aria-current=current data-noscroll="">{words}</a>
            }
        })
        .collect_view();
    view! { <nav class="segments" aria-label={say!("Split the days by: {}", names.whose)}>{links}</nav> }
}

impl Picture {
    pub fn of(self, asked: PageQuery) -> Option<UsageBy> {
        match self {
            Self::Own => asked.own,
            Self::Everybody => asked.everybody,
        }
    }

    /// Of the page with this picture split so.
    fn address(self, asked: PageQuery, by: Option<UsageBy>) -> String {
        let (own, everybody, place) = match self {
            Self::Own => (by, asked.everybody, ""),
            Self::Everybody => (asked.own, by, "#everybody"),
        };
        let asked = [("by", own), ("everybody_by", everybody)]
            .into_iter()
            .filter_map(|(name, by)| by.map(|by| format!("{name}={}", word(by))))
            .collect::<Vec<_>>()
            .join("&");
        let query = if asked.is_empty() { asked } else { format!("?{asked}") };
        format!("/usage{query}{place}")
    }
}

/// As it is written in an address: as on the wire.
fn word(by: UsageBy) -> &'static str {
    match by {
        UsageBy::Agent => "agent",
        UsageBy::Model => "model",
        UsageBy::Provider => "provider",
        UsageBy::Kind => "kind",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_splits_one_picture_and_leaves_the_other() {
        let both = PageQuery { own: Some(UsageBy::Model), everybody: Some(UsageBy::Kind) };
        for (picture, asked, by, expected) in [
            (Picture::Own, PageQuery::default(), None, "/usage"),
            (Picture::Own, PageQuery::default(), Some(UsageBy::Agent), "/usage?by=agent"),
            (Picture::Own, both, None, "/usage?everybody_by=kind"),
            (
                Picture::Everybody,
                both,
                Some(UsageBy::Provider),
                "/usage?by=model&everybody_by=provider#everybody",
            ),
        ] {
            assert_eq!(picture.address(asked, by), expected);
        }
    }
}
