//! The page as a whole.

use super::api::get_context;
use super::section::Section;
use super::step::Step;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{Meter, PageTitle, meter_words};
use leptos_router::hooks::use_query_map;
use protocol::AgentId;
use protocol::view::{ContextPart, ContextSection, ContextStep, ContextView, Me};

#[component]
pub fn ContextPage() -> impl IntoView {
    let (id, query) = (agent_in_path(), use_query_map());
    let conversation = move || query.with(|query| query.get("conversation")).unwrap_or_default();
    let shown = PageResource::new(move || (id.get(), conversation()), |(id, of)| load(id, of));
    view! { <Loaded resource=shown view=|(me, context)| view! { <Inspector me context/> }/> }
}

#[component]
fn Inspector(me: Me, context: ContextView) -> impl IntoView {
    let ContextView { agent, name, model, running, sections, tokens, room, steps, summarised } = context;
    let back = format!("/agents/{agent}");
    let is = |wanted: fn(&ContextPart) -> bool| {
        sections.iter().filter(|section| wanted(&section.part)).cloned().collect::<Vec<_>>()
    };
    let system = is(|part| matches!(part, ContextPart::System { .. }));
    let tools = is(|part| matches!(part, ContextPart::Tool { .. }));
    let messages = is(|part| matches!(part, ContextPart::Context { .. } | ContextPart::Message { .. }));
    let model = if model.is_empty() { t("its model").to_owned() } else { model };
    let what = match running {
        true => say!("What {model} is sent with the next call of the run under way."),
        false => {
            say!("What {model} was sent last. Its answer and what you write next come after it.")
        }
    };
    let heading = say!("Context of {name}");
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings context">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p>{what}</p>
                    <div class="context-total">
                        <Meter tokens=Signal::stored(tokens) room/>
                        <p class="num">{meter_words(tokens, room)}</p>
                    </div>
                    <p class="field-hint">
                        {say!("Tokens are estimates, put right by what the provider counted. The definition is the one that {name} has now.")}
                    </p>
                    <p class="actions"><a class="button" href=back>{say!("Back to {name}")}</a></p>
                </header>
                <LeftOut steps summarised/>
                <Part id="system" title="System prompt" sections=system/>
                <Part id="tools" title="Tools" sections=tools/>
                <Part id="messages" title="Messages" sections=messages/>
            </div>
        </Shell>
    }
}

#[component]
fn LeftOut(steps: Vec<ContextStep>, summarised: u64) -> impl IntoView {
    let turns = match summarised {
        0 => None,
        turns => Some(plural!(
            turns,
            "One turn is sent as part of a summary only.",
            "{turns} turns are sent as part of a summary only."
        )),
    };
    (!steps.is_empty()).then(|| view! {
        <section class="section" aria-labelledby="left-out">
            <div class="section-head">
                <h2 id="left-out">"Left out"</h2>
                <p>"The conversation was shortened to fit. Nothing is lost: all of it stays in the log. " {turns}</p>
            </div>
            <ol class="context-list">{steps.into_iter().map(|step| view! { <Step step/> }).collect_view()}</ol>
        </section>
    })
}

#[component]
fn Part(id: &'static str, title: &'static str, sections: Vec<ContextSection>) -> impl IntoView {
    let tokens: u64 = sections.iter().map(|section| section.tokens).sum();
    let none = sections.is_empty().then(|| view! { <p class="empty" data-size="small">"None."</p> });
    let newest = sections.len().saturating_sub(1);
    let is_open = |at: usize, part: &ContextPart| at == newest && matches!(part, ContextPart::Message { .. });
    let rows = sections
        .into_iter()
        .enumerate()
        .map(|(at, section)| {
            let is_open = is_open(at, &section.part);
            view! { <Section section is_open/> }
        })
        .collect_view();
    view! {
        <section class="section" aria-labelledby=id>
            <div class="context-head">
                <h2 id=id>{title}</h2>
                <span class="context-tokens num">{crate::ui::grouped(tokens)} " tokens"</span>
            </div>
            {none}
            <ol class="context-list">{rows}</ol>
        </section>
    }
}

async fn load(id: AgentId, conversation: String) -> Result<(Me, ContextView), AppError> {
    Ok(together!(me(), get_context(id, conversation)))
}
