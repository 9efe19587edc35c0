//! Plays `scripts/*.txt`: the log and the inputs are taken from a script, the effects are written
//! behind each input, and the outcome must be the script again. `scripts/README.md` has the
//! notation.

mod notation;

use crate::world::{World, spec};
use agent::{Input, Run};
use notation::{Line, Reader};
use protocol::RunId;
use std::collections::BTreeSet;
use std::path::Path;

macro_rules! scripts {
    ($($name:ident),* $(,)?) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(include_str!(concat!("scripts/", stringify!($name), ".txt")));
            }
        )*
    };
}

scripts! {
    blocks_cut_off_by_the_provider,
    earlier_run_interrupted_in_a_reply,
    earlier_run_interrupted_in_tools,
    empty_reply,
    failure_before_any_text,
    failure_in_text,
    finished_run_is_left_alone,
    late_result_of_an_earlier_run,
    message_during_a_run,
    output_limit,
    page_speaks,
    plain_answer,
    refusal,
    resume_after_all_results,
    resume_before_anything,
    resume_in_a_cut_turn,
    resume_with_missing_results,
    retry_answers_again,
    round_limit,
    stale_turn,
    stop_before_anything,
    stop_in_text,
    stop_in_tools,
    tool_round,
    two_tools_out_of_order,
    unknown_and_double_results,
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
fn check(script: &str) {
    let played = play(script);
    assert!(played == script, "the script says\n\n{script}\nbut the loop does\n\n{played}");
}

fn play(script: &str) -> String {
    let id = RunId::from("r");
    let mut rounds = 25;
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
                rounds = limit;
                continue;
            }
            Line::Log(entry_run, body) => {
                world.write(entry_run.as_ref(), body);
                continue;
            }
            Line::Cut => {
                run = None;
                continue;
            }
            Line::Input(input) => input,
        };
        let run = run.get_or_insert_with(|| world.resume(&id, &spec(rounds)));
        if let Input::Tool { turn, result, .. } = &input {
            world.write_result(&id, *turn, result);
        }
        for effect in run.handle(input) {
            world.perform(&id, &effect);
            played.push_str(&notation::effect(&effect));
        }
    }
    played
}
