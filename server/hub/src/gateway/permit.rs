//! Whether a call may be made: what is there, pace, schema, network, hooks, skills, and then the policy. A tool that
//! the agent was not given is refused, whatever asks for it.

use super::Call;
use super::arranged;
use super::caller::Caller;
use super::consent::{self, Decided};
use super::pace::Paced;
use super::schema;
use crate::agents::Mounts;
use crate::error::Result;
use crate::made_tools::MadeTool;
use crate::mcp_servers::McpTool;
use crate::network;
use crate::outbound::Target;
use crate::policy::Subject;
use agent::hooks;
use agent::tools::ResolvedCall;
use protocol::agent::HookEvent;
use protocol::view::CallDecider;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use url::quirks::domain_to_unicode;

/// Whether a person may be asked about the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Questions {
    Yes,
    No,
}

/// A call that may be made. There is none but by [`permit`].
pub(crate) struct PermittedCall<'a>(&'a Call);

impl PermittedCall<'_> {
    pub(crate) fn resolved(&self) -> &ResolvedCall {
        &self.0.resolved
    }

    pub(crate) fn made(&self) -> Option<&MadeTool> {
        self.0.made.as_ref()
    }

    pub(crate) fn elsewhere(&self) -> Option<&McpTool> {
        self.0.elsewhere.as_ref()
    }
}

pub(super) struct Permitted<'a> {
    pub(super) call: PermittedCall<'a>,
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
    pub(super) fn mistake(why: String) -> Self {
        Self { why, denied: false, decided: Decided::by(CallDecider::Default) }
    }

    pub(super) fn denied(why: String, decided: Decided) -> Self {
        Self { why, denied: true, decided }
    }
}

pub(super) async fn permit<'a>(
    caller: &Caller<'_>,
    whole: &'a Call,
    questions: Questions,
    stop: &CancellationToken,
) -> Result<std::result::Result<Permitted<'a>, Refused>> {
    if stop.is_cancelled() {
        return Ok(Err(Refused::mistake("not run: the person pressed Stop".to_owned())));
    }
    let Call { resolved: call, made, elsewhere } = whole;
    let spec = caller.spec;
    let given = spec.given().any(|tool| tool.name == call.name());
    // What a page of a server may call was found among that server's tools.
    let is_of_page = caller.page_of.is_some() && elsewhere.is_some();
    if !given && made.is_none() && !is_of_page {
        let names: Vec<_> = spec.given().map(|tool| tool.name.as_str()).collect();
        let why = format!("There is no tool {} here. There are: {}.", call.name(), names.join(", "));
        return Ok(Err(Refused::mistake(why)));
    }
    let pace = match elsewhere {
        Some(_) => Paced::Elsewhere,
        None => Paced::Here(call.tool()),
    };
    if let Err(why) = caller.hub.paces().take(caller.owner, pace, caller.hub.moment()) {
        return Ok(Err(Refused::mistake(why)));
    }
    let declared = made.as_ref().map(|tool| &tool.spec).or(elsewhere.as_ref().map(|tool| &tool.spec));
    if let Err(why) = schema::check(caller, call, declared).await? {
        return Ok(Err(Refused::mistake(why)));
    }
    let about = match Subject::of(call) {
        Ok(about) => about,
        Err(error) => return Ok(Err(Refused::mistake(error.to_string()))),
    };
    // Who gave the agent a server has said that it may go there.
    let target = about.target().filter(|_| elsewhere.is_none());
    if let Some(target) = target
        && let Some(why) = unreachable(caller, target).await?
    {
        return Ok(Err(Refused::denied(why, Decided::by(CallDecider::Network))));
    }
    let verdict = hooks::evaluate(&spec.hooks, HookEvent::PreToolUse, Some(call.name()), &for_hooks(call));
    if let Some(reason) = verdict.denied {
        let why = format!("Not allowed: {reason}");
        return Ok(Err(Refused::denied(why, Decided::by(CallDecider::Hook))));
    }
    if let Some(why) = kept_by_a_skill(caller, call, target).await? {
        return Ok(Err(Refused::denied(why, Decided::by(CallDecider::Skill))));
    }
    if let Some(why) = beyond_mounts(caller, call).await? {
        return Ok(Err(Refused::denied(why, Decided::by(CallDecider::Default))));
    }
    if let Some(why) = arranged::beyond_budget(caller, call).await? {
        return Ok(Err(Refused::mistake(why)));
    }
    let decided = consent::obtain(caller, call, &about, questions, stop).await?;
    Ok(decided.map(|decided| Permitted { call: PermittedCall(whole), told: verdict.context, decided }))
}

/// What hooks look at: the input as it came, and an address in the spelling in which it is reached as well.
pub(super) fn for_hooks(call: &ResolvedCall) -> String {
    let mut text = call.input().to_string();
    let url = call.input().get("url").and_then(Value::as_str).filter(|_| call.names_a_place());
    let Some(target) = url.and_then(|url| Target::parse_without_fragment(url).ok()) else { return text };
    for spelled in [target.url().to_string(), domain_to_unicode(target.url().host_str().unwrap_or_default())]
    {
        text.push('\n');
        text.push_str(&spelled);
    }
    text
}

/// Why a skill that the run has loaded is against the call, which leads to this place. What a page calls, no skill asked
/// for.
pub(super) async fn kept_by_a_skill(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    target: Option<&Target>,
) -> Result<Option<String>> {
    match caller.run() {
        Some(run) => caller.hub.skills().against(run, call, target).await,
        None => Ok(None),
    }
}

/// Why a sub-agent may not make the call, which names files that it was not left.
pub(super) async fn beyond_mounts(caller: &Caller<'_>, call: &ResolvedCall) -> Result<Option<String>> {
    match caller.agent == caller.root {
        true => Ok(None),
        false => Ok(Mounts::of_agent(caller.hub.store(), caller.agent).await?.against(call)),
    }
}

/// Why the place may not be reached.
async fn unreachable(caller: &Caller<'_>, target: &Target) -> Result<Option<String>> {
    let network = caller.hub.networks().of_agent(caller.root).await?;
    Ok(network::permit(&network, target).err())
}
