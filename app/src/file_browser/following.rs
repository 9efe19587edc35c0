//! The tree looks again when files change: whoever did it, and wherever.

use super::tree::Tree;
use crate::browser::live;
use crate::prelude::*;
use leptos::leptos_dom::helpers::TimeoutHandle;
use protocol::AgentId;
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// What comes so soon after each other is looked at once.
const PAUSE: Duration = Duration::from_millis(250);

pub(super) fn follow(tree: Tree, writers: Vec<(AgentId, u64)>) {
    Effect::new(move |_| {
        let look_again = after_a_pause(move || tree.look_again());
        let followers: Vec<_> = writers
            .iter()
            .map(|(agent, seq)| {
                let look_again = look_again.clone();
                live::follow(agent.clone(), *seq, move |frame| {
                    if tells_of_files(frame) {
                        look_again();
                    }
                })
            })
            .collect();
        on_cleanup(move || followers.into_iter().for_each(live::unfollow));
    });
}

/// Does it once for all times that come so soon after each other.
pub(super) fn after_a_pause(act: impl Fn() + Copy + 'static) -> impl Fn() + Clone + 'static {
    let waits = Rc::new(Cell::new(None::<TimeoutHandle>));
    move || {
        if let Some(before) = waits.take() {
            before.clear();
        }
        waits.set(set_timeout_with_handle(act, PAUSE).ok());
    }
}

/// A tool that ended may have written something, as may what goes on in the background while a run ends.
fn tells_of_files(frame: &HubFrame) -> bool {
    let is_ended =
        |body: &EntryBody| matches!(body, EntryBody::ToolFinished { .. } | EntryBody::RunFinished { .. });
    matches!(frame, HubFrame::Changed { .. })
        || matches!(frame, HubFrame::Entry { entry } if is_ended(&entry.body))
}
