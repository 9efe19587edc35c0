//! What one patch did to several files: each with its difference and one press to take that back, and one press for all.

use super::answer;
use super::context::ConversationContext;
use super::file_change::{Changed, FileChange};
use super::undo_call::UndoCall;
use crate::prelude::*;
use crate::ui::Diff;
use protocol::{CallId, FolderId};
use serde::Deserialize;

/// What the tool that edits answers a whole patch with.
#[derive(Deserialize)]
struct Answer {
    files: Vec<PatchedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct PatchedFile {
    path: String,
    did: Did,
    version: Option<u64>,
    #[serde(default)]
    diff: String,
    workspace: Option<FolderId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Did {
    Created,
    Changed,
    Moved,
    Deleted,
}

/// The files of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PatchedFiles {
    files: Vec<PatchedFile>,
    call: CallId,
}

impl PatchedFiles {
    /// None: the call applied no whole patch.
    pub(super) fn of(tool: &str, result: &str, call: &CallId) -> Option<Self> {
        if tool != "edit" {
            return None;
        }
        let Answer { files } = answer::read(result)?;
        (!files.is_empty()).then(|| Self { files, call: call.clone() })
    }
}

impl PatchedFile {
    /// What is shown as a change with a way back of its own. A file that was moved goes back by the whole call alone.
    fn changed(&self) -> Option<Changed> {
        let Self { path, did, version, diff, workspace } = self.clone();
        match did {
            Did::Created | Did::Changed => Changed { path, version: version?, diff, workspace }.of_own(),
            Did::Moved | Did::Deleted => None,
        }
    }
}

#[component]
pub(super) fn PatchedFileList(patched: PatchedFiles, context: ConversationContext) -> impl IntoView {
    let PatchedFiles { files, call } = patched;
    let count = files.len();
    let goes_back_alone = count == 1 && files.iter().all(|file| file.changed().is_some());
    let undo = (!goes_back_alone).then(|| view! { <UndoCall call count context/> });
    let files = files.into_iter().map(|file| one(file, context)).collect_view();
    view! {
        <div class="file-change">
            <ul class="command-files">{files}</ul>
            {undo}
        </div>
    }
}

fn one(file: PatchedFile, context: ConversationContext) -> AnyView {
    let changed = file.changed();
    let PatchedFile { path, did, diff, .. } = file;
    match (did, changed) {
        (_, Some(changed)) => view! { <li><b>{path}</b> <FileChange changed context/></li> }.into_any(),
        (Did::Deleted, None) => view! { <li><b>{path}</b> " was deleted; it is in the bin."</li> }.into_any(),
        (Did::Moved, None) => {
            let shown = (!diff.is_empty()).then(|| view! { <Diff text=diff/> });
            view! { <li><b>{path}</b> " was moved here." {shown}</li> }.into_any()
        }
        (Did::Created | Did::Changed, None) => view! { <li><b>{path}</b></li> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_a_patch_is_shown_and_what_can_go_back_alone_does() {
        let result = r#"{"ok":true,"files":[
            {"path":"/agent/a.md","did":"changed","version":3,"diff":"-a\n+b"},
            {"path":"/workspace/b.md","did":"created","version":1,"workspace":"moss"},
            {"path":"/agent/c.md","did":"moved","version":2,"diff":"-c\n+d"},
            {"path":"/agent/e.md","did":"deleted"}
        ]}"#;
        let call = CallId::from("c");
        let hooked = format!("{result}\n\nA hook says so.");
        let patched = PatchedFiles::of("edit", &hooked, &call).expect("files");
        assert_eq!(PatchedFiles::of("edit", result, &call), Some(patched.clone()));
        let paths: Vec<_> =
            patched.files.iter().map(|file| file.changed().map(|changed| changed.path)).collect();
        assert_eq!(paths, [Some("a.md".to_owned()), Some("b.md".to_owned()), None, None]);
        for (tool, result) in [
            ("files", result),
            ("edit", r#"{"ok":true,"files":[]}"#),
            ("edit", r#"{"ok":true,"path":"/agent/a.md","version":3}"#),
            ("edit", "/agent/a.md: There is no such file. Nothing of the patch was applied."),
        ] {
            assert_eq!(PatchedFiles::of(tool, result, &call), None, "{tool} {result}");
        }
    }
}
