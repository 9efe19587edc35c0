//! The files of a mount of this device, to look at, save and delete. They are in this browser alone: the hub is asked
//! nothing.

use super::device::Told;
use super::preview::Preview;
use crate::browser::mounts;
use crate::files::size;
use crate::prelude::*;
use crate::ui::{ACTIONS, Icon, Section, Table, When};
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::device::{DeviceFile, DeviceMount, DevicePath};
use protocol::files::{FilePreview, FileView};

/// Files that are lines of the page; a field finds others.
const SHOWN: usize = 200;
/// Bytes of a text that are shown.
const LONGEST: usize = 256 * 1024;

/// What was looked into last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Looked {
    pub(super) mount: DeviceMount,
    files: Vec<DeviceFile>,
    more: bool,
}

/// What is shown of the device beside the list of folders.
#[derive(Clone, Copy)]
pub(super) struct Browsing {
    agent: StoredValue<AgentId>,
    pub(super) looked: RwSignal<Option<Looked>>,
    read: RwSignal<Option<(FileView, FilePreview)>>,
    find: RwSignal<String>,
    told: Told,
}

impl Browsing {
    pub(super) fn new(agent: StoredValue<AgentId>, told: Told) -> Self {
        Self {
            agent,
            looked: RwSignal::new(None),
            read: RwSignal::new(None),
            find: RwSignal::default(),
            told,
        }
    }

    /// Lists what is in the mount. Of a folder of the person's it is their press that the browser wants.
    pub(super) fn look_into(self, mount: DeviceMount) {
        let agent = self.agent.get_value();
        spawn_local(async move {
            match mounts::list(agent, mount.clone()).await {
                Ok((files, more)) => {
                    if !self.shows(&mount) {
                        self.close();
                    }
                    let _ = self.looked.try_set(Some(Looked { mount, files, more }));
                }
                Err(why) => {
                    let _ = self.told.try_set(Some(Err(why)));
                }
            }
        });
    }

    /// Nothing of this device is shown any more.
    pub(super) fn close(self) {
        let _ = self.looked.try_set(None);
        let _ = self.read.try_set(None);
        let _ = self.find.try_set(String::new());
    }

    /// Whether it is this mount whose list is open.
    fn shows(self, mount: &DeviceMount) -> bool {
        self.looked.try_get_untracked().flatten().is_some_and(|looked| looked.mount == *mount)
    }

    fn read(self, mount: DeviceMount, file: DeviceFile) {
        let agent = self.agent.get_value();
        spawn_local(async move {
            let at = DevicePath { mount: mount.clone(), path: file.path.clone() };
            match mounts::read(agent, at).await {
                // Its list may be closed by then.
                Ok(bytes) if self.shows(&mount) => {
                    let _ = self.read.try_set(Some(shown(file, bytes)));
                }
                Ok(_) => {}
                Err(why) => {
                    let _ =
                        self.told.try_set(Some(Err(say!("{path} was not read. {why}", path = file.path))));
                }
            }
        });
    }

    fn save(self, mount: DeviceMount, path: String) {
        let agent = self.agent.get_value();
        spawn_local(async move {
            let saved = mounts::download(agent, DevicePath { mount, path: path.clone() }).await;
            if let Err(why) = saved {
                let _ = self.told.try_set(Some(Err(say!("{path} was not saved. {why}"))));
            }
        });
    }

    fn delete(self, mount: DeviceMount, path: String) {
        let agent = self.agent.get_value();
        spawn_local(async move {
            let at = DevicePath { mount: mount.clone(), path: path.clone() };
            let told = match mounts::delete(agent, at).await {
                Ok(()) => Ok(say!("{path} was deleted from this device.")),
                Err(why) => Err(say!("{path} was not deleted. {why}")),
            };
            let _ = self.told.try_set(Some(told));
            let _ = self.read.try_set(None);
            if self.shows(&mount) {
                self.look_into(mount);
            }
        });
    }
}

fn shown(file: DeviceFile, mut bytes: Vec<u8>) -> (FileView, FilePreview) {
    let whole = bytes.len() <= LONGEST;
    bytes.truncate(LONGEST);
    let end = match std::str::from_utf8(&bytes) {
        Ok(_) => Some(bytes.len()),
        // A letter may have been cut.
        Err(error) => Some(error.valid_up_to()).filter(|end| !whole && bytes.len() - end < 4),
    };
    let text = end.and_then(|end| {
        bytes.truncate(end);
        String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
    });
    let preview = text.map_or(FilePreview::Other, |text| FilePreview::Text { text, whole });
    let DeviceFile { path, size, at } = file;
    let view = FileView { path, size, at, version: 0, author: None, untrusted: false, url: String::new() };
    (view, preview)
}

/// How the agent names the mount.
pub(super) fn name_of(mount: &DeviceMount) -> String {
    match mount {
        DeviceMount::Opfs => "/opfs".to_owned(),
        DeviceMount::Local(name) => format!("/local/{name}"),
    }
}

#[component]
pub(super) fn InMount(browsing: Browsing) -> impl IntoView {
    let Browsing { looked, read, find, .. } = browsing;
    let text = move || match read.get() {
        Some((file, preview)) => {
            let title = file.path.clone();
            let shut = move |_| read.set(None);
            view! {
                <Section id="device-file" title=title>
                    <Preview file preview/>
                    <p class="actions"><button type="button" class="button" data-kind="quiet" on:click=shut>"Close it"</button></p>
                </Section>
            }
            .into_any()
        }
        None => ().into_any(),
    };
    let rows = move || {
        let Looked { mount, files, more } = looked.get()?;
        let asked = find.get().to_lowercase();
        let all = files.len();
        let found: Vec<DeviceFile> =
            files.into_iter().filter(|file| file.path.to_lowercase().contains(&asked)).collect();
        let hidden = found.len().saturating_sub(SHOWN);
        let none = found.is_empty().then(|| {
            let words = t(if all == 0 { "Nothing is in it." } else { "No file here has that in its path." });
            view! { <p class="empty" data-size="small"><span>{words}</span></p> }
        });
        let table = none.is_none().then(|| {
            let rows =
                found.into_iter().take(SHOWN).map(|file| line(browsing, mount.clone(), file)).collect_view();
            view! { <Table columns=["File", "Size", "Written", ACTIONS] rows=rows.into_any()/> }
        });
        let rest = (hidden > 0)
            .then(|| view! { <p class="field-hint">{say!("{hidden} more: find them by their path.")}</p> });
        let unlisted =
            more.then(|| view! { <p class="field-hint">"There are more than can be listed, or some with names that no path can have."</p> });
        Some(view! { {none} {table} {rest} {unlisted} })
    };
    let head = move || {
        looked.get().map(|looked| {
            let name = name_of(&looked.mount);
            let shut = move |_| browsing.close();
            view! {
                <h3 class="file-part">"In " <code>{name}</code></h3>
                <p class="field-hint">"Only this browser has these files. What you delete here is gone for good: there is no bin and no version of it."</p>
                <p class="actions"><button type="button" class="button" data-kind="quiet" on:click=shut>"Close the list"</button></p>
            }
        })
    };
    let is_long = move || looked.with(|looked| looked.as_ref().is_some_and(|in_it| in_it.files.len() > 20));
    // What leaves files out can always be seen and emptied.
    let is_findable = Memo::new(move |_| is_long() || find.with(|find| !find.is_empty()));
    view! {
        {head}
        <Show when=move || is_findable.get()>
            <input class="input" type="search" aria-label="Find files of this device" placeholder="Find by a part of the path" prop:value=find on:input=move |event| find.set(event_target_value(&event))/>
        </Show>
        {rows}
        {text}
    }
}

fn line(browsing: Browsing, mount: DeviceMount, file: DeviceFile) -> impl IntoView {
    let DeviceFile { path, size: bytes, at } = file.clone();
    let (read_label, save_label) = (say!("Read {path} of this device"), say!("Save {path} of this device"));
    let delete_label = say!("Delete {path} of this device");
    let (of_read, of_save, of_delete) = (mount.clone(), mount.clone(), mount);
    let (saved, deleted) = (path.clone(), path.clone());
    let read = move |_| browsing.read(of_read.clone(), file.clone());
    let save = move |_| browsing.save(of_save.clone(), saved.clone());
    let delete = move |_| browsing.delete(of_delete.clone(), deleted.clone());
    view! {
        <tr>
            <td class="file-path">{path}</td>
            <td data-label="Size" class="num">{size(bytes)}</td>
            <td data-label="Written"><When at/></td>
            <td class="list-end">
                <div class="actions">
                    <button type="button" class="button" data-kind="quiet" aria-label=read_label on:click=read>"Read"</button>
                    <button type="button" class="button" data-kind="quiet" aria-label=save_label on:click=save>"Save"</button>
                    <details class="confirm">
                        <summary class="button" data-kind="quiet" aria-label=delete_label.clone() title=delete_label><Icon name="trash" small=true/></summary>
                        <div class="confirm-body">
                            <p>"Nothing brings it back."</p>
                            <button type="button" class="button" data-kind="danger" on:click=delete>"Delete it from this device"</button>
                        </div>
                    </details>
                </div>
            </td>
        </tr>
    }
}
