//! When the bar is read anew.

use crate::AppError;
use crate::browser::live;
use crate::prelude::*;
use protocol::AgentId;
use protocol::hub::HubFrame;
use protocol::log::{CallEvent, Class, EntryBody, RunEvent};
use protocol::view::SideBar;
use std::collections::BTreeMap;
use std::time::Duration;

/// What happens within this time is read at once.
const TOGETHER: Duration = Duration::from_millis(200);

/// What calls `again` a little later, once for all that ask for it until then.
pub(super) fn soon(again: impl Fn() + Copy + Send + Sync + 'static) -> Callback<()> {
    let is_due = StoredValue::new(false);
    Callback::new(move |()| {
        if is_due.try_get_value() != Some(false) {
            return;
        }
        is_due.set_value(true);
        let read = move || {
            is_due.try_set_value(false);
            again();
        };
        set_timeout(read, TOGETHER);
    })
}

/// Calls `again` when something happens to an agent that the bar shows. Those that are followed already are not begun
/// anew with each bar.
pub(super) fn follow(bar: Resource<Result<Option<SideBar>, AppError>>, again: Callback<()>) {
    Effect::new(move |followed: Option<BTreeMap<AgentId, live::Follower>>| {
        let mut followed = followed.unwrap_or_default();
        let Some(Ok(shown)) = bar.get() else { return followed };
        let agents = shown.map(|bar| bar.agents).unwrap_or_default();
        let mut wanted = BTreeMap::new();
        for agent in agents {
            let follower = followed.remove(&agent.id).unwrap_or_else(|| {
                live::follow(agent.id.clone(), agent.seq, move |frame| hear(frame, again))
            });
            wanted.insert(agent.id, follower);
        }
        followed.into_values().for_each(live::unfollow);
        wanted
    });
}

fn hear(frame: &HubFrame, again: Callback<()>) {
    match frame {
        HubFrame::Entry { entry } if shows(&entry.body) => again.run(()),
        HubFrame::Changed { .. } => again.run(()),
        _ => {}
    }
}

fn shows(body: &EntryBody) -> bool {
    matches!(
        body.class(),
        Class::Run(RunEvent::Started { .. } | RunEvent::Finished { .. })
            | Class::Call(
                CallEvent::DeviceWait { .. } | CallEvent::ApprovalAsked { .. } | CallEvent::ApprovalSettled
            )
    )
}
