//! The question whether the page may call a tool, over the page and outside its frame.

use super::desk::Desk;
use crate::sandbox::{Question, questions};
use leptos::prelude::*;
use protocol::hub::Decision;

#[component]
pub fn CallQuestion(desk: Desk) -> impl IntoView {
    let open = questions();
    let first = Memo::new(move |_| {
        let agent = desk.agent.get_value();
        open.with(|open| open.iter().find(|question| question.agent == agent).cloned())
    });
    move || first.get().map(|question| view! { <Card question name=desk.name.get_value()/> })
}

#[component]
fn Card(question: Question, name: String) -> impl IntoView {
    let Question { request, tool, input, .. } = question;
    let input = serde_json::to_string_pretty(&input).unwrap_or_default();
    let button = move |words: &'static str, decision: Decision| {
        view! { <button class="button" type="button" on:click=move |_| decide(request, decision)>{words}</button> }
    };
    view! {
        <section class="question" role="alertdialog" aria-labelledby="question-words" aria-describedby="question-input">
            <p id="question-words">"The page of " <b>{name}</b> " wants to use " <code>{tool}</code> "."</p>
            <pre id="question-input" tabindex="0">{input}</pre>
            <div class="actions">
                {button("Allow once", Decision::Once)}
                {button("Always", Decision::Always)}
                {button("Deny", Decision::Deny)}
            </div>
        </section>
    }
}

#[cfg(feature = "hydrate")]
fn decide(request: u64, decision: Decision) {
    crate::sandbox::decide(request, decision);
}

#[cfg(not(feature = "hydrate"))]
fn decide(_request: u64, _decision: Decision) {}
