//! The way back in a long conversation. Its page shows the end; what stands before comes a part at a time,
//! into the page, or without script on a page of its own. So does a text that is shown by its beginning.

use super::branches::BranchForms;
use super::context::{ConversationContext, SOUGHT};
use super::rows::Rows;
use super::transcript::RenderedItem;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent_page;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::conversation::api::entries;
use crate::conversations;
use crate::prelude::*;
use crate::session::me;
use crate::ui::{ActionFailure, PageTitle};
use leptos::ev::MouseEvent;
use leptos::web_sys;
use leptos_router::hooks::use_query_map;
use protocol::log::{Entry, EntryBody};
use protocol::view::{AgentPage, Me};
use protocol::{AgentId, Failure, FailureKind};
use serde_json::Value;

/// Leads to what stands before the rows, if there is more: by a press, and by scrolling up to it.
#[component]
pub fn Earlier(context: ConversationContext) -> impl IntoView {
    let back = Action::new(move |before: &u64| {
        get_agent_page(context.agent.get_value(), *before, context.conversation.get_value().0)
    });
    Effect::new(move |_| {
        back.value().with(|page| {
            if let Some(Ok(page)) = page {
                stand_still(context);
                context.transcript.reach_back(page);
                // The beginning is another one, further up.
                context.is_at_start.set(false);
            }
        });
    });
    let earlier = context.transcript.earlier;
    let address = move || before(context, earlier.get().unwrap_or_default());
    let pending = back.pending();
    let reach = move || {
        if let Some(before) = earlier.get_untracked().filter(|_| !pending.get_untracked()) {
            back.dispatch(before);
        }
    };
    let go = move |event: MouseEvent| {
        event.prevent_default();
        reach();
    };
    // Who scrolls there need not press.
    Effect::new(move |_| {
        if context.is_at_start.get() {
            reach();
        }
    });
    view! {
        <Show when=move || earlier.get().is_some()>
            <p class="earlier">
                <a class="button" data-kind="quiet" href=address on:click=go aria-busy=move || pending.get().then_some("true")>
                    "Earlier messages"
                </a>
            </p>
        </Show>
        <ActionFailure value=back.value()/>
    }
}

/// Keeps the browser from scrolling after rows that take another place among the elements while more are put
/// before them. Counted from the end, where one reads stays what it is.
fn stand_still(context: ConversationContext) {
    let anchor = move |value: &str| {
        if let Some(scroller) = context.scroller.try_get_untracked().flatten() {
            // Empty, it is what it was.
            let _ = web_sys::HtmlElement::style(&scroller).set_property("overflow-anchor", value);
        }
    };
    anchor("none");
    // The first frame shows them.
    request_animation_frame(move || request_animation_frame(move || anchor("")));
}

/// Where the rest is of what is shown by its beginning.
#[component]
pub fn Whole(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let agent = context.agent.get_value();
    let links = shown.cut.into_iter().map(|entry| view! {
        <p class="message-rest"><a href=address(&agent, "entry", entry) target="_blank">"Show all of it"</a></p>
    });
    links.collect_view()
}

/// What stands before this entry of the conversation.
fn before(context: ConversationContext, entry: u64) -> String {
    let (agent, conversation) = (context.agent.get_value(), context.conversation.get_value());
    format!("{}&conversation={conversation}", address(&agent, "before", entry))
}

fn address(agent: &AgentId, part: &str, seq: u64) -> String {
    format!("/agents/{agent}/earlier?{part}={seq}")
}

/// A part of the past on a page of its own.
#[component]
pub fn EarlierPage() -> impl IntoView {
    let (id, query) = (agent_in_path(), use_query_map());
    let number = move |name: &str| query.with(|query| query.get(name)?.parse().ok()).unwrap_or(0);
    let sought = move || query.with_untracked(|query| query.get_str("at")?.parse().ok());
    let named = move || query.with(|query| query.get("conversation")).unwrap_or_default();
    let part = PageResource::new(
        move || (id.get(), number("before"), number("entry"), named()),
        |(id, before, entry, conversation)| load(id, before, entry, conversation),
    );
    view! { <Loaded resource=part view=move |(me, page, entry)| view! { <Part me page entry sought=sought()/> }/> }
}

async fn load(
    id: AgentId,
    before: u64,
    entry: u64,
    conversation: String,
) -> Result<(Me, AgentPage, Option<Entry>), AppError> {
    let page = get_agent_page(id.clone(), before.max(1), conversation).await?;
    if entry == 0 {
        return Ok((me().await?, page, None));
    }
    let found = entries(id, entry - 1).await?.into_iter().next().filter(|found| found.seq == entry);
    let missing = || AppError(Failure::new(FailureKind::NotFound, t("There is no such entry.")));
    Ok((me().await?, page, Some(found.ok_or_else(missing)?)))
}

#[component]
fn Part(me: Me, page: AgentPage, entry: Option<Entry>, sought: Option<u64>) -> impl IntoView {
    // What is opened by script is not scrolled to by the address.
    Effect::new(move || {
        if let Some(found) = document().get_element_by_id(SOUGHT) {
            found.scroll_into_view();
        }
    });
    let name = page.agent.name.clone();
    let back = conversations::address(&page.conversation);
    let body = match entry {
        Some(entry) => {
            view! { <pre class="message-text" tabindex="0">{longest_text(&entry.body)}</pre> }.into_any()
        }
        None => {
            let context = ConversationContext::of_past(&page, sought);
            let further = page.earlier.map(|entry| {
                view! {
                    <p class="earlier">
                        <a class="button" data-kind="quiet" href=before(context, entry)>"Earlier messages"</a>
                    </p>
                }
            });
            view! { {further} <ol class="messages"><Rows context/></ol> <BranchForms context/> }.into_any()
        }
    };
    view! {
        <PageTitle text={say!("Earlier, {name}")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{say!("Earlier with {name}")}</h1>
                    <p class="actions"><a class="button" href=back>"To the latest"</a></p>
                </header>
                {body}
            </div>
        </Shell>
    }
}

/// What an entry says: of its texts the longest.
fn longest_text(body: &EntryBody) -> String {
    fn longest(value: Value) -> String {
        let parts: Box<dyn Iterator<Item = Value>> = match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => return String::new(),
            Value::String(text) => return text,
            Value::Array(values) => Box::new(values.into_iter()),
            Value::Object(fields) => Box::new(fields.into_iter().map(|(_, value)| value)),
        };
        parts.map(longest).max_by_key(String::len).unwrap_or_default()
    }
    serde_json::to_value(body).map(longest).unwrap_or_default()
}
