//! Fields of a request: those that there are, and those that are refused.

use super::body;
use crate::providers::served::read;
use agent::model_endpoints::{Api, SETTINGS, Treatment};
use serde_json::json;

const DOCUMENT: &str = include_str!("../../../../../../docs/api.md");

#[test]
fn a_field_that_an_api_does_not_have_is_refused_as_its_maker_would() {
    for (api, field, words) in [
        (Api::Chat, "colour", "Unrecognized request argument supplied: colour"),
        (Api::Chat, "thinking", "Unrecognized request argument supplied: thinking"),
        (Api::Responses, "colour", "Unknown parameter: 'colour'."),
        (Api::Messages, "colour", "colour: Extra inputs are not permitted"),
    ] {
        let trouble = read(api, &body(api, &json!({ field: "x" }))).expect_err("an unknown field");
        assert_eq!((trouble.field.as_deref(), trouble.message.as_str()), (Some(field), words));
    }
}

#[test]
fn what_changes_the_answer_and_cannot_be_had_is_refused() {
    let format = |kind: &str| json!({ "output_config": { "format": { "type": kind } } });
    for (api, asked, field) in [
        (Api::Chat, json!({ "n": 2 }), "n"),
        (Api::Chat, json!({ "logprobs": true }), "logprobs"),
        (Api::Chat, json!({ "top_logprobs": 2 }), "top_logprobs"),
        (Api::Chat, json!({ "modalities": ["text", "audio"] }), "modalities"),
        (Api::Chat, json!({ "functions": [{ "name": "f" }] }), "functions"),
        (Api::Chat, json!({ "web_search_options": { "a": 1 } }), "web_search_options"),
        (Api::Chat, json!({ "reasoning_effort": "much" }), "reasoning_effort"),
        (Api::Chat, json!({ "verbosity": "loud" }), "verbosity"),
        (Api::Chat, json!({ "seed": 1.5 }), "seed"),
        (Api::Chat, json!({ "response_format": { "type": "grammar" } }), "response_format"),
        (Api::Chat, json!({ "response_format": { "type": "json_schema" } }), "response_format"),
        (Api::Chat, json!({ "response_format": "json" }), "response_format"),
        (Api::Chat, json!({ "tool_choice": { "type": "custom", "custom": { "name": "a" } } }), "tool_choice"),
        (Api::Responses, json!({ "background": true }), "background"),
        (Api::Responses, json!({ "prompt": { "id": "p" } }), "prompt"),
        (Api::Responses, json!({ "include": ["message.output_text.logprobs"] }), "include"),
        (Api::Responses, json!({ "text": { "format": { "type": "lark" } } }), "text.format"),
        (Api::Messages, json!({ "mcp_servers": [{ "url": "https://example.com" }] }), "mcp_servers"),
        (Api::Messages, json!({ "inference_geo": "eu" }), "inference_geo"),
        (Api::Messages, json!({ "thinking": { "type": "deep" } }), "thinking"),
        (Api::Messages, json!({ "output_config": { "effort": "much" } }), "output_config.effort"),
        (Api::Messages, format("xml"), "output_config.format"),
        (Api::Messages, format("json_schema"), "output_config.format"),
    ] {
        let trouble = read(api, &body(api, &asked)).expect_err("it cannot be had");
        assert_eq!(trouble.field.as_deref(), Some(field), "{asked}");
    }
}

#[test]
fn every_field_stands_in_the_document_with_what_becomes_of_it() {
    let section = DOCUMENT.split("### Fields of a request").nth(1).expect("the section");
    let section = section.split("\n#").next().expect("its end");
    let documented: Vec<Vec<&str>> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|row| row.split('|').map(|cell| cell.trim().trim_end_matches('`')).take(4).collect())
        .collect();
    let expected: Vec<Vec<&str>> = SETTINGS
        .iter()
        .map(|setting| {
            let word = |api| match setting.treatment(api) {
                Treatment::Carried => "carried",
                Treatment::PassedOver => "passed over",
                Treatment::Refused => "refused",
                Treatment::Unknown => "",
            };
            vec![setting.field, word(Api::Chat), word(Api::Responses), word(Api::Messages)]
        })
        .collect();
    assert_eq!(documented, expected);
}
