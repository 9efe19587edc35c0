//! Whether a call may be made: what is there, schema, pace, network, hooks, and then the policy. A tool that
//! the agent was not given is refused, whatever asks for it.

use super::caller::Caller;
use super::consent::{self, Decided, DecidedBy};
use super::schema;
use crate::error::Result;
use crate::network;
use crate::outbound::Target;
use agent::hooks;
use agent::tools as declared;
use protocol::hub::HookEvent;
use protocol::model::ToolCall;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use url::quirks::domain_to_unicode;

/// Whether a person may be asked about the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Questions {
    Yes,
    No,
}

/// A call that may be made.
pub(super) struct Permitted {
    /// Under the tool's own name.
    pub(super) call: ToolCall,
    /// What hooks have to say about it.
    pub(super) told: Vec<String>,
    pub(super) decided: Decided,
}

pub(super) struct Refused {
    pub(super) why: String,
    /// A person or a policy said no; otherwise the caller can put it right.
    pub(super) denied: bool,
    pub(super) decided: Decided,
}

impl Refused {
    fn mistake(why: String) -> Self {
        Self { why, denied: false, decided: Decided::by(DecidedBy::Default) }
    }

    pub(super) fn denied(why: String, decided: Decided) -> Self {
        Self { why, denied: true, decided }
    }
}

pub(super) async fn permit(
    caller: &Caller<'_>,
    asked: &ToolCall,
    questions: Questions,
    stop: &CancellationToken,
) -> Result<std::result::Result<Permitted, Refused>> {
    if stop.is_cancelled() {
        return Ok(Err(Refused::mistake("not run: the person pressed Stop".to_owned())));
    }
    let call = canonical(asked);
    let made = match declared::find(&call.name) {
        Some(_) => None,
        None => caller.hub.made_tool(caller.agent, &call.name).await?,
    };
    let spec = caller.spec;
    let given = spec.tools.iter().chain(&spec.deferred).any(|tool| tool.name == call.name);
    if !given && made.is_none() {
        let names: Vec<_> = spec.tools.iter().map(|tool| tool.name.as_str()).collect();
        let why = format!("There is no tool {} here. There are: {}.", call.name, names.join(", "));
        return Ok(Err(Refused::mistake(why)));
    }
    if let Err(why) = schema::check(&call, made.as_ref().map(|tool| &tool.spec)).await? {
        return Ok(Err(Refused::mistake(why)));
    }
    if let Err(why) = caller.hub.paces.take(caller.owner, &call.name, caller.hub.now()) {
        return Ok(Err(Refused::mistake(why)));
    }
    if let Some(why) = network::refuses(caller, &call).await? {
        return Ok(Err(Refused::denied(why, Decided::by(DecidedBy::Network))));
    }
    let verdict = hooks::evaluate(&spec.hooks, HookEvent::PreToolUse, Some(&call.name), &for_hooks(&call));
    if let Some(reason) = verdict.denied {
        let why = format!("Not allowed: {reason}");
        return Ok(Err(Refused::denied(why, Decided::by(DecidedBy::Hook))));
    }
    let decided = consent::settle(caller, &call, questions, stop).await?;
    Ok(decided.map(|decided| Permitted { call, told: verdict.context, decided }))
}

/// What hooks look at: the input as it came, and an address in the spelling in which it is reached as well.
pub(super) fn for_hooks(call: &ToolCall) -> String {
    let mut text = call.input.to_string();
    let is_of_the_web = declared::find(&call.name).is_some_and(declared::Tool::is_of_the_web);
    let url = call.input.get("url").and_then(Value::as_str).filter(|_| is_of_the_web);
    let Some(target) = url.and_then(|url| Target::parse_without_fragment(url).ok()) else { return text };
    for spelled in [target.url().to_string(), domain_to_unicode(target.url().host_str().unwrap_or_default())]
    {
        text.push('\n');
        text.push_str(&spelled);
    }
    text
}

/// The call under the one name that its tool has here.
fn canonical(asked: &ToolCall) -> ToolCall {
    let (name, input) = match declared::resolve(&asked.name, &asked.input) {
        Some((tool, input)) => (tool.name.to_owned(), input),
        None => (asked.name.clone(), asked.input.clone()),
    };
    ToolCall { id: asked.id.clone(), name, input }
}
