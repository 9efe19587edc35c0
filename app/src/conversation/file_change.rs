//! What a call changed in a file of the agent's, or of its workspace: the difference, the way to the file, and one press to take the
//! change back.

use super::answer;
use super::context::ConversationContext;
use crate::files::address as file_address;
use crate::files::api::UndoFile;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Diff, FormAction};
use protocol::FolderId;
use protocol::files::FolderKind;
use serde::Deserialize;

/// Where the agent's own files are, and those that it shares.
const OWN: &str = "/agent/";
const SHARED: &str = "/workspace/";

/// The tools that change files.
pub(super) const CHANGES_FILES: [&str; 5] = ["write", "edit", "document", "convert", "chart"];

/// What the tools that change files answer with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Changed {
    pub(super) path: String,
    pub(super) version: u64,
    #[serde(default)]
    pub(super) diff: String,
    /// The workspace that the agent had then, if the file is in it.
    #[serde(default)]
    pub(super) workspace: Option<FolderId>,
}

impl Changed {
    /// None: the call changed no file.
    pub(super) fn of(tool: &str, result: &str) -> Option<Self> {
        if !CHANGES_FILES.contains(&tool) {
            return None;
        }
        answer::read(result).and_then(Self::of_own)
    }

    /// With its path below the folder in which it is. None: it is in neither.
    pub(super) fn of_own(self) -> Option<Self> {
        let mount = if self.workspace.is_some() { SHARED } else { OWN };
        let path = self.path.strip_prefix(mount)?.to_owned();
        Some(Self { path, ..self })
    }
}

#[component]
pub(super) fn FileChange(changed: Changed, context: ConversationContext) -> impl IntoView {
    let Changed { path, version, diff, workspace } = changed;
    let (folder, kind) = match workspace {
        Some(workspace) => (workspace, FolderKind::Workspace),
        None => (context.agent.with_value(|agent| FolderId::from(agent)), FolderKind::Agent),
    };
    let undo = FormAction::<UndoFile>::new();
    let address = file_address(&folder, kind, &path);
    let about = StoredValue::new((folder.0, path, version.to_string()));
    let fields = move || {
        about.with_value(|(folder, path, version)| {
            view! {
                <input type="hidden" name="folder" value=folder.clone()/>
                <input type="hidden" name="path" value=path.clone()/>
                <input type="hidden" name="version" value=version.clone()/>
            }
        })
    };
    let is_undone = move || undo.value().with(|value| matches!(value, Some(Ok(()))));
    let shown = (!diff.is_empty()).then(|| view! { <Diff text=diff/> });
    view! {
        <div class="file-change">
            {shown}
            <ActionFailure value=undo.value()/>
            <div class="actions">
                <a class="button" data-kind="quiet" href=address>"Open the file"</a>
                <Show when=move || !is_undone() fallback=|| view! { <span class="field-hint" role="status">{t("The change was taken back.")}</span> }>
                    <ActionForm action=undo>
                        {fields}
                        <button type="submit" class="button" data-kind="quiet">"Undo this change"</button>
                    </ActionForm>
                </Show>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_changed_a_file_shows_one() {
        let result = r#"{"ok":true,"path":"/agent/a b.md","version":3,"bytes":2,"diff":"-a\n+b"}"#;
        let changed =
            Changed { path: "a b.md".to_owned(), version: 3, diff: "-a\n+b".to_owned(), workspace: None };
        assert_eq!(Changed::of("edit", result), Some(changed));
        assert!(Changed::of("convert", result).is_some());
        assert!(Changed::of("edit", &format!("{result}\n\nA hook says so.")).is_some());
        let shared = r#"{"path":"/workspace/plan.md","version":1,"workspace":"moss"}"#;
        let found = Changed::of("write", shared).unwrap();
        assert_eq!((found.path.as_str(), found.workspace), ("plan.md", Some(FolderId::from("moss"))));
        for (tool, result) in [
            ("state", result),
            ("write", "There is no file /agent/a."),
            ("convert", r#"{"format":"yaml","text":"a: 1"}"#),
            ("write", r#"{"path":"/uploads/a","version":1}"#),
            ("edit", r#"{"path":"/agent/a"}"#),
        ] {
            assert_eq!(Changed::of(tool, result), None, "{tool} {result}");
        }
    }
}
