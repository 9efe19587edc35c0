//! What stands in the composer, the same on every device of the person: the hub is told a moment after they wrote, and
//! this browser keeps it for when there is no hub.

mod local;

use super::attaching;
use super::composer::put;
use super::context::ConversationContext;
use super::storage;
use crate::AppError;
use crate::conversations::api::{get_draft, keep_draft};
use crate::prelude::*;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::task::spawn_local;
use local::{LocalDraft, Meeting, Unsaved};
use protocol::hub::HubFrame;
use protocol::view::Draft;
use protocol::view::shell::Connection;
use protocol::{Attachment, ConversationId, FailureKind, UserId};
use std::time::Duration;

/// The hub is told once nothing was written for so long.
const PAUSE: Duration = Duration::from_millis(800);
/// How long that grows while it does not take what it is told.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub struct Drafting {
    local: LocalDraft,
    /// What this browser had kept stands in the composer.
    is_restored: bool,
    /// The hub is being told.
    is_saving: bool,
    /// The newest of which the hub has told.
    heard: u64,
    waits: Option<TimeoutHandle>,
    /// So often the hub did not take it, one after the other.
    failures: u32,
}

impl ConversationContext {
    fn is_live(&self) -> bool {
        self.connection.try_get_untracked() == Some(Some(Connection::Live))
    }

    fn keep_here(&self, draft: &LocalDraft) {
        self.write_written(&draft.stored());
    }
}

/// What this browser has kept; its files are shown.
pub fn restored(context: ConversationContext) -> Option<String> {
    let kept = context.read_written().map(|stored| LocalDraft::read(&stored));
    let local = kept.unwrap_or_default();
    context.draft.update_value(|drafting| {
        drafting.local = local.clone();
        drafting.is_restored = true;
    });
    attaching::show(context, &local.files, &[]);
    (!local.text.is_empty()).then_some(local.text)
}

/// The person wrote, or something was put there for them.
pub fn note(context: ConversationContext, text: &str) {
    change(context, |local| local.write(text));
}

/// These files are to go with it.
pub fn note_files(context: ConversationContext, files: Vec<Attachment>) {
    change(context, |local| local.attach(files));
}

fn change(context: ConversationContext, change: impl FnOnce(&mut LocalDraft) -> bool) {
    let changed = context.draft.try_update_value(|drafting| {
        let is_other = change(&mut drafting.local);
        is_other.then(|| drafting.local.clone())
    });
    let Some(Some(local)) = changed else { return };
    context.keep_here(&local);
    // What was sent is written nowhere any more.
    if local.is_empty() { save(context) } else { save_soon(context) }
}

/// Learns what the hub has, once there is a connection and what was kept here is known.
pub fn ask(context: ConversationContext) {
    if context.is_live() && context.draft.with_value(|drafting| drafting.is_restored) {
        fetch(context, Meeting::Again);
    }
}

/// Another page of the person wrote, or this one.
pub fn hear(context: ConversationContext, frame: &HubFrame) {
    let HubFrame::DraftChanged { conversation, version, .. } = frame else { return };
    if context.conversation.with_value(|shown| shown != conversation) {
        return;
    }
    let is_news = context.draft.try_update_value(|drafting| {
        drafting.heard = drafting.heard.max(*version);
        !drafting.is_saving && drafting.heard > drafting.local.version
    });
    if is_news == Some(true) {
        fetch(context, Meeting::Live);
    }
}

fn fetch(context: ConversationContext, meeting: Meeting) {
    let Some(id) = context.conversation.try_get_value() else { return };
    spawn_local(async move {
        // Without an answer it is asked for again with the next connection.
        let Ok(hub) = get_draft(id).await else { return };
        let met = context.draft.try_update_value(|drafting| {
            let is_other = drafting.local.meet(hub, meeting);
            (is_other, drafting.local.clone())
        });
        let Some((is_other, local)) = met else { return };
        context.keep_here(&local);
        if is_other {
            put(context, &local.text);
        }
        attaching::show(context, &local.files, &[]);
        if local.unsaved().is_some() {
            save_soon(context);
        }
    });
}

fn save_soon(context: ConversationContext) {
    let Some(failures) = context.draft.try_with_value(|drafting| drafting.failures) else { return };
    let waits = set_timeout_with_handle(move || save(context), pause_after(failures)).ok();
    let before = context.draft.try_update_value(|drafting| std::mem::replace(&mut drafting.waits, waits));
    if let Some(Some(before)) = before {
        before.clear();
    }
}

fn pause_after(failures: u32) -> Duration {
    PAUSE.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_PAUSE)
}

/// Tells the hub what waits to be told: one after the other, so that none overtakes the next.
pub fn save(context: ConversationContext) {
    let is_live = context.is_live();
    let due = context.draft.try_update_value(|drafting| {
        if let Some(waits) = drafting.waits.take() {
            waits.clear();
        }
        if !is_live || drafting.is_saving || !drafting.is_restored {
            return None;
        }
        let unsaved = drafting.local.unsaved()?;
        drafting.is_saving = true;
        Some(unsaved)
    });
    let (Some(Some(told)), Some(place)) = (due, context.place_of_written()) else { return };
    spawn_local(async move {
        let kept = tell(place.1.clone(), told.clone()).await;
        let left = context.draft.try_update_value(|drafting| {
            drafting.is_saving = false;
            let before = drafting.local.text.clone();
            let mut refused = Vec::new();
            match &kept {
                Ok(hub) => {
                    drafting.failures = 0;
                    refused = drafting.local.was_kept(&told, hub.clone());
                }
                Err(_) => drafting.failures = drafting.failures.saturating_add(1),
            }
            let is_other = drafting.local.text != before;
            (drafting.local.clone(), is_other, drafting.heard > drafting.local.version, refused)
        });
        let Some((local, is_other, is_behind, refused)) = left else {
            if let Ok(hub) = kept {
                note_away(&place, &told, hub).await;
            }
            return;
        };
        context.keep_here(&local);
        if is_other {
            put(context, &local.text);
        }
        attaching::show(context, &local.files, &refused);
        let is_unreachable = |kind| matches!(kind, FailureKind::Upstream | FailureKind::Unavailable);
        let is_refused = kept.is_err_and(|error| !is_unreachable(error.0.kind));
        if is_behind {
            fetch(context, Meeting::Live);
        } else if local.unsaved().is_some_and(|unsaved| !is_refused || unsaved != told) {
            save_soon(context);
        }
    });
}

async fn tell(id: ConversationId, unsaved: Unsaved) -> Result<Draft, AppError> {
    let Unsaved { text, attach, detach, .. } = unsaved;
    let files_only = text.is_none();
    keep_draft(id, text.unwrap_or_default(), files_only, attach, detach).await
}

/// The page was left meanwhile. What was written or sent after that is told once more.
async fn note_away(place: &(UserId, ConversationId), told: &Unsaved, hub: Draft) {
    let Some(newer) = note_kept(place, told, hub) else { return };
    if let Ok(hub) = tell(place.1.clone(), newer.clone()).await {
        note_kept(place, &newer, hub);
    }
}

/// Notes in what this browser keeps what the hub has. Gives what it does not have.
fn note_kept((person, id): &(UserId, ConversationId), told: &Unsaved, hub: Draft) -> Option<Unsaved> {
    let mut local = LocalDraft::read(&storage::read_written(person, id)?);
    local.was_kept(told, hub);
    storage::write_written(person, id, &local.stored());
    local.unsaved()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_that_does_not_take_a_draft_is_told_of_it_ever_more_seldom() {
        let pauses = [0, 1, 5, 6, u32::MAX].map(|failures| pause_after(failures).as_millis());
        assert_eq!(pauses, [800, 1_600, 25_600, 30_000, 30_000]);
    }
}
