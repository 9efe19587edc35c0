//! What several agents said last, side by side.

use super::data::{ConsoleData, address};
use crate::prelude::*;
use crate::ui::{Icon, Markdown, status_dot, status_words};
use protocol::AgentId;
use protocol::view::{ConsoleAnswer, Status};

#[component]
pub(super) fn Answers(shown: RwSignal<ConsoleData>, more: Memo<u32>) -> impl IntoView {
    let ids = Memo::new(move |_| {
        shown.with(|data| data.answers.iter().map(|answer| answer.agent.clone()).collect::<Vec<_>>())
    });
    let without_room = move || {
        let more = Some(more.get()).filter(|more| *more > 0)?;
        Some(plural!(
            more,
            "{more} more agent was chosen. Its answer has no room here, and stands in its conversation.",
            "{more} more agents were chosen. Their answers have no room here, and stand in their conversations."
        ))
    };
    view! {
        <Show when=move || !ids.with(Vec::is_empty)>
            <section class="section" aria-labelledby="console-answers">
                <h2 id="console-answers">"Side by side"</h2>
                {move || without_room().map(|words| view! { <p class="field-hint">{words}</p> })}
                <ul class="console-answers">
                    <For each=move || ids.get() key=AgentId::clone children=move |id| view! { <Panel id shown ids/> }/>
                </ul>
            </section>
        </Show>
    }
}

#[component]
fn Panel(id: AgentId, shown: RwSignal<ConsoleData>, ids: Memo<Vec<AgentId>>) -> impl IntoView {
    let heading = format!("answer-{id}");
    let of = id.clone();
    let answer =
        Memo::new(move |_| shown.with(|data| data.answers.iter().find(|answer| answer.agent == of).cloned()));
    let read = move |what: fn(&ConsoleAnswer) -> String| {
        answer.with(|answer| answer.as_ref().map(what).unwrap_or_default())
    };
    let text = Memo::new(move |_| read(|answer| answer.answer.clone()));
    let name = Memo::new(move |_| read(|answer| answer.name.clone()));
    let style = move || read(|answer| format!("--own:{}", answer.colour));
    let dot = move || read(|answer| status_dot(answer.status, answer.paused).to_owned());
    let words = move || read(|answer| status_words(answer.status, answer.paused).to_owned());
    let open =
        move || read(|answer| format!("/agents/{}/conversations/{}", answer.agent, answer.conversation));
    let asked = move || read(|answer| answer.asked.clone());
    let nothing_yet = move || read(|answer| nothing_yet(answer).to_owned());
    let is_cut = move || answer.with(|answer| answer.as_ref().is_some_and(|answer| answer.cut));
    let others = {
        let id = id.clone();
        move || {
            ids.with(|ids| address(&ids.iter().filter(|other| **other != id).cloned().collect::<Vec<_>>()))
        }
    };
    let away = move || say!("Take the answer of {name} away", name = name.get());
    view! {
        <li class="console-answer own" style=style aria-labelledby=heading.clone()>
            <div class="console-answer-head">
                <span class="dot" data-status=dot aria-hidden="true"></span>
                <h3 id=heading.clone()><a href=open>{move || name.get()}</a></h3>
                <span class="sr-only">{words}</span>
                <a class="button" data-shape="icon" data-kind="quiet" href=others aria-label=away title=away><Icon name="close" small=true/></a>
            </div>
            <p class="console-asked">{asked}</p>
            <div class="console-answer-text" tabindex="0" role="group" aria-labelledby=heading.clone() aria-live="polite">
                <Show when=move || !text.with(String::is_empty) fallback=move || view! { <p class="field-hint">{nothing_yet}</p> }>
                    <Markdown source=text/>
                </Show>
                <Show when=is_cut><p><a href=open>"Read on in the conversation"</a></p></Show>
            </div>
        </li>
    }
}

fn nothing_yet(answer: &ConsoleAnswer) -> &'static str {
    t(match answer.status {
        _ if answer.paused => "It is paused, and answers once you resume it.",
        Status::Running => "It is at work.",
        Status::Waiting => "It waits for you.",
        Status::Error => "It was stopped by an error.",
        Status::Idle => "It has said nothing.",
    })
}
