//! Plays `scripts/*.txt`: the log and the inputs are taken from a script, the effects are written
//! behind each input, and the outcome must be the script again. `scripts/README.md` has the
//! notation.

pub mod notation;

use crate::world::{World, spec};
use agent::tools;
use agent::{Input, Run};
use notation::{Line, Reader, Setting};
use protocol::RunId;
use protocol::log::EntryBody;
use std::collections::BTreeSet;
use std::path::Path;

macro_rules! scripts {
    ($($name:ident),* $(,)?) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(stringify!($name), include_str!(concat!("scripts/", stringify!($name), ".txt")));
            }
        )*
    };
}

scripts! {
    ambient,
    ambient_before_a_message,
    ambient_gives_way,
    ambient_gives_way_before_it_begins,
    ambient_without_an_answer,
    announced_and_not_done,
    another_model_answers,
    autonomous,
    autonomous_at_its_cap,
    blocks_cut_off_by_the_provider,
    calls_of_one_reply,
    cleared_after_a_rest,
    cleared_after_a_rest_with_a_note,
    context_told,
    context_told_without_words,
    denied_and_suspicious_results,
    denied_by_a_hook,
    denied_three_times,
    devices_come_and_go,
    earlier_run_interrupted_in_a_reply,
    earlier_run_interrupted_in_tools,
    empty_reply,
    failed_twice_is_disabled,
    failure_before_any_text,
    failure_in_text,
    finished_run_is_left_alone,
    forced_compaction_cut_anywhere,
    found_and_made_tools,
    garbage_beside_a_call,
    garbage_once,
    garbage_twice,
    hook_on_the_end,
    hook_on_the_end_of_a_stopped_run,
    hooks,
    late_result_of_an_earlier_run,
    malformed_call_beside_a_good_one,
    malformed_call_is_asked_for_again,
    malformed_call_of_a_native_model,
    message_during_a_run,
    native_models_mean_what_they_say,
    no_retry_after_a_word,
    no_summary,
    not_cleared_by_a_note,
    not_cleared_during_a_run,
    output_limit,
    page_speaks,
    page_told,
    page_told_later,
    page_wakes,
    plain_answer,
    planned,
    prefetch,
    prefetch_too_slow,
    reasoning_of_another_model,
    refusal,
    resume_after_a_hook_on_the_end,
    resume_after_all_results,
    resume_before_anything,
    resume_in_a_cut_turn,
    resume_with_missing_results,
    retry_after_a_failure,
    retry_answers_again,
    round_limit,
    round_limit_without_an_answer,
    same_search_in_other_words,
    silence_after_tools,
    stale_turn,
    steering,
    steering_between_replies,
    steering_in_the_last_round,
    stop_before_anything,
    stop_in_a_pause,
    stop_in_a_prefetch,
    stop_in_an_aside,
    stop_in_text,
    stop_in_tools,
    summary_by_a_model,
    summary_marks_a_turn_of_its_own_run,
    summary_of_a_turn_made_again,
    third_identical_call,
    todo_changes,
    too_long_for_the_provider,
    tool_taken_away,
    tool_round,
    two_tools_out_of_order,
    unplanned,
    unknown_and_double_results,
    words_of_strangers,
}

#[test]
fn every_script_is_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/scripts");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the scripts' folder")
        .map(|file| file.expect("a file").file_name().into_string().expect("a plain name"))
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .collect();
    let listed: BTreeSet<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(files, listed);
}

#[track_caller]
fn check(name: &str, script: &str) {
    let played = play(script);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/scripts");
        std::fs::write(folder.join(format!("{name}.txt")), played).expect("the script is written");
        return;
    }
    assert!(played == script, "the script says\n\n{script}\nbut the loop does\n\n{played}");
}

fn play(script: &str) -> String {
    let id = RunId::from("r");
    let mut spec = spec(25);
    let mut world = World::default();
    let mut run: Option<Run> = None;
    let mut played = String::new();
    for text in script.lines() {
        let line = Reader::new(text).line();
        if !matches!(line, Line::Effect) {
            played.push_str(text);
            played.push('\n');
        }
        let input = match line {
            Line::Comment | Line::Effect => continue,
            Line::Rounds(limit) => {
                spec.round_limit = limit;
                continue;
            }
            Line::Set(setting) => {
                match setting {
                    Setting::Tools(names) => spec.tools = tools::specs(&names),
                    Setting::Deferred(names) => spec.deferred = tools::specs(&names),
                    Setting::Context(tokens) => spec.context_tokens = tokens,
                    Setting::NoNativeTools => spec.native_tools = false,
                    Setting::Plan => spec.plan = true,
                    Setting::Hook(hook) => spec.hooks.push(hook),
                    Setting::Mode(mode) => spec.mode = mode,
                    Setting::ClearAfter(millis) => spec.clear_after_ms = Some(millis.into()),
                }
                continue;
            }
            Line::Rest(millis) => {
                world.now += i64::from(millis);
                continue;
            }
            Line::Log(entry_run, body) => {
                world.write(entry_run.as_ref(), body);
                continue;
            }
            Line::Cut(lost) => {
                world.lose(lost);
                run = None;
                continue;
            }
            Line::Input(input) => input,
        };
        let run = run.get_or_insert_with(|| world.resume(&id, &spec));
        let input = match input {
            Input::Steer { from, text, .. } => {
                world.write(None, EntryBody::said(from.clone(), text.clone()));
                Input::Steer { seq: world.entries.len() as u64, from, text, attachments: Vec::new() }
            }
            other => other,
        };
        if let Input::Tool { turn, result, denied, .. } = &input {
            world.write_result(&id, *turn, result, *denied);
        }
        for effect in run.handle(input) {
            world.perform(&id, &effect);
            played.push_str(&notation::effect(&effect));
        }
    }
    played
}
