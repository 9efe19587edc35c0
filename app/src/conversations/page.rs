//! The list of an agent's conversations.

use super::api::{
    ArchiveConversation, CreateConversation, DeleteConversation, PinConversation, PutConversationInto,
    RenameConversation, RestoreConversation, list_conversations,
};
use super::row::Row;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::browser::live;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, PageTitle, SearchField, kept_each};
use leptos::html::Button;
use leptos::web_sys::HtmlElement;
use leptos_router::hooks::use_query_map;
use leptos_router::location::Url;
use protocol::hub::HubFrame;
use protocol::view::{AgentView, ConversationFilter, ConversationList, Me};
use protocol::{AgentId, ConversationId};

/// What a person does with a conversation in the list.
#[derive(Clone, Copy)]
pub(super) struct Actions {
    pub(super) rename: FormAction<RenameConversation>,
    pub(super) pin: FormAction<PinConversation>,
    pub(super) put_into: FormAction<PutConversationInto>,
    pub(super) archive: FormAction<ArchiveConversation>,
    pub(super) delete: FormAction<DeleteConversation>,
    pub(super) restore: FormAction<RestoreConversation>,
    /// The one for which Delete was pressed last.
    doomed: RwSignal<Option<Doomed>>,
    /// The one that came back on the spot and is not drawn yet.
    returned: RwSignal<Option<ConversationId>>,
}

#[derive(Clone, PartialEq)]
struct Doomed {
    id: ConversationId,
    name: String,
}

impl Actions {
    fn new() -> Self {
        let actions = Self {
            rename: FormAction::new(),
            pin: FormAction::new(),
            put_into: FormAction::new(),
            archive: FormAction::new(),
            delete: FormAction::new(),
            restore: FormAction::new(),
            doomed: RwSignal::new(None),
            returned: RwSignal::new(None),
        };
        Effect::new(move |_| {
            actions.restore.version().track();
            let is_back = actions.restore.value().with_untracked(|value| matches!(value, Some(Ok(()))));
            if is_back && let Some(Doomed { id, .. }) = actions.doomed.get_untracked() {
                actions.doomed.set(None);
                actions.returned.set(Some(id));
            }
        });
        actions
    }

    /// For the press that deletes a conversation.
    pub(super) fn doom(self, id: ConversationId, name: String) {
        // What became of the one before says nothing of this one.
        self.delete.value().set(None);
        self.doomed.set(Some(Doomed { id, name }));
    }

    /// Gives the focus to a conversation that came back, once it is drawn: what brought it back is gone.
    pub(super) fn welcome(self, id: &ConversationId, row: HtmlElement) {
        if self.returned.get_untracked().is_some_and(|returned| returned == *id) {
            self.returned.set(None);
            take_lost_focus(row);
        }
    }

    /// What was deleted last here, until it is back.
    fn gone(self) -> Option<Doomed> {
        let is_deleted = self.delete.value().with_untracked(|value| matches!(value, Some(Ok(()))));
        self.doomed.get_untracked().filter(|_| is_deleted)
    }

    /// Changes with each of them.
    fn version(self) -> usize {
        self.rename.version().get()
            + self.pin.version().get()
            + self.put_into.version().get()
            + self.archive.version().get()
            + self.delete.version().get()
            + self.restore.version().get()
    }
}

#[component]
pub fn ConversationsPage() -> impl IntoView {
    let (id, query) = (agent_in_path(), use_query_map());
    let filter = Memo::new(move |_| query.with(|query| filter_named(query.get_str("show"))));
    let part = Memo::new(move |_| {
        query.with(|query| query.get_str("page").and_then(|page| page.parse().ok())).unwrap_or(0)
    });
    let folder = Memo::new(move |_| query.with(|query| query.get("folder")).unwrap_or_default());
    let actions = Actions::new();
    let shown = PageResource::new(
        move || (id.get(), filter.get(), folder.get(), part.get(), actions.version()),
        |(id, filter, folder, part, _)| load(id, filter, folder, part),
    );
    watch(id, move || shown.refetch());
    view! {
        <Loaded resource=shown view=move |(me, agent, list)| view! {
            <Conversations me agent list filter=filter.get_untracked() folder=folder.get_untracked() part=part.get_untracked() actions/>
        }/>
    }
}

/// Calls `again` when a conversation of the agent has another name, or is read.
fn watch(agent: Memo<AgentId>, again: impl Fn() + Clone + 'static) {
    Effect::new(move |_| {
        let again = again.clone();
        // What is said in them is not listed.
        let follower = live::follow(agent.get(), u64::MAX, move |frame| {
            if let HubFrame::Changed { .. } = frame {
                again();
            }
        });
        on_cleanup(move || live::unfollow(follower));
    });
}

async fn load(
    id: AgentId,
    filter: ConversationFilter,
    folder: String,
    part: u32,
) -> Result<(Me, AgentView, ConversationList), AppError> {
    let list = list_conversations(id.clone(), filter, part, folder);
    Ok(together!(me(), get_agent(id), list))
}

#[component]
fn Conversations(
    me: Me,
    agent: AgentView,
    list: ConversationList,
    filter: ConversationFilter,
    folder: String,
    part: u32,
    actions: Actions,
) -> impl IntoView {
    let AgentView { id, name, .. } = agent;
    let create = FormAction::<CreateConversation>::new();
    let (agent, same) = (id.0.clone(), id.0.clone());
    let (heading, back) = (say!("Conversations with {name}"), format!("/agents/{id}"));
    let none = list.conversations.is_empty().then(|| {
        let words = match filter {
            ConversationFilter::Active if part == 0 && folder.is_empty() => {
                say!("No conversation yet. Say something to {name}, and it stands here.")
            }
            ConversationFilter::Active => t("There is nothing more.").to_owned(),
            ConversationFilter::Archived => {
                t("Nothing is archived. What you archive is out of the way and kept here.").to_owned()
            }
            ConversationFilter::Deleted => t("Nothing was deleted in the last 30 days.").to_owned(),
        };
        view! { <p class="empty" data-size="small"><span>{words}</span></p> }
    });
    let folders = StoredValue::new(list.folders);
    let names = folders.with_value(|names| {
        names.iter().map(|name| view! { <option value=name.clone()></option> }).collect_view()
    });
    let gone = kept_each(actions.gone().into_iter().collect(), move |gone| view! { <Gone gone actions/> });
    let rows = kept_each(list.conversations, move |conversation| view! { <Row conversation actions/> });
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head conversations-head">
                    <h1>{heading}</h1>
                    <div class="actions">
                        <ActionForm action=create>
                            <input type="hidden" name="agent" value=agent/>
                            <button class="button" data-kind="primary" type="submit"><Icon name="plus" small=true/> "New conversation"</button>
                        </ActionForm>
                        <ActionForm action=create>
                            <input type="hidden" name="agent" value=same/>
                            <input type="hidden" name="temporary" value="true"/>
                            <button class="button" type="submit"><Icon name="temporary" small=true/> "Temporary conversation"</button>
                        </ActionForm>
                        <a class="button" data-kind="quiet" href=back>{say!("Back to {name}")}</a>
                    </div>
                </header>
                <SearchField text=String::new() agent=id.0.clone()/>
                <Filters id=id.clone() filter/>
                <Folders id=id.clone() filter folder=folder.clone() folders=folders.get_value()/>
                <ActionFailure value=create.value()/>
                <ActionFailure value=actions.rename.value()/>
                <ActionFailure value=actions.pin.value()/>
                <ActionFailure value=actions.put_into.value()/>
                <ActionFailure value=actions.archive.value()/>
                <ActionFailure value=actions.delete.value()/>
                <ActionFailure value=actions.restore.value()/>
                {gone}
                {none}
                <datalist id="folders">{names}</datalist>
                <ul class="conversations">{rows}</ul>
                <Pager id filter folder part more=list.more/>
                <p class="actions"><a class="button" data-kind="quiet" href="/import">"Import conversations from elsewhere"</a></p>
            </div>
        </Shell>
    }
}

/// Says that a conversation is deleted, and takes it back with one press.
#[component]
fn Gone(gone: Doomed, actions: Actions) -> impl IntoView {
    let Doomed { id, name } = gone;
    let undo = NodeRef::<Button>::new();
    // With its row the button that was pressed is gone.
    undo.on_load(|undo| take_lost_focus(undo.into()));
    view! {
        <div class="banner" data-kind="done" role="status">
            <Icon name="check"/>
            <p class="banner-text">{say!("{name} is deleted.")}</p>
            <ActionForm action=actions.restore>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button" data-kind="quiet" node_ref=undo>"Undo"</button>
            </ActionForm>
        </div>
    }
}

/// Unless something else has it by then.
fn take_lost_focus(element: HtmlElement) {
    request_animation_frame(move || {
        if document().active_element().is_none_or(|focused| focused.matches("body").unwrap_or(false)) {
            // It is in the page, so that it takes the focus.
            let _ = element.focus();
        }
    });
}

#[component]
fn Filters(id: AgentId, filter: ConversationFilter) -> impl IntoView {
    let link = |one: ConversationFilter, words: &'static str| {
        let href = place(&id, one, "", 0);
        let current = (one == filter).then_some("true");
        view! { <a class="segment" href=href aria-current=current>{words}</a> }
    };
    view! {
        <nav class="segments conversations-filter" aria-label="Which conversations">
            {link(ConversationFilter::Active, t("All"))}
            {link(ConversationFilter::Archived, t("Archived"))}
            {link(ConversationFilter::Deleted, t("Deleted"))}
        </nav>
    }
}

/// The folders, where there are some.
#[component]
fn Folders(id: AgentId, filter: ConversationFilter, folder: String, folders: Vec<String>) -> impl IntoView {
    if filter != ConversationFilter::Active || (folders.is_empty() && folder.is_empty()) {
        return None;
    }
    let link = |name: &str, words: String| {
        let href = place(&id, filter, name, 0);
        let current = (name == folder).then_some("true");
        view! { <li><a class="chip folder" href=href aria-current=current>{words}</a></li> }
    };
    let all = link("", t("All folders").to_owned());
    let links = folders.iter().map(|name| link(name, name.clone())).collect_view();
    Some(view! { <nav aria-label="Folders"><ul class="folders">{all} {links}</ul></nav> })
}

#[component]
fn Pager(id: AgentId, filter: ConversationFilter, folder: String, part: u32, more: bool) -> impl IntoView {
    let newer = (part > 0).then(|| {
        view! { <a class="button" data-kind="quiet" href=place(&id, filter, &folder, part - 1)>"Newer"</a> }
    });
    let older = more
        .then(|| view! { <a class="button" data-kind="quiet" href=place(&id, filter, &folder, part + 1)>"Older"</a> });
    view! { <p class="actions">{newer} {older}</p> }
}

fn place(id: &AgentId, filter: ConversationFilter, folder: &str, part: u32) -> String {
    let folder = match folder {
        "" => String::new(),
        name => format!("&folder={}", Url::escape(name)),
    };
    format!("/agents/{id}/conversations?show={}&page={part}{folder}", name_of(filter))
}

fn name_of(filter: ConversationFilter) -> &'static str {
    match filter {
        ConversationFilter::Active => "all",
        ConversationFilter::Archived => "archived",
        ConversationFilter::Deleted => "deleted",
    }
}

fn filter_named(name: Option<&str>) -> ConversationFilter {
    match name {
        Some("archived") => ConversationFilter::Archived,
        Some("deleted") => ConversationFilter::Deleted,
        Some(_) | None => ConversationFilter::Active,
    }
}
