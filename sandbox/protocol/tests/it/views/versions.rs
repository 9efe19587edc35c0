//! Kept versions of pages and instructions.

use crate::golden::{Section, every, section};
use crate::samples::{AT, agent, conversation};
use protocol::view::{
    InstructionsAuthor, InstructionsText, InstructionsVersion, NamedConversation, SkinOrigin, SkinVersion,
    StateOrigin, StateValue,
};
use serde_json::json;

pub fn sections() -> Vec<Section> {
    vec![
        every!(SkinOrigin {
            SkinOrigin::Run => [SkinOrigin::Run],
            SkinOrigin::Page => [SkinOrigin::Page],
            SkinOrigin::Person => [SkinOrigin::Person],
            SkinOrigin::Copy => [SkinOrigin::Copy],
        }),
        section(
            "SkinVersion",
            &[
                SkinVersion {
                    version: 3,
                    at: AT,
                    origin: SkinOrigin::Run,
                    device: Some("Firefox".to_owned()),
                    conversation: Some(NamedConversation {
                        id: conversation(),
                        agent: agent(),
                        title: "Ferns".to_owned(),
                    }),
                },
                SkinVersion {
                    version: 1,
                    at: AT,
                    origin: SkinOrigin::Copy,
                    device: None,
                    conversation: None,
                },
            ],
        ),
        every!(StateOrigin {
            StateOrigin::Run => [StateOrigin::Run],
            StateOrigin::Page => [StateOrigin::Page],
        }),
        section(
            "StateValue",
            &[
                StateValue {
                    key: "beds".to_owned(),
                    value: json!({ "ferns": 3 }),
                    origin: Some(StateOrigin::Run),
                    at: Some(AT),
                    conversation: Some(NamedConversation {
                        id: conversation(),
                        agent: agent(),
                        title: "Ferns".to_owned(),
                    }),
                },
                StateValue {
                    key: "count".to_owned(),
                    value: json!(1),
                    origin: None,
                    at: None,
                    conversation: None,
                },
            ],
        ),
        every!(InstructionsAuthor {
            InstructionsAuthor::Person => [InstructionsAuthor::Person],
            InstructionsAuthor::Agent => [InstructionsAuthor::Agent],
            InstructionsAuthor::Copy => [InstructionsAuthor::Copy],
        }),
        section(
            "InstructionsVersion",
            &[
                InstructionsVersion {
                    version: 2,
                    at: AT,
                    author: Some(InstructionsAuthor::Agent),
                    conversation: Some(conversation()),
                },
                InstructionsVersion { version: 1, at: AT, author: None, conversation: None },
            ],
        ),
        section(
            "InstructionsText",
            &[
                InstructionsText {
                    version: 2,
                    text: "Be kind.".to_owned(),
                    difference: Some("@@ -0,0 +1 @@\n+Be kind.\n".to_owned()),
                },
                InstructionsText { version: 1, text: String::new(), difference: None },
            ],
        ),
    ]
}
