//! Who let a call through or did not, and what it cost by itself, asked of the hub once somebody opens the call.

use super::context::ConversationContext;
use super::thread::Key;
use crate::audit::api::get_call;
use crate::audit::let_through;
use crate::prelude::*;
use crate::ui::dollars;
use leptos::task::spawn_local;
use protocol::CallId;
use protocol::view::{CallLine, CallOutcome};

#[component]
pub fn LetThrough(
    key: Key,
    /// Once it has ended.
    call: Memo<Option<CallId>>,
    is_opened: RwSignal<bool>,
    context: ConversationContext,
) -> impl IntoView {
    let known = RwSignal::new(None::<CallLine>);
    Effect::new(move |_| {
        let (true, Some(call), Key::Block { run, turn, .. }) = (is_opened.get(), call.get(), &key) else {
            return;
        };
        let (agent, run, turn) = (context.agent.get_value(), run.0.clone(), *turn);
        spawn_local(async move {
            // What is not known is not shown.
            if let Ok(line) = get_call(agent, run, turn, call.0).await {
                known.try_set(line);
            }
        });
    });
    let words = move || {
        let line = known.get()?;
        Some(let_through(line.decided_by, line.outcome == Some(CallOutcome::Denied)))
    };
    let cost = move || known.get().and_then(|line| line.cost).map(dollars);
    move || {
        words().map(|words| {
            let cost = cost().map(|cost| {
                view! {
                    <p class="tool-label">"What it cost"</p>
                    <p class="num">{cost}</p>
                }
            });
            view! {
                <p class="tool-label">"Who let it"</p>
                <p>{words}</p>
                {cost}
            }
        })
    }
}
