//! Pairs of memories that may not both be true, and what a person says about each.

use super::api::SettleMemory;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Section, When, kept_each};
use protocol::view::{Memory, OlderMemory};

#[component]
pub(super) fn Disagreeing(memories: Vec<Memory>, settle: FormAction<SettleMemory>) -> impl IntoView {
    let rows = kept_each(memories, move |memory| {
        memory.against.clone().map(|older| view! { <Pair memory older settle/> })
    });
    view! {
        <Section
            id="disagreeing"
            title="Which of these holds?"
            lead="The newer one was noted after a conversation, and the older one may not be true beside it. Until you say so agents are told of the newer one."
        >
            <ul class="memories">{rows}</ul>
        </Section>
    }
}

#[component]
fn Pair(memory: Memory, older: OlderMemory, settle: FormAction<SettleMemory>) -> impl IntoView {
    let Memory { id, text: newer, changed_at: newer_at, .. } = memory;
    let OlderMemory { text: before, changed_at: before_at, .. } = older;
    let label = say!("Which holds: {newer} or {before}");
    view! {
        <li class="memory">
            <div>
                <p class="memory-text">{newer}</p>
                <p class="memory-meta"><span>"Newer:" " " <When at=newer_at/></span></p>
                <p class="memory-text">{before}</p>
                <p class="memory-meta"><span>"Older:" " " <When at=before_at/></span></p>
            </div>
            <ActionForm action=settle attr:class="actions" attr:aria-label=label>
                <input type="hidden" name="id" value=id.0/>
                <button class="button" type="submit" name="keep" value="newer">"The newer one"</button>
                <button class="button" type="submit" name="keep" value="older">"The older one"</button>
                <button class="button" data-kind="quiet" type="submit" name="keep" value="both">"Both"</button>
            </ActionForm>
        </li>
    }
}
