//! What a call deleted, moved, copied or brought back: the difference of each file when somebody asks for it, and one
//! press to take it back.

use super::answer;
use super::context::ConversationContext;
use super::file_change::CHANGES_FILES;
use super::undo_call::UndoCall;
use crate::files::address;
use crate::files::api::files_of_call;
use crate::prelude::*;
use crate::ui::{ActionFailure, Diff};
use protocol::CallId;
use protocol::files::{FileDid, FileOfCall};
use serde::Deserialize;

/// What the tool for files as a whole answers with where it changed something that the hub keeps.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Answer {
    ok: bool,
    path: Option<String>,
    version: Option<u64>,
    restored: Option<u64>,
    in_the_bin_for_days: Option<u32>,
}

/// A call that did something to whole files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ManagedFiles(CallId);

impl ManagedFiles {
    /// None: the call changed no file that the hub keeps. What is called like a tool that changes files can delete one and
    /// bring it back as well.
    pub(super) fn of(tool: &str, result: &str, call: &CallId) -> Option<Self> {
        let manages = tool == "files";
        if !manages && !CHANGES_FILES.contains(&tool) {
            return None;
        }
        let answer: Answer = answer::read(result)?;
        let is_put =
            answer.path.is_some() && ((manages && answer.version.is_some()) || answer.restored.is_some());
        (answer.ok && (is_put || answer.in_the_bin_for_days.is_some())).then(|| Self(call.clone()))
    }
}

#[component]
pub(super) fn FilesCall(managed: ManagedFiles, context: ConversationContext) -> impl IntoView {
    let ManagedFiles(call) = managed;
    let about = StoredValue::new((
        context.agent.with_value(Clone::clone),
        context.conversation.with_value(Clone::clone),
        call.clone(),
    ));
    let look = Action::new(move |(): &()| {
        let (agent, conversation, call) = about.get_value();
        files_of_call(agent, conversation, call)
    });
    let (found, pending) = (look.value(), look.pending());
    let files = move || found.with(|found| found.as_ref().and_then(|found| found.as_ref().ok()).cloned());
    let is_asked = move || files().is_some();
    view! {
        <div class="file-change">
            <Show when=move || !is_asked()>
                <p class="actions">
                    <button type="button" class="button" data-kind="quiet" aria-busy=move || pending.get().then_some("true") on:click=move |_| { look.dispatch(()); }>"Show what changed"</button>
                </p>
            </Show>
            <ActionFailure value=look.value()/>
            {move || files().map(|files| view! { <ul class="command-files">{files.into_iter().map(file).collect_view()}</ul> })}
            <UndoCall call count=1 context/>
        </div>
    }
}

fn file(file: FileOfCall) -> impl IntoView {
    let FileOfCall { folder, kind, path, did, diff } = file;
    let page = address(&folder, kind, &path);
    let words = t(match did {
        FileDid::Made => " was made.",
        FileDid::Changed => " was changed.",
        FileDid::Deleted => " was deleted.",
    });
    let diff = (!diff.is_empty()).then(|| view! { <Diff text=diff/> });
    view! { <li><a href=page>{path}</a> {words} {diff}</li> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_changed_what_the_hub_keeps_can_be_taken_back() {
        for (tool, result, is_shown) in [
            ("files", r#"{"ok":true,"in_the_bin_for_days":30}"#, true),
            ("files", r#"{"ok":true,"path":"/agent/a","version":2}"#, true),
            ("files", r#"{"ok":true,"path":"/agent/a","restored":1}"#, true),
            ("files", "{\"ok\":true,\"path\":\"/agent/a\",\"version\":2}\n\nA hook says so.", true),
            ("files", r#"{"ok":true,"path":"/local/a","device":"laptop"}"#, false),
            ("files", r#"{"ok":true}"#, false),
            ("files", r#"{"path":"/agent","files":3}"#, false),
            ("files", "There is no file.", false),
            ("write", r#"{"ok":true,"path":"/agent/a","version":2}"#, false),
            ("edit", r#"{"ok":true,"in_the_bin_for_days":30}"#, true),
            ("edit", r#"{"ok":true,"path":"/agent/a","restored":1}"#, true),
            ("read", r#"{"ok":true,"in_the_bin_for_days":30}"#, false),
        ] {
            let call = CallId("c".to_owned());
            assert_eq!(ManagedFiles::of(tool, result, &call).is_some(), is_shown, "{tool} {result}");
        }
    }
}
