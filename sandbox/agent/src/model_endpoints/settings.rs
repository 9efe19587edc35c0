//! What becomes of each field of a request. What changes the answer is carried or refused; what a
//! provider's makers know and this hub does not is refused, as they would refuse it.

use super::api_error::ApiError;
use super::{Api, fields};
use serde_json::{Value, json};

/// A field, and what each API's reader does with it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub field: &'static str,
    chat: Treatment,
    responses: Treatment,
    messages: Treatment,
    /// What to do where it is refused.
    advice: &'static str,
    /// Whether the value asks for nothing but what happens anyway.
    is_idle: fn(&Value) -> bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    Carried,
    /// It has nothing to do with the answer.
    PassedOver,
    Refused,
    /// The API has no such field.
    Unknown,
}

use Treatment::{Carried, PassedOver, Refused, Unknown};

impl Setting {
    pub fn treatment(&self, api: Api) -> Treatment {
        match api {
            Api::Chat => self.chat,
            Api::Responses => self.responses,
            Api::Messages => self.messages,
        }
    }
}

pub(super) fn check(api: Api, body: &Value) -> Result<(), ApiError> {
    for (field, value) in body.as_object().into_iter().flatten() {
        let setting = SETTINGS.iter().find(|setting| setting.field == field);
        match setting.map_or(Unknown, |setting| setting.treatment(api)) {
            Carried | PassedOver => {}
            Refused => {
                if let Some(setting) = setting.filter(|setting| !(setting.is_idle)(value)) {
                    return Err(ApiError::field(field, format!("{field}: {}", setting.advice)));
                }
            }
            Unknown => {
                let what = match api {
                    Api::Chat => format!("Unrecognized request argument supplied: {field}"),
                    Api::Responses => format!("Unknown parameter: '{field}'."),
                    Api::Messages => format!("{field}: Extra inputs are not permitted"),
                };
                return Err(ApiError::field(field, what));
            }
        }
    }
    Ok(())
}

const STORED: &str = "Nothing is kept here between requests: leave it out, and send the whole conversation.";
const ELSEWHERE: &str = "It runs at one provider only and is not passed on: leave it out.";
const TOOLS: &str = "Declare functions as tools.";
const PROBABLE: &str = "Probabilities of tokens are not passed on: leave it out.";

pub const SETTINGS: &[Setting] = &[
    of("model", Carried, Carried, Carried),
    of("messages", Carried, Unknown, Carried),
    of("input", Unknown, Carried, Unknown),
    of("instructions", Unknown, Carried, Unknown),
    of("system", Unknown, Unknown, Carried),
    of("stream", Carried, Carried, Carried),
    of("stream_options", Carried, PassedOver, Unknown),
    of("max_tokens", Carried, Unknown, Carried),
    of("max_completion_tokens", Carried, Unknown, Unknown),
    of("max_output_tokens", Unknown, Carried, Unknown),
    of("temperature", Carried, Carried, Carried),
    of("top_p", Carried, Carried, Carried),
    of("top_k", Carried, Unknown, Carried),
    of("presence_penalty", Carried, Unknown, Unknown),
    of("frequency_penalty", Carried, Unknown, Unknown),
    of("logit_bias", Carried, Unknown, Unknown),
    of("seed", Carried, Unknown, Unknown),
    of("stop", Carried, Unknown, Unknown),
    of("stop_sequences", Unknown, Unknown, Carried),
    of("response_format", Carried, Unknown, Unknown),
    of("text", Unknown, Carried, Unknown),
    of("output_config", Unknown, Unknown, Carried),
    of("output_format", Unknown, Unknown, Carried),
    of("verbosity", Carried, Unknown, Unknown),
    of("tools", Carried, Carried, Carried),
    of("tool_choice", Carried, Carried, Carried),
    of("parallel_tool_calls", Carried, Carried, Unknown),
    of("reasoning_effort", Carried, Unknown, Unknown),
    of("reasoning", Carried, Carried, Unknown),
    of("thinking", Unknown, Unknown, Carried),
    of("include", Unknown, Carried, Unknown),
    of("metadata", PassedOver, PassedOver, PassedOver),
    of("user", PassedOver, PassedOver, Unknown),
    of("safety_identifier", PassedOver, PassedOver, Unknown),
    of("user_profile_id", Unknown, Unknown, PassedOver),
    of("workspace_id", Unknown, Unknown, PassedOver),
    of("store", PassedOver, PassedOver, Unknown),
    of("service_tier", PassedOver, PassedOver, PassedOver),
    of("speed", Unknown, Unknown, PassedOver),
    of("prediction", PassedOver, Unknown, Unknown),
    of("prompt_cache_key", PassedOver, PassedOver, Unknown),
    of("prompt_cache_options", PassedOver, PassedOver, Unknown),
    of("prompt_cache_retention", PassedOver, PassedOver, Unknown),
    of("cache_control", Unknown, Unknown, PassedOver),
    of("context_management", Unknown, PassedOver, PassedOver),
    of("compaction", Unknown, Unknown, PassedOver),
    of("truncation", Unknown, PassedOver, Unknown),
    of("max_tool_calls", Unknown, PassedOver, Unknown),
    of("usage", PassedOver, Unknown, Unknown),
    of("betas", Unknown, Unknown, PassedOver),
    of("anthropic_beta", Unknown, Unknown, PassedOver),
    of("anthropic_version", Unknown, Unknown, PassedOver),
    of("diagnostics", Unknown, Unknown, PassedOver),
    of("billing_policy", Unknown, Unknown, PassedOver),
    of("fallback_credit_token", Unknown, Unknown, PassedOver),
    Setting {
        is_idle: |value| fields::says_nothing(value) || *value == json!(1),
        ..refused("n", "One answer at a time: leave it out, and ask again for another one.", CHAT)
    },
    refused("logprobs", PROBABLE, CHAT),
    refused("top_logprobs", PROBABLE, BOTH),
    Setting {
        is_idle: |value| fields::says_nothing(value) || *value == json!(["text"]),
        ..refused("modalities", "Answers are texts: leave it out.", CHAT)
    },
    refused("audio", "Answers are texts: leave it out.", CHAT),
    refused("functions", TOOLS, CHAT),
    refused("function_call", "Declare functions as tools, and use tool_choice.", CHAT),
    refused("web_search_options", ELSEWHERE, CHAT),
    refused("moderation", ELSEWHERE, BOTH),
    refused("background", "An answer is given while the request stands: leave it out.", RESPONSES),
    refused("previous_response_id", STORED, RESPONSES),
    refused("conversation", STORED, RESPONSES),
    refused("prompt", "No prompts are kept here: send its text as instructions.", RESPONSES),
    refused("container", ELSEWHERE, MESSAGES),
    refused("mcp_servers", "Connect to them yourself, and declare their tools.", MESSAGES),
    refused("thread", STORED, MESSAGES),
    refused("fallbacks", "Ask another model yourself: leave it out.", MESSAGES),
    refused("inference_geo", "Where a model runs is the provider's to say: leave it out.", MESSAGES),
];

const CHAT: [Treatment; 3] = [Refused, Unknown, Unknown];
const RESPONSES: [Treatment; 3] = [Unknown, Refused, Unknown];
const BOTH: [Treatment; 3] = [Refused, Refused, Unknown];
const MESSAGES: [Treatment; 3] = [Unknown, Unknown, Refused];

const fn of(field: &'static str, chat: Treatment, responses: Treatment, messages: Treatment) -> Setting {
    Setting { field, chat, responses, messages, advice: "", is_idle: fields::says_nothing }
}

const fn refused(field: &'static str, advice: &'static str, by: [Treatment; 3]) -> Setting {
    let [chat, responses, messages] = by;
    Setting { advice, ..of(field, chat, responses, messages) }
}
