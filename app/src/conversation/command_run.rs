//! What came of a command: what it said, how it ended, and each file that it changed.

use super::answer;
use super::context::ConversationContext;
use super::file_change::{Changed, FileChange};
use super::tool::in_seconds;
use super::undo_call::UndoCall;
use crate::files::size;
use crate::prelude::*;
use protocol::CallId;
use serde::Deserialize;

/// What the tool that runs commands answers with.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct CommandRun {
    seconds: f64,
    output: String,
    exit_code: Option<i32>,
    ended: Option<String>,
    job: Option<u32>,
    running: bool,
    read_on_from: Option<u64>,
    changed: Vec<Changed>,
    deleted: Vec<String>,
    not_kept: Vec<NotKept>,
    changed_besides: usize,
    deleted_besides: usize,
    not_kept_besides: usize,
    reached: Vec<Reached>,
    reached_besides: usize,
    not_reached: Vec<NotReached>,
    not_reached_besides: usize,
    session: Option<String>,
    whole_output: Option<String>,
    output_file: Option<OutputFile>,
}

/// Where more of what it said is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct OutputFile {
    path: Option<String>,
    is_all: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Reached {
    place: String,
    bytes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct NotReached {
    place: String,
    why: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct NotKept {
    path: String,
    why: String,
}

impl CommandRun {
    /// None: the call was about no command.
    pub(super) fn of(tool: &str, result: &str) -> Option<Self> {
        if tool == "terminal" { answer::read(result) } else { None }
    }

    fn ending(&self) -> String {
        let time = in_seconds((self.seconds * 10.0).round_ties_even() as u64);
        if self.running {
            let job = self.job.unwrap_or_default();
            let how = say!("It runs in the background, as job {job}, for {time} now.");
            return match self.read_on_from {
                Some(_) => format!("{how} {}", t("It has said more than this.")),
                None => how,
            };
        }
        match (self.exit_code, &self.ended) {
            (Some(0), _) => say!("It succeeded, after {time}."),
            (Some(code), _) => say!("It failed with exit code {code}, after {time}."),
            (None, Some(how)) => say!("It did not come to its end: {how}, after {time}."),
            (None, None) => say!("It ended, after {time}."),
        }
    }
}

/// Of what there is too much to be listed.
fn besides(count: usize, words: impl FnOnce(usize) -> String) -> Option<String> {
    (count > 0).then(|| words(count))
}

#[component]
pub(super) fn CommandOutput(ran: CommandRun, call: CallId, context: ConversationContext) -> impl IntoView {
    let ending = ran.ending();
    let besides = [
        besides(ran.changed_besides, |count| {
            plural!(count, "{count} more were changed.", "{count} more were changed.")
        }),
        besides(ran.deleted_besides, |count| {
            plural!(count, "{count} more were deleted.", "{count} more were deleted.")
        }),
        besides(ran.not_kept_besides, |count| {
            plural!(count, "{count} more were not kept.", "{count} more were not kept.")
        }),
        besides(ran.reached_besides, |count| {
            plural!(count, "{count} more places were reached.", "{count} more places were reached.")
        }),
        besides(ran.not_reached_besides, |count| {
            plural!(count, "{count} more places were not reached.", "{count} more places were not reached.")
        }),
    ];
    let besides = besides.into_iter().flatten().map(|words| view! { <li>{words}</li> });
    let count = ran.changed.len() + ran.deleted.len() + ran.changed_besides + ran.deleted_besides;
    let undo = (count > 1 && !ran.running).then(|| view! { <UndoCall call count context/> });
    let CommandRun {
        output,
        changed,
        deleted,
        not_kept,
        reached,
        not_reached,
        session,
        whole_output,
        output_file,
        ..
    } = ran;
    let reached = reached.into_iter().map(|Reached { place, bytes }| {
        view! { <li>"It reached "<b>{place}</b>{format!(": {}.", size(bytes))}</li> }
    });
    let not_reached = not_reached.into_iter().map(
        |NotReached { place, why }| view! { <li>"It did not reach "<b>{place}</b>{format!(". {why}")}</li> },
    );
    let session = session.map(|words| view! { <li>{say!("Of its session, {words}.")}</li> });
    let has = match &output_file {
        Some(file) if file.is_all => t("has all that it said, for a day."),
        Some(_) | None => t("has the beginning of what it said, for a day."),
    };
    let output = if output.is_empty() { t("It said nothing.").to_owned() } else { output };
    let files = changed.into_iter().filter_map(Changed::of_own);
    let files =
        files.map(|changed| view! { <li><b>{changed.path.clone()}</b> <FileChange changed context/></li> });
    let deleted =
        deleted.into_iter().map(|path| view! { <li><b>{path}</b> " was deleted; it is in the bin."</li> });
    let not_kept = not_kept
        .into_iter()
        .map(|NotKept { path, why }| view! { <li><b>{path}</b> {say!(" was not kept: {why}.")}</li> });
    view! {
        <pre tabindex="0">{output}</pre>
        {whole_output.map(|whole| view! {
            <details class="command-whole">
                <summary>"Its first 40 KB"</summary>
                <pre tabindex="0">{whole}</pre>
            </details>
        })}
        {output_file.and_then(|file| file.path).map(|path| view! {
            <p class="field-hint"><b>{path}</b> " " {has}</p>
        })}
        <p class="field-hint">{ending}</p>
        <ul class="command-files">{files.collect_view()} {deleted.collect_view()} {not_kept.collect_view()} {besides.collect_view()} {reached.collect_view()} {not_reached.collect_view()} {session}</ul>
        {undo}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_tells_how_it_ended() {
        for (result, ending) in [
            (r#"{"seconds":0.25,"output":"a","exit_code":0}"#, "It succeeded, after 0.2 s."),
            (r#"{"seconds":1.0,"output":"","exit_code":3}"#, "It failed with exit code 3, after 1.0 s."),
            (
                r#"{"seconds":2.0,"output":"","ended":"its time was over, and it was ended"}"#,
                "It did not come to its end: its time was over, and it was ended, after 2.0 s.",
            ),
        ] {
            let ran = CommandRun::of("terminal", result).expect("a command");
            assert_eq!(ran.ending(), ending);
            assert_eq!(CommandRun::of("fetch", result), None);
        }
        let begun = CommandRun::of("terminal", r#"{"job":3,"running":true}"#).expect("a command");
        assert_eq!(begun.ending(), "It runs in the background, as job 3, for 0.0 s now.");
        assert_eq!(CommandRun::of("terminal", "The command was not run: no."), None);
    }
}
