//! Notifications, the newest first.

use super::api::ReadNotification;
use super::words::{delivery_words, kind_icon};
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Icon, When, kept_each};
use protocol::view::NotificationView;

#[component]
pub(super) fn Notifications(
    list: Vec<NotificationView>,
    read: FormAction<ReadNotification>,
) -> impl IntoView {
    let rows = kept_each(list, move |told| view! { <Row told read/> });
    view! { <ul class="notifications">{rows}</ul> }
}

#[component]
fn Row(told: NotificationView, read: FormAction<ReadNotification>) -> impl IntoView {
    let NotificationView { id, kind, title, body, link, at, quiet, read: is_read, deliveries, .. } = told;
    let is_told = kind.is_told_by_the_hub(link.starts_with("/pipelines/"));
    let body = if is_told { language::sentence(&body).into_owned() } else { body };
    let title = language::sentence(&title).into_owned();
    let label = say!("Mark read: {title}");
    let mark = (!is_read).then(|| {
        view! {
            <ActionForm action=read>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button" data-kind="quiet" aria-label=label>"Mark read"</button>
            </ActionForm>
        }
    });
    view! {
        <li class="notification" data-read=is_read.to_string()>
            <Icon name=kind_icon(kind)/>
            <div class="notification-words">
                <a href=link>{title}</a>
                {(!is_read).then(|| view! { " " <span class="chip" data-kind="here">"New"</span> })}
                {(!body.is_empty()).then(|| view! { <p>{body}</p> })}
                <p class="notification-at">
                    <When at/>
                    {quiet.then(|| t(" · in your quiet hours"))}
                    {deliveries.iter().map(|delivery| format!(" · {}", delivery_words(delivery))).collect_view()}
                </p>
            </div>
            {mark}
        </li>
    }
}
