//! What the person's agents said lately.

use super::api::{ClearSayings, DeleteSaying};
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Section, When, kept_each};
use protocol::view::Saying;

#[component]
pub(super) fn Said(
    said: Vec<Saying>,
    is_heard: bool,
    delete: FormAction<DeleteSaying>,
    clear: FormAction<ClearSayings>,
) -> impl IntoView {
    let lead = t(match is_heard {
        true => {
            "The first 200 characters of answers. An agent that hears the others is told of the last ten of theirs."
        }
        false => "No agent hears the others, so nothing is kept. Say below which ones do.",
    });
    let list = match said.is_empty() {
        true => {
            view! { <p class="empty" data-size="small"><span>"Nothing was said yet."</span></p> }.into_any()
        }
        false => {
            let rows = kept_each(said, move |saying| view! { <Row saying delete/> });
            view! {
                <ul class="memories">{rows}</ul>
                <ActionForm action=clear>
                    <button class="button" type="submit">"Clear all"</button>
                </ActionForm>
            }
            .into_any()
        }
    };
    view! { <Section id="said" title="What your agents said lately" lead>{list}</Section> }
}

#[component]
fn Row(saying: Saying, delete: FormAction<DeleteSaying>) -> impl IntoView {
    let Saying { id, agent, agent_name, text, untrusted, at } = saying;
    let caution = untrusted.then(|| {
        view! { <span class="chip" data-kind="caution">"Had read words of strangers"</span> }
    });
    let label = say!("Delete what {agent_name} said: {text}");
    view! {
        <li class="memory">
            <div>
                <p class="memory-text">{text}</p>
                <p class="memory-meta">
                    <span><a href=format!("/agents/{agent}")>{agent_name}</a> " " <When at/></span> {caution}
                </p>
            </div>
            <div class="actions">
                <ActionForm action=delete>
                    <input type="hidden" name="id" value=id.0/>
                    <button class="button" data-kind="quiet" type="submit" aria-label=label>"Delete"</button>
                </ActionForm>
            </div>
        </li>
    }
}
