//! What an agent asks, or a server that it calls, and a form that fits it. The form works without script, but for a
//! file.

mod fields;

use super::api::AnswerQuestion;
use super::words::{answer_words, input_words, reason};
use crate::prelude::*;
use crate::ui::{ActionForm, Ahead, Exact, FormAction, PressGuard, Spelled};
use fields::{Place, control};
use protocol::approval::{Approval, ApprovalReason};
use protocol::question::{Question, Wanted};

/// Whoever shows the question says when it has stood long enough to be answered.
#[component]
pub fn QuestionForm(
    name: String,
    approval: Approval,
    question: Question,
    action: FormAction<AnswerQuestion>,
    settled: PressGuard,
) -> impl IntoView {
    let is_unsure = approval.why == ApprovalReason::Unknown;
    let call = is_unsure.then(|| view! { <Exact text=input_words(&approval.call)/> });
    let words = match &question.server {
        Some(server) => Some(match visited(&question.wanted) {
            Some(host) => of_visit(server, host),
            None => of_server(&approval, server),
        }),
        None => approval.strangers.then(|| reason(&approval)),
    };
    let words = words.map(|words| view! { <p class="asked-note"><Spelled text=words/></p> });
    let Approval { id, hash, expires_at, .. } = approval;
    let Question { server, text, wanted, default, .. } = question;
    let late = match (&default, &server) {
        (Some(default), _) => say!("Then {answer} holds.", answer = answer_words(default)),
        (None, Some(server)) => say!("Then {server} is told that nobody answered."),
        (None, None) if is_unsure => say!("Then {name} is told that nobody knows."),
        (None, None) => t("Then it goes on without an answer.").to_owned(),
    };
    let who = match &server {
        Some(server) => say!("{server} asks you something, while {name} calls it."),
        None if is_unsure => say!("{name} does not know what came of a call."),
        None => say!("{name} asks you something."),
    };
    let (send, skip) = match &server {
        Some(_) if visited(&wanted).is_some() => (t("I have opened it"), t("Decline")),
        Some(_) => (t("Send"), t("Decline")),
        None if is_unsure => (t("Answer"), t("I do not know")),
        None => (t("Answer"), t("Skip")),
    };
    let label = format!("asked-{id}");
    let legend = label.clone();
    view! {
        <p class="approval-words"><b>{who}</b></p>
        <p class="asked-text" id=label data-strangers=server.is_some().then_some("")><Spelled text/></p>
        {call}
        {words}
        <ActionForm action attr:class="asked-form" attr:aria-labelledby=legend>
            <input type="hidden" name="id" value=id.0/>
            <input type="hidden" name="hash" value=hash/>
            {control(wanted, default, Place::default())}
            <div class="asked-answers">
                <Send action settled words=send/>
                <Send action settled words=skip skips=true/>
            </div>
        </ActionForm>
        <p class="asked-note">"Waits until " <Ahead at=expires_at/> ". " <Spelled text=late/></p>
    }
}

/// Whose words these are, and where the answer goes.
fn of_server(approval: &Approval, server: &str) -> String {
    match &approval.about {
        Some(place) => say!(
            "These are words of {server}, a server of others. What you send goes to {place}: no password and no key."
        ),
        None => {
            say!(
                "These are words of {server}, a server of others. What you send goes to it: no password and no key."
            )
        }
    }
}

/// The host of the address that is to be opened.
fn visited(wanted: &Wanted) -> Option<&str> {
    match wanted {
        Wanted::Visit { host, .. } => Some(host),
        Wanted::Choice { .. }
        | Wanted::Several { .. }
        | Wanted::Text { .. }
        | Wanted::Number { .. }
        | Wanted::Date
        | Wanted::File
        | Wanted::Secret { .. }
        | Wanted::Form { .. } => None,
    }
}

/// Whose words these are, and what an address is.
fn of_visit(server: &str, host: &str) -> String {
    say!(
        "These are words of {server}, a server of others, and the address is theirs too. Nobody opens it but you: enter nothing there that you would not give {host}."
    )
}

#[component]
fn Send(
    action: FormAction<AnswerQuestion>,
    settled: PressGuard,
    words: &'static str,
    #[prop(optional)] skips: bool,
) -> impl IntoView {
    let pending = action.pending();
    view! {
        <button
            class="button"
            type="submit"
            name=skips.then_some("skip")
            value=skips.then_some("true")
            formnovalidate=skips
            data-kind=(!skips).then_some("primary")
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
