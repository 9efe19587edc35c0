//! What an agent has on the device in the person's hands: what its browser keeps, and folders that they open for it.

use super::on_device::{Browsing, InMount};
use crate::browser::mounts::{self, DeviceFiles};
use crate::files::size;
use crate::prelude::*;
use crate::ui::{ACTIONS, Icon, Section, Table};
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::device::DeviceMount;

/// What was done last, or why it was not.
pub(super) type Told = RwSignal<Option<Result<String, String>>>;

#[component]
pub fn OnThisDevice(agent: AgentId, name: String) -> impl IntoView {
    let told: Told = RwSignal::new(None);
    let found = RwSignal::new(None::<DeviceFiles>);
    let agent = StoredValue::new(agent);
    // The page may be gone by then, and so may what it holds.
    let look = move || {
        let Some(agent) = agent.try_get_value() else { return };
        spawn_local(async move {
            let there = Some(mounts::look(agent).await);
            // A list that is drawn anew takes the keyboard away from who is in it.
            if found.try_with_untracked(|found| *found != there) == Some(true) {
                let _ = found.try_set(there);
            }
        });
    };
    let browsing = Browsing::new(agent, told);
    // Only a browser has any.
    Effect::new(move |_| {
        browsing.looked.track();
        look();
    });
    let name = StoredValue::new(name);
    let shown = move || match found.get() {
        Some(DeviceFiles { kept, folders }) => {
            view! { <Found agent=agent.get_value() name=name.get_value() kept folders told browsing look/> }
                .into_any()
        }
        None => {
            view! { <p>"Only this browser knows what is here, and tells it with JavaScript."</p> }.into_any()
        }
    };
    view! {
        <Section
            id="device"
            title="On this device"
            lead="While this browser shows its page, it has files here as well: under /opfs what the browser keeps for it, under /local folders that you open for it. They stay on this device: the hub keeps neither them nor versions of them, and no copy or archive of the agent takes them along."
        >
            <p class="field-hint" role="status">{move || told.get().and_then(Result::ok)}</p>
            {move || told.get().and_then(Result::err).map(|why| view! { <p class="banner" data-kind="error" role="alert"><span class="banner-text">{why}</span></p> })}
            {shown}
            <InMount browsing/>
        </Section>
    }
}

#[component]
fn Found(
    agent: AgentId,
    name: String,
    kept: (usize, u64),
    folders: Vec<String>,
    told: Told,
    browsing: Browsing,
    look: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let none = folders.is_empty().then(|| {
        let words = if mounts::can_pick() {
            say!("No folder is open for {name} here. It asks you before it changes something in one.")
        } else {
            t("This browser opens no folders for pages: Chrome and Edge do.").to_owned()
        };
        view! { <p class="empty" data-size="small"><span>{words}</span></p> }
    });
    let owner = StoredValue::new(agent);
    let rows = folders
        .into_iter()
        .map(|folder| {
            let label = say!("Take away {folder}");
            let look_label = say!("Look into {folder}");
            let mount = DeviceMount::Local(folder.clone());
            let look_into = move |_| browsing.look_into(mount.clone());
            let taken = folder.clone();
            let forget = move |_| {
                let (agent, folder) = (owner.get_value(), taken.clone());
                spawn_local(async move {
                    let done = mounts::forget(agent, folder.clone()).await;
                    let _ = told.try_set(Some(done.map(|()| say!("{folder} was taken away. Nothing in it was changed."))));
                    browsing.close();
                    look();
                });
            };
            view! {
                <tr>
                    <td class="file-path"><code>{format!("/local/{folder}")}</code></td>
                    <td class="list-end">
                        <div class="actions">
                            <button type="button" class="button" data-kind="quiet" aria-label=look_label on:click=look_into>"Look into"</button>
                            <button type="button" class="button" data-kind="quiet" aria-label=label on:click=forget>"Take away"</button>
                        </div>
                    </td>
                </tr>
            }
        })
        .collect_view();
    let table = none.is_none().then(|| view! { <Table columns=["Folder", ACTIONS] rows=rows.into_any()/> });
    let pick = move |_| {
        let agent = owner.get_value();
        spawn_local(async move {
            match mounts::pick(agent).await {
                Ok(None) => {}
                Ok(Some(folder)) => {
                    let _ = told.try_set(Some(Ok(say!("{folder} is open for it as /local/{folder}."))));
                    look();
                }
                Err(why) => {
                    let _ = told.try_set(Some(Err(say!("The folder was not opened. {why}"))));
                }
            }
        });
    };
    let open = mounts::can_pick()
        .then(|| view! { <button type="button" class="button" on:click=pick>"Open a folder"</button> });
    let (files, bytes) = kept;
    let in_words = match files {
        0 => t("The browser keeps nothing for it.").to_owned(),
        many => plural!(
            many,
            "The browser keeps one file for it, {size}.",
            "The browser keeps {many} files for it, {size}.",
            size = size(bytes)
        ),
    };
    let empty = move |_| {
        let agent = owner.get_value();
        spawn_local(async move {
            let done = mounts::empty(agent).await;
            let _ = told.try_set(Some(done.map(|()| t("What the browser kept was deleted.").to_owned())));
            browsing.close();
            look();
        });
    };
    let look_into = (files > 0).then(|| {
        view! { <p class="actions"><button type="button" class="button" on:click=move |_| browsing.look_into(DeviceMount::Opfs)>"Look into /opfs"</button></p> }
    });
    let delete = (files > 0).then(|| {
        view! {
            <details class="confirm">
                <summary class="button" data-kind="danger"><Icon name="trash" small=true/> "Delete what the browser keeps"</summary>
                <div class="confirm-body">
                    <p>"There are no versions of it, and nothing brings it back."</p>
                    <button type="button" class="button" data-kind="danger" on:click=empty>"Delete all of it"</button>
                </div>
            </details>
        }
    });
    view! {
        {none}
        {table}
        <p class="actions">{open}</p>
        <p>{in_words}</p>
        {look_into}
        {delete}
    }
}
