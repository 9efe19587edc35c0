//! Which of our tools a model is told of at once. The others it finds with `tool_search`.

use super::{
    Tool, agents, calc, catalogue, datetime, device, exchange_rates, external_job, files, guests, pipelines,
    render_ui, research_topic, schedule, set_context, skills, skins, state, todo, topics, update_self,
    weather,
};
use crate::context::{UNKNOWN_CONTEXT, bytes_of, tokens_of_text};
use protocol::model::ToolSpec;

/// Tokens that our tools take in a request at most, where the model has the room.
const TOKENS: u64 = 14_000;

/// Of the context of a small model they take this part.
const PART: u64 = 4;

/// The tools that can be found when they are wanted, those first that are missed least. What makes
/// something and what looks after it go together.
const FINDABLE: &[&[Tool]] = &[
    &[guests::AUDIT, guests::VIEW],
    &[set_context::TOOL],
    &[external_job::TOOL],
    &[topics::PUBLISH, topics::SUBSCRIBE, topics::UNSUBSCRIBE, topics::LIST],
    &[pipelines::CREATE, pipelines::STATUS, pipelines::CANCEL],
    &[update_self::TOOL],
    &[skills::WRITE],
    &[catalogue::MAKE, catalogue::TAKE_AWAY],
    &[device::CLIPBOARD, device::LOCATION],
    &[files::CHART],
    &[files::SYMBOLS],
    &[files::DIAGNOSTICS],
    &[exchange_rates::TOOL, weather::TOOL],
    &[research_topic::TOOL],
    &[skins::TOOL, render_ui::TOOL],
    &[state::STORAGE],
    &[calc::TOOL, datetime::TOOL],
    &[files::CONVERT],
    &[files::DOCUMENT],
    &[agents::SPAWN, agents::ASK, agents::WAIT, agents::RESULT, agents::SEND, agents::STOP, agents::LIST],
    &[schedule::TOOL],
    &[todo::TOOL],
];

/// Tokens that our tools may take in each request to a model with a context of so many, 0: nobody knows.
pub fn room(context_tokens: u32) -> u64 {
    let context = if context_tokens == 0 { UNKNOWN_CONTEXT } else { context_tokens };
    TOKENS.min(u64::from(context) / PART)
}

/// Whether they may all be told at once.
pub fn fit(specs: &[ToolSpec], room: u64) -> bool {
    tokens_of_text(bytes_of_all(specs)) <= room
}

/// Takes out as many of the findable ones as it needs for the others to fit, and returns them. Those that work
/// depends on stay, whatever they take.
pub fn defer(specs: &mut Vec<ToolSpec>, room: u64) -> Vec<ToolSpec> {
    let mut deferred: Vec<ToolSpec> = Vec::new();
    let mut bytes = bytes_of_all(specs);
    for family in FINDABLE {
        if tokens_of_text(bytes) <= room {
            break;
        }
        let before = deferred.len();
        deferred.extend(specs.extract_if(.., |spec| family.iter().any(|tool| tool.name == spec.name)));
        bytes -= bytes_of_all(&deferred[before..]);
    }
    deferred
}

fn bytes_of_all(specs: &[ToolSpec]) -> usize {
    specs.iter().map(bytes_of).sum()
}

#[cfg(test)]
mod tests {
    use super::super::{all, specs};
    use super::*;

    fn named(specs: &[ToolSpec]) -> Vec<&str> {
        specs.iter().map(|spec| spec.name.as_str()).collect()
    }

    #[test]
    fn a_new_agent_is_told_of_all_its_tools_and_with_the_web_finds_those_for_charts_checks_and_the_day() {
        let names = |is_one: fn(&&Tool) -> bool| -> Vec<String> {
            all().iter().filter(is_one).map(|tool| tool.name.to_owned()).collect()
        };
        let usual = names(|tool| tool.is_usual());
        let mut told = specs(&usual);
        assert_eq!(defer(&mut told, room(128_000)), []);
        assert_eq!(named(&told), usual);
        let mut told = specs(&names(|tool| tool.is_usual() || tool.is_of_the_web()));
        let found = defer(&mut told, room(128_000));
        let of_the_day = ["chart", "diagnostics", "weather", "exchange_rates"];
        assert!(found.iter().all(|tool| of_the_day.contains(&tool.name.as_str())), "{:?}", named(&found));
    }

    #[test]
    fn what_does_not_fit_is_found_and_nothing_else_is_touched() {
        let names: Vec<String> = all().iter().map(|tool| tool.name.to_owned()).collect();
        for context in [0, 1_000_000, 200_000, 32_768, 8192] {
            let mut told = specs(&names);
            let deferred = defer(&mut told, room(context));
            let all_findable = deferred.len() == FINDABLE.iter().map(|family| family.len()).sum::<usize>();
            assert!(!deferred.is_empty() && (fit(&told, room(context)) || all_findable), "{context}");
            let mut both: Vec<_> = told.iter().chain(&deferred).cloned().collect();
            both.sort_by_key(|spec| names.iter().position(|name| *name == spec.name));
            assert_eq!(both, specs(&names), "{context}");
            for family in FINDABLE {
                let gone = |tool: &&Tool| deferred.iter().any(|spec| spec.name == tool.name);
                let gone = family.iter().filter(gone).count();
                assert!(gone == 0 || gone == family.len(), "{context}: {}", family[0].name);
            }
            assert!(named(&told).contains(&"tool_search") && named(&told).contains(&"read"), "{context}");
        }
    }
}
