//! The page with everything that a person was told of.

use super::api::{ReadAllNotifications, ReadNotification, list_notifications};
use super::list::Notifications;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Plant};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use protocol::view::{Me, NotificationList};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    told: NotificationList,
}

#[component]
pub fn NotificationsPage() -> impl IntoView {
    let read = FormAction::<ReadNotification>::new();
    let read_all = FormAction::<ReadAllNotifications>::new();
    let query = use_query_map();
    let before = move || query.with(|query| query.get("before").unwrap_or_default());
    let done = move || (before(), read.version().get(), read_all.version().get());
    let known = PageResource::new(done, |(before, ..)| load(before));
    view! {
        <Title text="Notifications"/>
        <Loaded resource=known view=move |known| view! { <Sections known read read_all/> }/>
    }
}

#[component]
fn Sections(
    known: PageData,
    read: FormAction<ReadNotification>,
    read_all: FormAction<ReadAllNotifications>,
) -> impl IntoView {
    let PageData { me, told: NotificationList { list, unread, more } } = known;
    let older = list.last().filter(|_| more).map(|last| format!("/notifications?before={}", last.id));
    let older = older.map(|href| view! { <p class="actions"><a class="button" href=href>"Older"</a></p> });
    let mark_all = (unread > 0).then(|| {
        view! {
            <ActionForm action=read_all>
                <button type="submit" class="button">"Mark all read"</button>
            </ActionForm>
        }
    });
    let contents = match list.is_empty() {
        true => view! { <Nothing/> }.into_any(),
        false => view! { <Notifications list read/> }.into_any(),
    };
    view! {
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Notifications"</h1>
                    <p>"What happened with your agents while you looked elsewhere."</p>
                </header>
                <ActionFailure value=read.value()/>
                <ActionFailure value=read_all.value()/>
                <div class="actions">
                    {mark_all}
                    <a class="button" data-kind="quiet" href="/notifications/settings">"What you hear of"</a>
                </div>
                {contents}
                {older}
            </div>
        </Shell>
    }
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <div class="empty">
            <Plant/>
            <h2>"Nothing yet"</h2>
            <p>"When an agent is done, asks you something or cannot go on while you look elsewhere, it stands here."</p>
        </div>
    }
}

async fn load(before: String) -> Result<PageData, AppError> {
    let (me, told) = together!(me(), list_notifications(before));
    Ok(PageData { me, told })
}
