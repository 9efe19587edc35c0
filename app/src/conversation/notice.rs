//! How a run ended, where it did not simply end.

use super::api::RetryRun;
use super::context::ConversationContext;
use super::transcript::RenderedItem;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Icon};
use protocol::log::Outcome;
use protocol::model::{ModelFailureKind, NO_PROVIDER, StopReason};
use protocol::{AgentId, LimitOf};

/// What a notice says.
struct Words {
    kind: &'static str,
    what: String,
    hint: Option<&'static str>,
}

#[component]
pub fn Ended(
    shown: RenderedItem,
    outcome: Outcome,
    stopped_by: Option<LimitOf>,
    context: ConversationContext,
) -> impl IntoView {
    let limit = limit_of(&outcome, stopped_by);
    let Words { kind, what, hint } = words(&outcome, limit);
    let is_unconfigured =
        matches!(&outcome, Outcome::Failed { failure } if failure.kind == ModelFailureKind::NotConfigured);
    let had_no_provider = matches!(&outcome, Outcome::Failed { failure } if failure.message == NO_PROVIDER);
    let key = shown.key;
    let is_last = Memo::new(move |_| context.transcript.retry.with(|retry| retry.as_ref() == Some(&key)));
    let is_mended = had_no_provider && context.has_provider;
    let hint = if is_mended { Some(t("It has a provider now: Retry lets it go on.")) } else { hint };
    // What it waits for is said for as long as it waits.
    let is_meant = move || (limit.is_none() && !is_mended) || is_last.get();
    let hint = move || hint.filter(|_| is_meant()).map(|hint| view! { <small>{hint}</small> });
    let is_missing = move || is_unconfigured && !context.has_provider && is_last.get();
    view! {
        <li>
            <div class="notice" data-kind=kind role="status">
                <p class="notice-text">{what} {hint}</p>
                <Show when=is_missing><a class="button" href="/providers">"Set up a provider"</a></Show>
                <WayOn context is_last stopped_by=limit/>
            </div>
        </li>
    }
}

/// What a person can do about the last run, for as long as it is the last one.
#[component]
fn WayOn(context: ConversationContext, is_last: Memo<bool>, stopped_by: Option<LimitOf>) -> impl IntoView {
    let place = move || context.agent.with_value(|agent| place_of(stopped_by?, agent));
    view! {
        <Show when=move || is_last.get()>
            {place().map(|place| view! { <a class="button" data-kind="primary" href=place>"Raise the limit"</a> })}
            <RetryForm action=context.retry context/>
            {stopped_by.map(|_| view! { <a class="button" data-kind="quiet" href="/models">"Prices of models"</a> })}
        </Show>
    }
}

/// Where the person raises the limit; `None`: they cannot.
fn place_of(limit: LimitOf, agent: &AgentId) -> Option<String> {
    match limit {
        LimitOf::Agent => Some(format!("/agents/{agent}/budget")),
        LimitOf::Schedule => Some(format!("/agents/{agent}/schedules")),
        LimitOf::Pipeline => Some("/pipelines".to_owned()),
        LimitOf::Token => Some("/account#tokens".to_owned()),
        LimitOf::Person => Some("/usage#limits".to_owned()),
        LimitOf::Member | LimitOf::Shared | LimitOf::Server => None,
    }
}

/// Runs of before do not say whose limit it was.
fn limit_of(outcome: &Outcome, stopped_by: Option<LimitOf>) -> Option<LimitOf> {
    match outcome {
        Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => {
            Some(stopped_by.unwrap_or(LimitOf::Agent))
        }
        Outcome::Failed { .. }
        | Outcome::Completed
        | Outcome::Stopped
        | Outcome::RoundLimit
        | Outcome::Interrupted { .. } => None,
    }
}

#[component]
fn RetryForm(action: FormAction<RetryRun>, context: ConversationContext) -> impl IntoView {
    let pending = action.pending();
    view! {
        <ActionForm action>
            <input type="hidden" name="agent" value=context.agent.get_value().0/>
            <input type="hidden" name="conversation" value=context.conversation.get_value().0/>
            <input type="hidden" name="tab" value=move || context.tab.get()/>
            <button class="button" type="submit" aria-busy=move || pending.get().then_some("true")>
                <Icon name="retry" small=true/>
                "Retry"
            </button>
        </ActionForm>
    }
}

#[component]
pub fn CutOff(shown: RenderedItem, stop: StopReason, context: ConversationContext) -> impl IntoView {
    let key = shown.key;
    let is_last = Memo::new(move |_| context.transcript.cut.with(|cut| cut.as_ref() == Some(&key)));
    let words = t(match stop {
        StopReason::MaxTokens => "The reply reached its limit of tokens and was cut off.",
        StopReason::Refusal => "The model declined to go on.",
        StopReason::ContextFull => "The conversation is longer than the model can read.",
        StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence | StopReason::Other => {
            "The model stopped."
        }
    });
    view! {
        <li>
            <div class="notice" data-kind="warn" role="status">
                <p class="notice-text">{words}</p>
                <Show when=move || is_last.get() && !context.tab.with(String::is_empty)>
                    <button class="button" type="button" on:click=move |_| context.go_on()>"Continue"</button>
                </Show>
            </div>
        </li>
    }
}

fn words(outcome: &Outcome, limit: Option<LimitOf>) -> Words {
    match outcome {
        Outcome::Completed => Words { kind: "info", what: t("Done.").to_owned(), hint: None },
        Outcome::Stopped => Words { kind: "info", what: t("Stopped.").to_owned(), hint: None },
        Outcome::RoundLimit => Words {
            kind: "warn",
            what: t("It used up its rounds before it was done.").to_owned(),
            hint: Some(t("Retry lets it go on from here.")),
        },
        Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => Words {
            kind: "ask",
            what: language::sentence(&failure.message).into_owned(),
            hint: Some(t(if limit.is_some_and(LimitOf::is_of_administrators) {
                "It goes on by itself when an administrator raises the limit."
            } else {
                "It goes on by itself when the limit is raised."
            })),
        },
        Outcome::Failed { failure } => Words {
            kind: "error",
            what: language::sentence(&failure.message).into_owned(),
            hint: Some(t("Nothing of the conversation was lost.")),
        },
        Outcome::Interrupted { why } => Words {
            kind: "warn",
            what: language::sentence(why).into_owned(),
            hint: Some(t("What it did so far stands above.")),
        },
    }
}
