//! What came of the last times, and what the next one would do.

use super::words;
use crate::prelude::*;
use crate::ui::{Ahead, Section, Table, When, dollars};
use protocol::AgentId;
use protocol::schedule::{Firing, SchedulePreview};

#[component]
pub fn History(agent: AgentId, firings: Vec<Firing>) -> impl IntoView {
    let row = move |firing: Firing| {
        let Firing { due, cause, state, cost, conversation } = firing;
        let outcome = words::outcome(&state);
        let outcome = match conversation {
            Some(conversation) => {
                let href = format!("/agents/{agent}/conversations/{conversation}");
                view! { <a href=href>{outcome}</a> }.into_any()
            }
            None => outcome.into_any(),
        };
        let cost = if cost.0 == 0 { String::new() } else { dollars(cost) };
        view! {
            <tr>
                <td data-label="Due"><When at=due/></td>
                <td data-label="Why">{words::cause(cause)}</td>
                <td data-label="Outcome">{outcome}</td>
                <td data-label="Cost" class="num">{cost}</td>
            </tr>
        }
    };
    let list = if firings.is_empty() {
        view! { <p class="empty" data-size="small">"It was not due yet."</p> }.into_any()
    } else {
        let rows = firings.into_iter().map(row).collect_view().into_any();
        view! { <Table columns=["Due", "Why", "Outcome", "Cost"] rows/> }.into_any()
    };
    view! {
        <Section id="history" title="History" lead="The last fifty times. An outcome leads to its conversation.">
            {list}
        </Section>
    }
}

#[component]
pub fn Preview(preview: SchedulePreview) -> impl IntoView {
    let SchedulePreview { text, condition, next } = preview;
    let condition = condition.map(|holds| {
        let words = t(if holds { "It holds now." } else { "It does not hold now: nothing would be said." });
        view! { <div><dt>"Only if"</dt><dd>{words}</dd></div> }
    });
    let times = (!next.is_empty()).then(|| {
        let times = next.into_iter().map(|at| view! { <li><Ahead at/></li> }).collect_view();
        view! { <div><dt>"Next"</dt><dd><ol class="schedule-times">{times}</ol></dd></div> }
    });
    view! {
        <Section id="preview" title="What it would do" lead="Nothing is sent, and it costs nothing.">
            <dl class="schedule-facts">
                <div><dt>"It says"</dt><dd class="schedule-words">{text}</dd></div>
                {condition}
                {times}
            </dl>
        </Section>
    }
}
