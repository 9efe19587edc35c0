//! One conversation in the list.

use super::page::Actions;
use super::{address, share_address};
use crate::prelude::*;
use crate::ui::{ActionForm, Icon, Unread, When, close_on_escape, conversation_title};
use leptos::html::Summary;
use protocol::view::ConversationView;

#[component]
pub(super) fn Row(conversation: ConversationView, actions: Actions) -> impl IntoView {
    let name = conversation_title(&conversation.title);
    let head = if conversation.deleted {
        view! { <span class="conversation-name">{name.clone()}</span> }.into_any()
    } else {
        view! { <a class="conversation-name" href=address(&conversation)>{name.clone()}</a> }.into_any()
    };
    let unread = conversation.unread.then(|| view! { <Unread/> });
    let pinned = conversation.pinned.then(|| view! { <span class="chip">"Pinned"</span> });
    let folder = (!conversation.folder.is_empty())
        .then(|| view! { <span class="chip">{conversation.folder.clone()}</span> });
    let temporary = conversation.temporary.then(|| view! { <span class="chip">"Temporary"</span> });
    let used_at = conversation.used_at;
    view! {
        <li class="conversation-row">
            <div class="conversation-about">
                <p class="conversation-line">{head} {unread}</p>
                <p class="conversation-meta">{pinned} {temporary} {folder} <span>"Last used " <When at=used_at/></span></p>
            </div>
            {if conversation.deleted {
                view! { <Restore conversation name actions/> }.into_any()
            } else {
                view! { <Menu conversation name actions/> }.into_any()
            }}
        </li>
    }
}

#[component]
fn Restore(conversation: ConversationView, name: String, actions: Actions) -> impl IntoView {
    view! {
        <ActionForm action=actions.restore>
            <input type="hidden" name="id" value=conversation.id.0/>
            <button class="button" type="submit" aria-label={say!("Restore {name}")}>"Restore"</button>
        </ActionForm>
    }
}

#[component]
fn Menu(conversation: ConversationView, name: String, actions: Actions) -> impl IntoView {
    let ConversationView { id, title, pinned, archived, folder, .. } = conversation;
    let (field, folder_field) = (format!("title-{id}"), format!("folder-{id}"));
    let export = {
        let id = id.clone();
        move |format| format!("/conversations/{id}/export?format={format}")
    };
    let share = share_address(&id);
    let (doomed, doomed_name) = (id.clone(), name.clone());
    let (summary, own) = (NodeRef::<Summary>::new(), id.clone());
    summary.on_load(move |summary| actions.welcome(&own, summary));
    let id = StoredValue::new(id.0);
    let (pin_words, archive_words) =
        (t(if pinned { "Unpin" } else { "Pin" }), t(if archived { "Back to the list" } else { "Archive" }));
    view! {
        <details class="conversation-menu" on:keydown=close_on_escape>
            <summary
                class="button"
                data-kind="quiet"
                data-shape="icon"
                aria-label={say!("Change {name}")}
                title="Change"
                node_ref=summary
            >
                <Icon name="more"/>
            </summary>
            <div class="conversation-menu-body">
                <ActionForm action=actions.rename attr:class="conversation-rename">
                    <input type="hidden" name="id" value=id.get_value()/>
                    <label class="field-label" for=field.clone()>"Name"</label>
                    <input class="input" id=field name="title" value=title maxlength="120" required/>
                    <button class="button" type="submit">"Rename"</button>
                </ActionForm>
                <ActionForm action=actions.put_into attr:class="conversation-rename">
                    <input type="hidden" name="id" value=id.get_value()/>
                    <label class="field-label" for=folder_field.clone()>"Folder"</label>
                    <input class="input" id=folder_field name="folder" value=folder maxlength="120" list="folders" autocomplete="off" placeholder="None"/>
                    <button class="button" type="submit">"Move it there"</button>
                </ActionForm>
                <div class="actions">
                    <ActionForm action=actions.pin>
                        <input type="hidden" name="id" value=id.get_value()/>
                        <input type="hidden" name="pinned" value=(!pinned).to_string()/>
                        <button class="button" data-kind="quiet" type="submit">{pin_words}</button>
                    </ActionForm>
                    <ActionForm action=actions.archive>
                        <input type="hidden" name="id" value=id.get_value()/>
                        <input type="hidden" name="archived" value=(!archived).to_string()/>
                        <button class="button" data-kind="quiet" type="submit">{archive_words}</button>
                    </ActionForm>
                    <a class="button" data-kind="quiet" href=share aria-label={say!("Share {name}")}>"Share"</a>
                    <a class="button" data-kind="quiet" href=export("markdown") download>"As Markdown"</a>
                    <a class="button" data-kind="quiet" href=export("json") download>"As JSON"</a>
                    <ActionForm action=actions.delete>
                        <input type="hidden" name="id" value=id.get_value()/>
                        <button
                            class="button"
                            data-kind="danger"
                            type="submit"
                            aria-label={say!("Delete {name}")}
                            on:click=move |_| actions.doom(doomed.clone(), doomed_name.clone())
                        >
                            "Delete"
                        </button>
                    </ActionForm>
                </div>
            </div>
        </details>
    }
}
