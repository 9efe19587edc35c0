//! What an agent did and thought on the way to its words: quiet lines that open.

use super::asked_agents::{AgentsAtWork, AskedAgentList, AskedAgents};
use super::attached::brought;
use super::awaited::{Awaited, AwaitedNote};
use super::command_run::{CommandOutput, CommandRun};
use super::context::ConversationContext;
use super::data::data;
use super::device_change::{ChangedOnDevice, DeviceChange};
use super::earlier::Whole;
use super::file_change::{Changed, FileChange};
use super::files_call::{FilesCall, ManagedFiles};
use super::instructions_change::{InstructionsChange, Rewritten};
use super::let_through::LetThrough;
use super::meant_call::meant;
use super::patched_files::{PatchedFileList, PatchedFiles};
use super::pipeline_links::{PipelineLink, PipelineLinks};
use super::thread::{Body, Progress};
use super::tool_words;
use super::transcript::RenderedItem;
use super::web_results::{FoundPages, WebResults};
use crate::prelude::*;
use crate::ui::{Icon, Markdown};
use protocol::CallId;
use protocol::hub::CallProgress;
use protocol::tool_names::named;
use serde_json::Value;

/// Longest object of a tool line, in characters.
const OBJECT: usize = 120;
/// The arguments that say what a call is about, in the order in which they are told.
const TOLD: [&str; 20] = [
    "title",
    "label",
    "question",
    "action",
    "command",
    "cmd",
    "key",
    "name",
    "path",
    "file_path",
    "to",
    "pattern",
    "query",
    "url",
    "place",
    "amount",
    "base",
    "selector",
    "event",
    "timezone",
];

#[component]
pub fn Tool(shown: RenderedItem, name: String, context: ConversationContext) -> impl IntoView {
    let RenderedItem { body, text, key, .. } = shown.clone();
    let progress = Memo::new(move |_| {
        body.with(|body| match body {
            Body::Tool { progress, .. } => progress.clone(),
            Body::Message(_)
            | Body::Text { .. }
            | Body::Reasoning { .. }
            | Body::Note(_)
            | Body::CutOff(_)
            | Body::Ended { .. }
            | Body::PageErrors
            | Body::Branches { .. }
            | Body::Device { .. }
            | Body::Approval { .. } => Progress::Dropped,
        })
    });
    let object = {
        let (text, name) = (text.clone(), name.clone());
        move || match progress.with(|progress| *progress == Progress::Written) {
            true => t("is being written").to_owned(),
            false => text.with(|input| object_of(&name, input)),
        }
    };
    let tool = StoredValue::new(name.clone());
    let succeeded = move |progress: &Progress| match progress {
        Progress::Finished { result, .. } if !result.is_error => {
            Some((result.call.clone(), result.content.clone()))
        }
        Progress::Finished { .. }
        | Progress::Dropped
        | Progress::Waiting
        | Progress::Written
        | Progress::Asked
        | Progress::Running(_) => None,
    };
    let awaited = Memo::new(move |_| {
        let (_, result) = progress.with(succeeded)?;
        tool.with_value(|tool| Awaited::of(named(tool).0, &result))
    });
    let verb = {
        let (text, name) = (text.clone(), name.clone());
        move || {
            if let Some(awaited) = awaited.get() {
                return awaited.verb().to_owned();
            }
            let is_done = progress.with(|progress| status(progress) == "done");
            let (tool, action) = match progress.with(|progress| *progress == Progress::Written) {
                true => (named(&name).0, None),
                false => text.with(|input| meant(&name, input)),
            };
            tool_words::verb(tool, action.as_deref(), is_done).map_or_else(|| name.clone(), str::to_owned)
        }
    };
    let changed = Memo::new(move |_| {
        let (call, result) = progress.with(succeeded)?;
        tool.with_value(|tool| Change::of(tool, &result, &call))
    });
    let found = Memo::new(move |_| {
        let (call, result) = progress.with(succeeded)?;
        tool.with_value(|tool| Shown::of(tool, &result, &call))
    });
    let pipelines = Memo::new(move |_| {
        let result = progress.with(succeeded).map(|(_, result)| result).unwrap_or_default();
        tool.with_value(|tool| PipelineLink::of(named(tool).0, &result))
    });
    let files = Memo::new(move |_| {
        progress.with(|progress| match progress {
            Progress::Finished { result, .. } => result.media.clone(),
            Progress::Dropped
            | Progress::Waiting
            | Progress::Written
            | Progress::Asked
            | Progress::Running(_) => Vec::new(),
        })
    });
    let at_work = Memo::new(move |_| {
        progress.with(|progress| match progress {
            Progress::Running(Some(told)) => told.asked.clone(),
            Progress::Running(None)
            | Progress::Finished { .. }
            | Progress::Dropped
            | Progress::Waiting
            | Progress::Written
            | Progress::Asked => Vec::new(),
        })
    });
    let output = move || {
        progress.with(|progress| match progress {
            Progress::Finished { result, .. } => Some(result.content.clone()),
            Progress::Dropped => Some(t("The run ended before this call did.").to_owned()),
            Progress::Waiting => Some(t("It waits, and was not made yet.").to_owned()),
            Progress::Written | Progress::Asked | Progress::Running(_) => None,
        })
    };
    let is_opened = RwSignal::new(false);
    let call = Memo::new(move |_| progress.with(call_of));
    view! {
        <details class="tool" data-status=move || progress.with(status) on:toggle=move |_| is_opened.set(true)>
            <summary>
                <Icon name="tool" small=true/>
                <span class="tool-verb">{verb}</span>
                <Show when=move || progress.with(status) == "error"><span class="sr-only">"failed"</span></Show>
                <span class="tool-object">{object}</span>
                <span class="tool-progress">{move || progress.with(told)}</span>
                <span class="tool-time">{move || progress.with(time)}</span>
            </summary>
            <div class="tool-body">
                <p class="tool-label"><code>{name}</code></p>
                {move || changed.get().map(|changed| changed.view(context))}
                <p class="tool-label">"Input"</p>
                {move || data(&text.get(), is_opened.get())}
                <p class="tool-label">"Output"</p>
                {move || match found.get() {
                    Some(found) => found.view(context),
                    None => match output() {
                        Some(output) => data(&output, is_opened.get()),
                        None => view! { <pre tabindex="0">{t("Nothing yet.")}</pre> }.into_any(),
                    },
                }}
                <LetThrough key call is_opened context/>
                <Whole shown context/>
            </div>
        </details>
        <AgentsAtWork asked=at_work/>
        {move || Some(pipelines.get()).filter(|all| !all.is_empty()).map(|pipelines| view! { <PipelineLinks pipelines/> })}
        {move || awaited.get().map(|awaited| view! { <AwaitedNote awaited/> })}
        {move || brought(files.get())}
    }
}

/// What a call brought that is shown in a form of its own.
#[derive(Clone, PartialEq)]
enum Shown {
    Pages(FoundPages),
    Command(Box<CommandRun>, CallId),
    Agents(AskedAgents),
}

impl Shown {
    fn of(name: &str, result: &str, call: &CallId) -> Option<Self> {
        let tool = named(name).0;
        let pages = FoundPages::of(tool, result).map(Self::Pages);
        let command = || CommandRun::of(tool, result).map(|ran| Self::Command(Box::new(ran), call.clone()));
        pages.or_else(command).or_else(|| AskedAgents::of(tool, result).map(Self::Agents))
    }

    fn view(self, context: ConversationContext) -> AnyView {
        match self {
            Self::Pages(found) => view! { <WebResults found/> }.into_any(),
            Self::Agents(asked) => view! { <AskedAgentList asked/> }.into_any(),
            Self::Command(ran, call) => view! { <CommandOutput ran=*ran call context/> }.into_any(),
        }
    }
}

/// What a call changed that is shown as a difference.
#[derive(Clone, PartialEq)]
enum Change {
    File(Changed),
    Files(ManagedFiles),
    Patched(PatchedFiles),
    OnDevice(ChangedOnDevice),
    Instructions(Rewritten),
}

impl Change {
    fn of(name: &str, result: &str, call: &CallId) -> Option<Self> {
        let tool = named(name).0;
        let file = Changed::of(tool, result).map(Self::File);
        let file = file.or_else(|| ManagedFiles::of(tool, result, call).map(Self::Files));
        let file = file.or_else(|| PatchedFiles::of(tool, result, call).map(Self::Patched));
        let on_device = || ChangedOnDevice::of(tool, result).map(Self::OnDevice);
        file.or_else(on_device).or_else(|| Rewritten::of(tool, result).map(Self::Instructions))
    }

    fn view(self, context: ConversationContext) -> AnyView {
        match self {
            Self::Files(managed) => view! { <FilesCall managed context/> }.into_any(),
            Self::Patched(patched) => view! { <PatchedFileList patched context/> }.into_any(),
            Self::File(changed) => view! { <FileChange changed context/> }.into_any(),
            Self::OnDevice(changed) => view! { <DeviceChange changed/> }.into_any(),
            Self::Instructions(rewritten) => view! { <InstructionsChange rewritten context/> }.into_any(),
        }
    }
}

#[component]
pub fn Reasoning(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let RenderedItem { body, text, .. } = shown.clone();
    let verb = move || {
        let is_thinking = body.with(|body| matches!(body, Body::Reasoning { streaming: true }));
        t(if is_thinking { "Thinking" } else { "Thought" })
    };
    view! {
        <details class="reasoning">
            <summary>
                <Icon name="thought" small=true/>
                <span class="tool-verb">{verb}</span>
            </summary>
            <Markdown source=text/>
            <Whole shown context/>
        </details>
    }
}

/// The call that has ended.
fn call_of(progress: &Progress) -> Option<CallId> {
    match progress {
        Progress::Finished { result, .. } => Some(result.call.clone()),
        Progress::Dropped
        | Progress::Waiting
        | Progress::Written
        | Progress::Asked
        | Progress::Running(_) => None,
    }
}

fn status(progress: &Progress) -> &'static str {
    match progress {
        Progress::Written | Progress::Asked | Progress::Running(_) => "running",
        Progress::Waiting => "waiting",
        Progress::Finished { result, .. } if result.is_error => "error",
        Progress::Finished { .. } => "done",
        Progress::Dropped => "error",
    }
}

fn time(progress: &Progress) -> String {
    match progress {
        Progress::Finished { millis, .. } if *millis >= 1000 => in_seconds(millis / 100),
        Progress::Finished { millis, .. } => format!("{millis} ms"),
        Progress::Waiting => t("waits").to_owned(),
        Progress::Written | Progress::Asked | Progress::Running(_) | Progress::Dropped => String::new(),
    }
}

/// With one decimal.
pub(super) fn in_seconds(tenths: u64) -> String {
    say!("{seconds}.{tenths} s", seconds = tenths / 10, tenths = tenths % 10)
}

/// How far it is, in the words of whoever performs it.
fn told(progress: &Progress) -> String {
    let Progress::Running(Some(CallProgress { done, total, words, .. })) = progress else {
        return String::new();
    };
    let so_far = match total {
        Some(total) if is_counted(*done) && is_counted(*total) && *total != 100.0 => {
            say!("{done} of {total}")
        }
        Some(total) => format!("{:.0} %", (done / total * 100.0).clamp(0.0, 100.0)),
        None if words.is_empty() => format!("{done}"),
        None => String::new(),
    };
    [so_far.as_str(), words].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Whether it is a number of things that a person would count.
fn is_counted(number: f64) -> bool {
    number.fract() == 0.0 && number < 100_000.0
}

/// What a call is about, in one line: what it acts on, or the first line of code. The action is in the words for tools of the product.
fn object_of(name: &str, input: &str) -> String {
    let Ok(Value::Object(input)) = serde_json::from_str::<Value>(input) else { return String::new() };
    let field = |field: &str| input.get(field).and_then(Value::as_str);
    let tool = named(name).0;
    let words: Vec<&str> = if tool == "runjs" {
        field("code")
            .and_then(|code| code.lines().map(str::trim).find(|line| !line.is_empty()))
            .into_iter()
            .collect()
    } else {
        let is_others = tool_words::verb(tool, None, true).is_none();
        let is_told = |field: &&str| match *field {
            "action" => is_others,
            // What others call an action.
            "command" => is_others || tool == "terminal",
            _ => true,
        };
        TOLD.into_iter().filter(is_told).filter_map(field).collect()
    };
    let line = words.join(" ");
    match line.char_indices().nth(OBJECT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::tool_names::OTHER_NAMES;

    #[test]
    fn a_call_says_how_far_it_is_while_it_runs() {
        for (done, total, words, expected) in [
            (2.0, Some(5.0), "Digging", "2 of 5 · Digging"),
            (2.0, Some(5.0), "", "2 of 5"),
            (40.0, Some(100.0), "", "40 %"),
            (0.25, Some(1.0), "Digging", "25 % · Digging"),
            (9.0, Some(3.5), "", "100 %"),
            (7.0, None, "Digging", "Digging"),
            (7.0, None, "", "7"),
        ] {
            let progress = CallProgress { done, total, words: words.to_owned(), asked: Vec::new() };
            assert_eq!(told(&Progress::Running(Some(progress))), expected);
        }
        assert_eq!(told(&Progress::Running(None)), "");
    }

    #[test]
    fn a_call_by_another_name_is_shown_as_one_by_the_tool_s_own() {
        let results = [
            r#"{"ok":true,"path":"/agent/a.md","version":3,"diff":"-a\n+b"}"#,
            r#"{"ok":true,"path":"/opfs/a.md","device":"laptop","diff":"-a\n+b"}"#,
            r#"{"ok":true,"in_the_bin_for_days":30}"#,
            r#"{"ok":true,"files":[{"path":"/agent/a.md","did":"deleted"}]}"#,
            r#"{"seconds":0.25,"output":"a","exit_code":0,"changed":[{"path":"/agent/a","version":1}]}"#,
            r#"{"results":[{"title":"Moss","url":"https://moss.example/"}]}"#,
            r#"{"results":[{"name":"Fern","agent":"a","conversation":"b","state":"completed"}]}"#,
            "There is no such file.",
        ];
        let call = CallId::from("c");
        let mut shown = 0;
        for &(tool, _, names) in OTHER_NAMES {
            for name in names {
                for result in results {
                    let change = Change::of(name, result, &call);
                    let found = Shown::of(name, result, &call);
                    assert!(change == Change::of(tool, result, &call), "{name}: {result}");
                    assert!(found == Shown::of(tool, result, &call), "{name}: {result}");
                    shown += usize::from(change.is_some()) + usize::from(found.is_some());
                }
                assert!(tool_words::verb(meant(name, "{}").0, None, true).is_some(), "{name}");
            }
        }
        assert!(shown > 100, "{shown}");
        assert!(Shown::of("bash", results[4], &call).is_some());
        for (name, result) in [("replace_in_file", results[0]), ("apply_patch", results[3])] {
            assert!(Change::of(name, result, &call).is_some(), "{name}");
        }
    }

    #[test]
    fn a_call_is_told_in_one_line() {
        let long = format!(r#"{{"code":"{}"}}"#, "x".repeat(200));
        let table = [
            ("dom", r##"{"action":"create","selector":"#board","html":"<p>"}"##, "#board".to_owned()),
            ("runjs", r#"{"code":"\n  return 1;\nmore"}"#, "return 1;".to_owned()),
            ("state", r#"{"action":"set","key":"cards","value":1}"#, "cards".to_owned()),
            ("render_ui", r#"{"title":"Sales","html":"<p>"}"#, "Sales".to_owned()),
            ("files", r#"{"action":"delete","path":"/agent/a.md"}"#, "/agent/a.md".to_owned()),
            ("web_search", r#"{"query":"moss","count":3}"#, "moss".to_owned()),
            ("research_topic", r#"{"query":"moss","question":"where?"}"#, "where? moss".to_owned()),
            (
                "fetch",
                r#"{"url":"https://moss.example/","method":"GET"}"#,
                "https://moss.example/".to_owned(),
            ),
            ("convert", r#"{"path":"a.json","to":"a.yaml"}"#, "a.json a.yaml".to_owned()),
            ("weather", r#"{"place":"Berlin","units":"metric"}"#, "Berlin".to_owned()),
            ("exchange_rates", r#"{"base":"EUR","to":["USD"],"amount":"2.50"}"#, "2.50 EUR".to_owned()),
            ("water", r#"{"action":"begin","key":"moss"}"#, "begin moss".to_owned()),
            ("bash", r#"{"command":"ls"}"#, "ls".to_owned()),
            ("str_replace_editor", r#"{"command":"view","path":"a.md"}"#, "a.md".to_owned()),
            ("datetime", "{}", String::new()),
            ("dom", "not JSON", String::new()),
            ("runjs", &long, format!("{}…", "x".repeat(120))),
        ];
        for (name, input, line) in table {
            assert_eq!(object_of(name, input), line, "{name} {input}");
        }
    }
}
