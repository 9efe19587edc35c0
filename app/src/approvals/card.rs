//! One approval: what is to be done, letter for letter, and the answers. The forms work without script.
//! Why an answer did not count is shown by the page: by then the form may be gone.

use super::api::{AnswerApproval, AnswerQuestion};
use super::question::QuestionForm;
use super::words::{TIMES, calls_like_it, input_words, question, reason, times_words, words_for_all};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Exact, FormAction, PressGuard, Spelled};
use protocol::ApprovalId;
use protocol::approval::{Approval, ApprovalReason, Asker};

/// The ways to answer, which last as long as the page.
#[derive(Clone, Copy)]
pub struct Answers {
    pub call: FormAction<AnswerApproval>,
    pub question: FormAction<AnswerQuestion>,
}

impl Default for Answers {
    fn default() -> Self {
        Self { call: FormAction::new(), question: FormAction::new() }
    }
}

impl Answers {
    /// Why an answer did not count.
    pub fn failures(self) -> impl IntoView {
        view! {
            <ActionFailure value=self.call.value()/>
            <ActionFailure value=self.question.value()/>
        }
    }
}

/// What waits, and how it is answered.
#[component]
pub fn Card(name: String, approval: Approval, answers: Answers, settled: PressGuard) -> impl IntoView {
    match approval.question.clone().map(|question| *question) {
        Some(question) => {
            view! { <QuestionForm name approval question action=answers.question settled/> }.into_any()
        }
        None => view! {
            <Asked name=name.clone() approval=approval.clone()/>
            <AnswerForm name approval action=answers.call settled/>
        }
        .into_any(),
    }
}

/// What is asked, above the answers.
#[component]
fn Asked(name: String, approval: Approval) -> impl IntoView {
    let input = input_words(&approval.call);
    view! {
        <p class="approval-words"><b>{question(&name, &approval)}</b> " " {reason(&approval)}</p>
        {approval.about.map(|about| view! {
            <p class="approval-about">"About " <code><Spelled text=about/></code></p>
        })}
        {(!approval.reaches.is_empty()).then(|| view! {
            <p class="approval-about">"It can send what it reads to " <code><Spelled text=approval.reaches.join(", ")/></code></p>
        })}
        <Exact text=input/>
    }
}

/// The answers to a call. Whoever shows the question says when it has stood long enough to be answered.
#[component]
fn AnswerForm(
    name: String,
    approval: Approval,
    action: FormAction<AnswerApproval>,
    settled: PressGuard,
) -> impl IntoView {
    let word = format!("word-{}", approval.id);
    let label = word.clone();
    let for_this_run = approval.asker == Asker::Model;
    let may_last = approval.why != ApprovalReason::Denials && !approval.once;
    let like_it = calls_like_it(&approval);
    let of_all = words_for_all(&name);
    let about = StoredValue::new((approval.id, approval.hash));
    view! {
        <ActionForm action attr:class="approval-answers">
            <Names about/>
            <Answer action settled words="Allow once" decision="once" kind="primary"/>
            <Answer action settled words="Deny" decision="deny"/>
        </ActionForm>
        <details class="approval-more">
            <summary>"More answers"</summary>
            {may_last.then(|| view! {
                <p><Spelled text=like_it/></p>
                {of_all.map(|words| view! { <p>{words}</p> })}
                <ActionForm action attr:class="approval-answers">
                    <Names about/>
                    <label class="approval-times">
                        "At most "
                        <select class="input" name="times">
                            <option value="0">"any number of times"</option>
                            {TIMES.map(|times| view! { <option value=times>{times_words(times)}</option> })}
                        </select>
                    </label>
                    {for_this_run.then(|| view! { <Answer action settled words="For this run" decision="run"/> })}
                    <Answer action settled words="For half an hour" decision="half_hour"/>
                    <Answer action settled words="Always" decision="always"/>
                </ActionForm>
            })}
            <ActionForm action attr:class="approval-word">
                <Names about/>
                <label for=label>"Or deny, with a word to the agent:"</label>
                <input class="input" id=word name="word" maxlength="500" autocomplete="off"/>
                <Answer action settled words="Deny with this word" decision="deny"/>
            </ActionForm>
        </details>
    }
}

/// What the answer is about.
#[component]
fn Names(about: StoredValue<(ApprovalId, String)>) -> impl IntoView {
    let (id, hash) = about.get_value();
    view! {
        <input type="hidden" name="id" value=id.0/>
        <input type="hidden" name="hash" value=hash/>
    }
}

#[component]
fn Answer(
    action: FormAction<AnswerApproval>,
    settled: PressGuard,
    words: &'static str,
    decision: &'static str,
    #[prop(optional)] kind: Option<&'static str>,
) -> impl IntoView {
    let pending = action.pending();
    view! {
        <button
            class="button"
            type="submit"
            name="decision"
            value=decision
            data-kind=kind
            aria-busy=move || pending.get().then_some("true")
            aria-disabled=move || settled.disabled()
            on:click=move |event| {
                if !settled.get_untracked() {
                    event.prevent_default();
                }
            }
        >
            {words}
        </button>
    }
}
