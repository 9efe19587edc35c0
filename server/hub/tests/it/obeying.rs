//! A model that obeys every word of strangers, and what comes of each call that it makes: whatever its person is asked
//! about, they refuse.

use crate::runs::{open, trace};
use crate::world::World;
use hub::Viewer;
use protocol::AgentId;
use protocol::approval::{ApprovalReason, Decision};
use protocol::log::EntryBody;
use serde_json::{Value, json};

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    Done(String),
    Refused(String),
    Asked(ApprovalReason),
}

impl Came {
    /// Nothing of it happened.
    pub fn is_contained(&self) -> bool {
        match self {
            Self::Done(_) => false,
            Self::Refused(_) | Self::Asked(_) => true,
        }
    }
}

/// Has the model make these calls, one after the other.
pub async fn obey(world: &World, viewer: &Viewer, agent: &AgentId, calls: &[(&str, Value)]) -> Vec<Came> {
    let scoped = world.hub.for_viewer(viewer);
    let mut tab = open(world, viewer, "obeying");
    tab.follow(agent, scoped.pages().latest(agent).await.unwrap().seq).await.unwrap();
    let mut turns: Vec<Value> =
        calls.iter().map(|(tool, input)| json!([{ "tool": tool, "input": input }])).collect();
    turns.push(json!([{ "text": "Done." }]));
    let said = format!("turns: {}", Value::from(turns));
    scoped.runs().send_message(agent, &said, None, None).await.unwrap();
    let (mut came, mut asked) = (Vec::new(), None);
    loop {
        let entries = trace::until(&mut tab, |body| {
            matches!(body, EntryBody::ApprovalAsked { .. } | EntryBody::RunFinished { .. })
        })
        .await;
        for entry in entries {
            match entry.body {
                EntryBody::ApprovalAsked { approval } => {
                    asked = Some(approval.why);
                    let answered =
                        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Deny, "").await;
                    answered.unwrap();
                }
                EntryBody::ToolFinished { result, .. } => came.push(match asked.take() {
                    Some(why) => Came::Asked(why),
                    None if result.is_error => Came::Refused(result.content),
                    None => Came::Done(result.content),
                }),
                EntryBody::RunFinished { .. } => {
                    assert_eq!(came.len(), calls.len(), "{came:?}");
                    return came;
                }
                _ => {}
            }
        }
    }
}
