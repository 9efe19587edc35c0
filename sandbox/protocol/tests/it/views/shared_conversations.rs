//! Conversations that others may read.

use super::conversations::conversation_view;
use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::view::{
    ConversationShare, ConversationShares, SharedConversation, SharedLine, SharedList, SharedPart,
    SharedSpeaker, SharedWords,
};

pub fn sections() -> Vec<Section> {
    vec![
        section(
            "ConversationShares",
            &[ConversationShares {
                conversation: conversation_view(),
                agent_name: "Fern".to_owned(),
                shares: vec![ConversationShare {
                    id: "share-1".into(),
                    reader: "Ben".to_owned(),
                    shared_at: AT,
                }],
            }],
        ),
        section("SharedList", &[SharedList { conversations: vec![shared_conversation(false)], more: true }]),
        section("SharedPart", &[shared_part()]),
        every!(SharedWords {
            SharedWords::Message { .. } => [SharedWords::Message {
                from: SharedSpeaker::Owner,
                text: "Look".to_owned(),
                attached: vec!["fern.png".to_owned()],
            }],
            SharedWords::Answer { .. } => [SharedWords::Answer { text: "A fern.".to_owned() }],
            SharedWords::Tool { .. } => [SharedWords::Tool { name: "fetch".to_owned(), failed: true }],
        }),
        every!(SharedSpeaker {
            SharedSpeaker::Owner => [SharedSpeaker::Owner],
            SharedSpeaker::Program { .. } => [SharedSpeaker::Program { name: "script".to_owned() }],
            SharedSpeaker::Relay { .. } => [SharedSpeaker::Relay { name: "mail".to_owned() }],
            SharedSpeaker::Agent { .. } => [SharedSpeaker::Agent { name: "Bo".to_owned() }],
            SharedSpeaker::Page => [SharedSpeaker::Page],
            SharedSpeaker::Rule => [SharedSpeaker::Rule],
            SharedSpeaker::Schedule { .. } => [SharedSpeaker::Schedule { name: "Rounds".to_owned() }],
        }),
    ]
}

pub fn shared_conversation(is_own: bool) -> SharedConversation {
    SharedConversation {
        id: "share-1".into(),
        title: "Plan a trip".to_owned(),
        agent_name: "Fern".to_owned(),
        owner: "Ada".to_owned(),
        is_own,
        shared_at: AT,
        used_at: AT,
    }
}

pub fn shared_part() -> SharedPart {
    let said =
        SharedWords::Message { from: SharedSpeaker::Owner, text: "Look".to_owned(), attached: Vec::new() };
    SharedPart {
        conversation: shared_conversation(true),
        lines: vec![SharedLine { seq: 42, at: AT, said, is_cut: true }],
        earlier: Some(42),
    }
}
