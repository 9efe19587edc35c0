//! Conversations: their lists, and what is written and answered in them.

use super::money::spent;
use crate::golden::{Section, every, section};
use crate::samples::{AT, agent, attachment, conversation, run};
use protocol::Micros;
use protocol::log::Outcome;
use protocol::view::{
    ConversationFilter, ConversationList, ConversationView, Draft, MessageOutcome, Rating, Sent, Thumb,
    Towards,
};

pub fn directions() -> Vec<Section> {
    vec![every!(Towards {
        Towards::Start => [Towards::Start],
        Towards::End => [Towards::End],
    })]
}

pub fn drafts_and_ratings() -> Vec<Section> {
    vec![
        section(
            "Draft",
            &[
                Draft { text: "Not done yet".to_owned(), files: Vec::new(), version: 3 },
                Draft { text: String::new(), files: vec![attachment()], version: 4 },
            ],
        ),
        every!(Thumb {
            Thumb::Up => [Thumb::Up],
            Thumb::Down => [Thumb::Down],
        }),
        section(
            "Rating",
            &[
                rating(Some(AT)),
                Rating { seq: 4, thumb: Some(Thumb::Up), note: String::new(), told_at: None },
            ],
        ),
    ]
}

pub fn lists() -> Vec<Section> {
    vec![
        section(
            "ConversationList",
            &[ConversationList {
                conversations: vec![conversation_view()],
                more: true,
                folders: vec!["Garden".to_owned()],
            }],
        ),
        every!(ConversationFilter {
            ConversationFilter::Active => [ConversationFilter::Active],
            ConversationFilter::Archived => [ConversationFilter::Archived],
            ConversationFilter::Deleted => [ConversationFilter::Deleted],
        }),
    ]
}

pub fn answers() -> Vec<Section> {
    vec![
        section("Sent", &[Sent { seq: 42, conversation: conversation() }]),
        section(
            "Answered",
            &[
                MessageOutcome {
                    seq: 42,
                    run: Some(run()),
                    outcome: Some(Outcome::Completed),
                    text: "Done.".to_owned(),
                    error: None,
                    spent: spent(Some(Micros(4321))),
                },
                MessageOutcome {
                    seq: 42,
                    run: None,
                    outcome: None,
                    text: String::new(),
                    error: None,
                    spent: spent(None),
                },
            ],
        ),
    ]
}

pub fn rating(told_at: Option<i64>) -> Rating {
    Rating { seq: 3, thumb: Some(Thumb::Down), note: "Too long".to_owned(), told_at }
}

pub fn conversation_view() -> ConversationView {
    ConversationView {
        id: conversation(),
        agent: agent(),
        title: "Plan a trip".to_owned(),
        model: "claude-opus-4-1".to_owned(),
        created_at: AT,
        used_at: AT,
        pinned: true,
        archived: false,
        deleted: false,
        unread: true,
        temporary: true,
        folder: "Garden".to_owned(),
    }
}
