//! Which agents have something: the boxes of a form, and where one makes an agent if there is none.

use crate::prelude::*;
use protocol::view::GivenAgent;

#[component]
pub fn AgentBoxes(
    agents: Vec<GivenAgent>,
    /// Whether the form around it is on its way.
    is_pending: Signal<bool>,
) -> impl IntoView {
    if agents.is_empty() {
        return view! {
            <p class="empty" data-size="small"><span>"You have no agent yet"</span></p>
            <p class="actions"><a class="button" href="/agents/new">"New agent"</a></p>
        }
        .into_any();
    }
    let boxes = agents.into_iter().map(|given| view! { <AgentBox given/> }).collect_view();
    view! {
        <fieldset class="choices" data-flow="columns">
            <legend class="field-label">"For these agents"</legend>
            {boxes}
        </fieldset>
        <div class="form-end">
            <button type="submit" class="button" aria-busy=move || is_pending.get().then_some("true")>
                "Give it to these agents only"
            </button>
        </div>
    }
    .into_any()
}

#[component]
fn AgentBox(given: GivenAgent) -> impl IntoView {
    let GivenAgent { agent, name, has, lacks } = given;
    let lack = (!lacks.is_empty()).then(|| {
        let words = say!("It lacks for that, in its settings: {tools}.", tools = lacks.join(", "));
        view! { <span class="choice-hint">{words}</span> }
    });
    view! {
        <label class="choice">
            <input type="checkbox" name="agents[]" value=agent.0 checked=has/>
            <span>{name}</span>
            {lack}
        </label>
    }
}
