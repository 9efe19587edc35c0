//! How a file is told of.

use crate::prelude::{key, plural, say, t};
use protocol::files::{FileAuthor, FolderKind, FolderView};

/// Who wrote it, in this folder.
pub(super) fn author(author: Option<&FileAuthor>, folder: &FolderView) -> String {
    match author {
        Some(FileAuthor::Person) => t("You").to_owned(),
        Some(FileAuthor::Agent { name, .. }) => {
            agent(name.as_deref(), folder).unwrap_or(t("An agent")).to_owned()
        }
        Some(FileAuthor::Archive) => t("Came along").to_owned(),
        None => t("Not known").to_owned(),
    }
}

/// The same within a sentence, before when that was.
pub(super) fn written_by(author: Option<&FileAuthor>, folder: &FolderView) -> String {
    match author {
        Some(FileAuthor::Person) => t("written by you").to_owned(),
        Some(FileAuthor::Agent { name, .. }) => match agent(name.as_deref(), folder) {
            Some(agent) => say!("written by {agent}"),
            None => t("written by an agent that is gone").to_owned(),
        },
        Some(FileAuthor::Archive) => t("came along").to_owned(),
        None => t("written").to_owned(),
    }
}

/// What the agent is called that wrote it. None: it is gone.
fn agent<'n>(name: Option<&'n str>, folder: &'n FolderView) -> Option<&'n str> {
    match folder.kind {
        FolderKind::Agent => Some(name.unwrap_or(&folder.name)),
        FolderKind::Workspace => name,
    }
}

/// What of strangers may be in a file.
pub(super) const BY_STRANGERS: &str = key!(
    "An agent that had read words of strangers wrote this. Whichever agent reads it counts as having read them too. Once you have looked through it, upload it yourself to take the mark off."
);

/// What becomes of `AGENTS.md`, of an agent of this name.
pub(super) fn agents_md_words(author: Option<&FileAuthor>, agent: &str) -> String {
    match author {
        Some(FileAuthor::Person) => {
            say!("This file stands in {agent}\u{2019}s prompt, since you wrote it last.")
        }
        Some(FileAuthor::Agent { .. } | FileAuthor::Archive) | None => {
            say!(
                "{agent} is not told of this file by itself, since you did not write it last. Look through it, and upload it yourself or restore a version to have it read."
            )
        }
    }
}

/// The same of a workspace.
pub(super) fn workspace_md_words(author: Option<&FileAuthor>) -> &'static str {
    t(match author {
        Some(FileAuthor::Person) => {
            "This file stands in the prompts of agents that have this workspace, since you wrote it last."
        }
        Some(FileAuthor::Agent { .. } | FileAuthor::Archive) | None => {
            "No agent is told of this file by itself, since you did not write it last. Look through it, and upload it yourself or restore a version to have it read."
        }
    })
}

/// What a person is told before they delete something for which the bin has no room.
pub(super) fn leaving_words(files: u64) -> String {
    plural!(
        files,
        "The bin has no room for all of this: a file that was deleted before leaves it for good. Restore what you want to keep first.",
        "The bin has no room for all of this: {files} files that were deleted before leave it for good. Restore what you want to keep first."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_wrote_it_is_named_while_they_are_there() {
        let by = |name: Option<&str>| FileAuthor::Agent {
            conversation: "talk".into(),
            agent: None,
            call: None,
            name: name.map(str::to_owned),
        };
        for (kind, name, expected) in [
            (FolderKind::Agent, None, "Ada"),
            (FolderKind::Agent, Some("Helper"), "Helper"),
            (FolderKind::Workspace, Some("Bea"), "Bea"),
            (FolderKind::Workspace, None, "An agent"),
        ] {
            let folder = FolderView { id: "f".into(), name: "Ada".to_owned(), kind, files: 0, size: 0 };
            assert_eq!(author(Some(&by(name)), &folder), expected);
        }
    }

    #[test]
    fn only_what_the_person_wrote_is_told_by_itself() {
        for (author, is_told) in
            [(Some(FileAuthor::Person), true), (Some(FileAuthor::Archive), false), (None, false)]
        {
            let words = agents_md_words(author.as_ref(), "Ada");
            assert_eq!(words.contains("stands in Ada\u{2019}s prompt"), is_told, "{words}");
        }
    }
}
