//! The one door that every tool call goes through, whoever makes it: pace, schema, hooks, policy, approval,
//! intent, effect, outcome. Nothing acts before its intent is committed.

mod arranged;
mod audit;
mod blocked;
mod cache;
mod call;
mod caller;
mod consent;
mod counts;
mod device;
mod found_page;
mod listed;
mod own_calls;
mod pace;
mod page;
mod part;
mod permit;
mod redirect_check;
mod schema;
mod unsure;
mod way_out;
mod written;

use crate::Hub;
pub(crate) use caller::{Beginner, Caller, ReadAs};
pub(crate) use counts::count_abandoned;
pub(crate) use own_calls::OwnCall;
pub(crate) use permit::PermittedCall;
pub(crate) use redirect_check::RedirectCheck;
pub(crate) use way_out::Sealed;

use crate::error::{Error, Result};
use crate::log::{Observer, run_entries};
use crate::runs::refusal;
use crate::tasks::Patience;
use crate::tools::{self, ToolAnswer, ToolError};
use agent::hooks;
use agent::tools::ResolvedCall;
use agent::tools::access::Resource;
use audit::{Conclusion, Ending, Visible, close, conclude, intend};
use blocked::Blocked;
use cache::{CacheLookup, Read, Results};
use call::Call;
use caller::CallOrigin;
use futures_util::future::BoxFuture;
use pace::Paces;
use permit::{Permitted, Questions, Refused, permit};
use protocol::AgentId;
use protocol::agent::HookEvent;
use protocol::log::EntryBody;
use protocol::model::{Media, ToolCall, ToolResult};
use protocol::view::CallDecider;
use std::sync::Arc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{Span, instrument};

/// The one door of every tool call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gateway<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn gateway(&self) -> Gateway<'_> {
        Gateway { hub: self }
    }

    fn results(&self) -> &Results {
        &self.0.gateway.results
    }

    fn paces(&self) -> &Paces {
        &self.0.gateway.paces
    }

    fn blocked(&self) -> &Blocked {
        &self.0.gateway.blocked
    }
}

#[derive(Default)]
pub(crate) struct InMemory {
    results: Arc<Results>,
    paces: Paces,
    blocked: Blocked,
}

impl InMemory {
    /// Forgets results when what they tell of is written.
    pub(crate) fn observer(&self) -> Arc<dyn Observer> {
        Arc::clone(&self.results) as _
    }
}

impl Gateway<'_> {
    /// Another process may have written what they tell of.
    pub(crate) fn forget_results(self) {
        self.hub.results().forget_all();
    }

    /// This key of the storage of an agent's page was written, which leaves no entry.
    pub(crate) fn wrote_storage(self, agent: &AgentId, key: &str) {
        self.hub.results().wrote(agent, Resource::Storage, Some(key));
    }
}

/// Longest result handed to a model, and to a page of an MCP server, in bytes.
const RESULT: usize = 128 * 1024;
const OF_APP: usize = 4 * 1024 * 1024;

/// What became of a call.
pub(crate) struct GatewayResult {
    pub(crate) result: ToolResult,
    /// A person or a policy said no.
    pub(crate) denied: bool,
}

#[instrument(name = "tool_call", skip_all, fields(call.id = %call.id, tool))]
pub(crate) fn call<'a>(
    caller: &'a Caller<'_>,
    call: &'a ToolCall,
    stop: &'a CancellationToken,
) -> BoxFuture<'a, GatewayResult> {
    Box::pin(async move {
        let mut patience = caller.hub.tasks().patience();
        loop {
            match guarded(caller, call, stop).await {
                Ok(answered) => return answered,
                // Nothing was done yet.
                Err(error) if outlasts(&mut patience, caller, &error, stop).await => {}
                Err(error) => {
                    let result = refusal(call, &error.into_failure().to_string());
                    return GatewayResult { result, denied: false };
                }
            }
        }
    })
}

/// Waits for a database that is away. A page is told so instead, and asks again if it wants to.
async fn outlasts(
    patience: &mut Patience<'_>,
    caller: &Caller<'_>,
    error: &Error,
    stop: &CancellationToken,
) -> bool {
    match caller.by {
        CallOrigin::Page { .. } => false,
        CallOrigin::Model { .. } => tokio::select! {
            biased;
            () = stop.cancelled() => false,
            waited = patience.outlasts(error) => waited,
        },
    }
}

/// A call that no model made and that only looks: through the same checks, into the audit, but not
/// into the log. `None` for anything else, for what fails, and for what is not there in time.
pub(crate) async fn look(
    caller: &Caller<'_>,
    asked: &ToolCall,
    until: Instant,
    stop: &CancellationToken,
) -> Option<ToolResult> {
    let call = Call::resolve(caller, asked).await.ok()?;
    if !call.resolved.may_prefetch() {
        return None;
    }
    let permitted = permit(caller, &call, Questions::No, stop).await.ok()?.ok()?;
    if !intend(caller, &call, &permitted.decided, Visible::No).await.ok()? {
        return None;
    }
    let (told, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => (None, Ending::Stopped),
        () = tokio::time::sleep_until(until) => (None, Ending::Stopped),
        (outcome, ending) = perform(caller, &permitted.call) => (outcome.ok(), ending),
    };
    let mut appending = caller.hub.log().appending().await.ok()?;
    close(&mut appending, caller, &asked.id, ending).await.ok()?;
    let result = told.map(|told| answer(asked, told, RESULT));
    if let Some(result) = &result {
        appending.keep_brought(caller.agent, &result.media).await.ok()?;
    }
    caller.hub.log().commit(appending).await.ok()?;
    result
}

async fn guarded(caller: &Caller<'_>, asked: &ToolCall, stop: &CancellationToken) -> Result<GatewayResult> {
    let call = Call::resolve(caller, asked).await?;
    if let Some(cleared_up) = unsure::cleared_up(caller, &call, stop).await? {
        return Ok(cleared_up);
    }
    let resolved = &call.resolved;
    Span::current().record("tool", resolved.tool().map(|tool| tool.name));
    tracing::debug!("a tool is called");
    let Permitted { call: permitted, told, decided } =
        match permit(caller, &call, Questions::Yes, stop).await? {
            Ok(permitted) => permitted,
            Err(Refused { why, denied, decided }) => {
                let result = refusal(asked, &why);
                if !intend(caller, &call, &decided, Visible::No).await? {
                    return repeated(caller, asked).await;
                }
                // What no page may do says nothing about this one.
                if let CallOrigin::Page { tab } = caller.by
                    && denied
                    && decided.by != CallDecider::Default
                {
                    tab.calls.count_denial(caller.agent);
                }
                let ending = if denied { Ending::Denied } else { Ending::Refused };
                let blocked = denied.then_some((resolved, decided.by));
                let conclusion = Conclusion { result: &result, denied, ending, millis: 0, blocked };
                write_down(caller, &conclusion, stop).await?;
                return Ok(GatewayResult { result, denied });
            }
        };
    if !intend(caller, &call, &decided, Visible::Yes).await? {
        return repeated(caller, asked).await;
    }
    let started = Instant::now();
    let (mut result, ending) = tokio::select! {
        biased;
        () = stop.cancelled() => (refusal(asked, "stopped by the person before it answered"), Ending::Stopped),
        (outcome, ending) = perform(caller, &permitted) => match outcome {
            Ok(told) => (answer(asked, told, room(caller)), ending),
            Err(ToolError(why)) => (refusal(asked, &why), ending),
        },
    };
    if !resolved.is_read_only() {
        caller.hub.results().called(caller.agent, resolved);
    }
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let denied = tell(caller, resolved, &mut result, told);
    let conclusion = Conclusion { result: &result, denied, ending, millis, blocked: None };
    write_down(caller, &conclusion, stop).await?;
    Ok(GatewayResult { result, denied })
}

/// How a call ended is written down when the database takes it, unless its run is stopped before.
async fn write_down(
    caller: &Caller<'_>,
    conclusion: &Conclusion<'_>,
    stop: &CancellationToken,
) -> Result<()> {
    let mut patience = caller.hub.tasks().patience();
    loop {
        match conclude(caller, conclusion).await {
            Err(error) if outlasts(&mut patience, caller, &error, stop).await => {}
            done => return done,
        }
    }
}

/// Does what was permitted, unless an earlier call has brought what this one would.
async fn perform(
    caller: &Caller<'_>,
    call: &PermittedCall<'_>,
) -> (std::result::Result<ToolAnswer, ToolError>, Ending) {
    let hub = caller.hub;
    let reading =
        match Read::of(caller, call.resolved()).map(|read| hub.results().look_up(read, hub.moment())) {
            Some(CacheLookup::Content(content)) => return (Ok(content.into()), Ending::Cached),
            Some(CacheLookup::Not(reading)) => Some(reading),
            None => None,
        };
    let outcome = tools::perform(caller, call).await;
    if let (Ok(ToolAnswer { content, files }), Some(reading)) = (&outcome, reading)
        && files.is_empty()
    {
        reading.keep(content, hub.moment());
    }
    let ending = if outcome.is_ok() { Ending::Done } else { Ending::Failed };
    (outcome, ending)
}

/// Adds what hooks say before and after the call. One that denies takes the result away; what the
/// call did is done.
fn tell(caller: &Caller<'_>, call: &ResolvedCall, result: &mut ToolResult, mut told: Vec<String>) -> bool {
    let hooks = &caller.spec.hooks;
    let verdict = hooks::evaluate(hooks, HookEvent::PostToolUse, Some(call.name()), &result.content);
    if let Some(reason) = verdict.denied {
        result.content = format!("The result was withheld: {reason}");
        result.media.clear();
        result.is_error = true;
        return true;
    }
    // What hooks add is for a model to read; a page gets a result that it can take apart.
    if let CallOrigin::Page { .. } = caller.by {
        return false;
    }
    told.extend(verdict.context);
    for text in told {
        result.content.push_str("\n\n");
        result.content.push_str(&text);
    }
    false
}

/// The answer to a call that was made before, under another driver for instance: what came of it then.
async fn repeated(caller: &Caller<'_>, call: &ToolCall) -> Result<GatewayResult> {
    let made_before = || Error::Conflict(format!("The call {} was made before.", call.id));
    let CallOrigin::Model { execution, turn } = caller.by else { return Err(made_before()) };
    let entries = run_entries(caller.hub.store(), &execution.run).await?;
    let found = entries.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::ToolFinished { turn: made, result, denied, .. }
            if *made == turn && result.call == call.id =>
        {
            Some(GatewayResult { result: result.clone(), denied: *denied })
        }
        _ => None,
    });
    found.ok_or_else(made_before)
}

/// A page of an MCP server gets all that this said, pictures too.
fn room(caller: &Caller<'_>) -> usize {
    if caller.page_of.is_some() { OF_APP } else { RESULT }
}

fn answer(call: &ToolCall, ToolAnswer { mut content, files }: ToolAnswer, room: usize) -> ToolResult {
    if content.len() > room {
        let size = content.len();
        let cut = (0..=room).rev().find(|&at| content.is_char_boundary(at)).unwrap_or(0);
        content.truncate(cut);
        content.push_str(&format!("\n[cut: {size} bytes in all]"));
    }
    let media = files.iter().map(Media::from).collect();
    ToolResult { call: call.id.clone(), name: call.name.clone(), content, media, is_error: false }
}
