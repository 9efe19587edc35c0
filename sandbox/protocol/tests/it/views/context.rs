//! What a model is given of a conversation.

use crate::golden::{Section, every, section};
use crate::samples::{agent, tool};
use protocol::ContextSource;
use protocol::log::Summariser;
use protocol::model::ModelMessage;
use protocol::view::{ContextPart, ContextRoom, ContextSection, ContextStep, ContextView, PromptPart};

pub fn sections() -> Vec<Section> {
    vec![
        section(
            "ContextView",
            &[ContextView {
                agent: agent(),
                name: "Fern".to_owned(),
                model: "model-1".to_owned(),
                running: false,
                sections: vec![ContextSection {
                    tokens: 4,
                    part: ContextPart::System {
                        part: PromptPart::Identity,
                        text: "You are Fern.".to_owned(),
                    },
                }],
                tokens: 4,
                room: room(),
                steps: vec![ContextStep::Digested],
                summarised: 0,
            }],
        ),
        every!(ContextStep {
            ContextStep::Digested => [ContextStep::Digested],
            ContextStep::Clipped { .. } => [ContextStep::Clipped { longest: 4000 }],
            ContextStep::Summary { .. } => [ContextStep::Summary {
                by: Summariser::Model,
                text: "They talked about ferns.".to_owned(),
            }],
        }),
        every!(ContextPart {
            ContextPart::System { .. } => [ContextPart::System {
                part: PromptPart::Identity,
                text: "You are Fern.".to_owned(),
            }],
            ContextPart::Tool { .. } => [ContextPart::Tool { tool: tool() }],
            ContextPart::Context { .. } => [ContextPart::Context {
                source: ContextSource::Device,
                text: "[device]\n> A phone.".to_owned(),
            }],
            ContextPart::Message { .. } => [ContextPart::Message {
                message: ModelMessage::User { text: "Hello".to_owned(), media: Vec::new() },
            }],
        }),
        every!(PromptPart {
            PromptPart::Identity => [PromptPart::Identity],
            PromptPart::Instructions => [PromptPart::Instructions],
            PromptPart::AgentsMd => [PromptPart::AgentsMd],
            PromptPart::WorkspaceMd => [PromptPart::WorkspaceMd],
            PromptPart::Page => [PromptPart::Page],
            PromptPart::Work => [PromptPart::Work],
            PromptPart::Tools => [PromptPart::Tools],
            PromptPart::Context => [PromptPart::Context],
            PromptPart::Skills => [PromptPart::Skills],
            PromptPart::Memories => [PromptPart::Memories],
            PromptPart::Skill { .. } => [PromptPart::Skill { name: "moss".to_owned() }],
        }),
    ]
}

pub fn room() -> ContextRoom {
    ContextRoom { tokens: 195_904, warn: 60, danger: 85 }
}
