//! Addresses of files that the person gave away: until when each holds, how often it was opened, and the way to take
//! them back.

use super::following::after_a_pause;
use super::hand_on::Shown;
use crate::browser::live;
use crate::files::address;
use crate::files::api::{ShareFile, TakeAllLinksBack, TakeLinkBack, list_given_links};
use crate::origin::origin;
use crate::prelude::*;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Ahead, Copy, FormAction, Icon, Section, Table, When, kept_each,
};
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::files::GivenLink;
use protocol::hub::HubFrame;

/// What a person does with addresses.
#[derive(Clone, Copy)]
pub(super) struct Links {
    pub(super) share: FormAction<ShareFile>,
    pub(super) take_back: FormAction<TakeLinkBack>,
    pub(super) take_all_back: FormAction<TakeAllLinksBack>,
    given: RwSignal<Vec<GivenLink>>,
}

impl Links {
    pub(super) fn new() -> Self {
        Self {
            share: FormAction::new(),
            take_back: FormAction::new(),
            take_all_back: FormAction::new(),
            given: RwSignal::default(),
        }
    }

    /// What the page was given, and what becomes of it: by what is done here, and by what happens elsewhere to files of
    /// these agents and workspaces.
    pub(super) fn follow(self, given: Vec<GivenLink>, agents: Vec<AgentId>) {
        self.given.set(given);
        Effect::new(move |before: Option<usize>| {
            let done = self.share.version().get()
                + self.take_back.version().get()
                + self.take_all_back.version().get();
            if before.is_some_and(|before| before != done) {
                self.look_again();
            }
            done
        });
        Effect::new(move |_| {
            // Who opens an address often is told of as often.
            let look_again = after_a_pause(move || self.look_again());
            let followers: Vec<_> = agents
                .iter()
                .map(|agent| {
                    let look_again = look_again.clone();
                    live::follow(agent.clone(), u64::MAX, move |frame| {
                        if let HubFrame::Changed { .. } = frame {
                            look_again();
                        }
                    })
                })
                .collect();
            on_cleanup(move || followers.into_iter().for_each(live::unfollow));
        });
    }

    fn look_again(self) {
        spawn_local(async move {
            if let Ok(fresh) = list_given_links().await {
                let _ = self.given.try_set(fresh);
            }
        });
    }
}

/// Those of one file, where it is handed on.
#[component]
pub(super) fn OfFile(of: Shown, links: Links) -> impl IntoView {
    let of = StoredValue::new(of);
    move || {
        let Shown { folder, path } = of.get_value();
        let mut given = links.given.get();
        given.retain(|link| link.folder == folder && link.path == path);
        (!given.is_empty()).then(|| {
            let rows = kept_each(given, move |link| {
                let text = format!("{}{}", origin(), link.address);
                view! {
                    <tr>
                        <td>
                            <div class="field-row">
                                <input class="input" readonly aria-label="Address of the file" value=text.clone()/>
                                <Copy what={t("the address of the file")} text/>
                            </div>
                        </td>
                        <Facts link links/>
                    </tr>
                }
            });
            view! {
                <p>"Whoever has such an address opens the file without signing in. It ends before its time when the file is changed, moved or deleted, or you take it back."</p>
                <Table columns=["Address", "Until", "Opened", ACTIONS] rows=rows.into_any()/>
            }
        })
    }
}

/// All of them, whichever files they open.
#[component]
pub(super) fn All(links: Links) -> impl IntoView {
    let rows = move || {
        kept_each(links.given.get(), move |link| {
            let page = address(&link.folder, link.kind, &link.path);
            let (path, whose) = (link.path.clone(), link.folder_name.clone());
            view! {
                <tr>
                    <td class="file-path"><a href=page>{path}</a> <span class="field-hint">{say!("of {whose}")}</span></td>
                    <Facts link links/>
                </tr>
            }
        })
    };
    let is_some = Memo::new(move |_| links.given.with(|given| !given.is_empty()));
    let none = || view! { <p class="empty" data-size="small"><span>"No address is given away. You make one on the page of a file."</span></p> };
    view! {
        <Section id="given" title="Given away" lead="Addresses with which others open files of yours, of all agents and workspaces.">
            <ActionFailure value=links.take_back.value()/>
            <ActionFailure value=links.take_all_back.value()/>
            <Show when=move || is_some.get() fallback=none>
                <Table columns=["File", "Until", "Opened", ACTIONS] rows=rows.into_any()/>
                <details class="confirm">
                    <summary class="button" data-kind="danger"><Icon name="trash" small=true/> "Take all back"</summary>
                    <ActionForm action=links.take_all_back attr:class="confirm-body">
                        <p>"None of these addresses opens anything then. New ones can be made at any time."</p>
                        <button type="submit" class="button" data-kind="danger">"Take all of them back"</button>
                    </ActionForm>
                </details>
            </Show>
        </Section>
    }
}

/// Until when, how often, when last, and the way back.
#[component]
fn Facts(link: GivenLink, links: Links) -> impl IntoView {
    let GivenLink { id, path, ends_at, opened, last_opened_at, holds, .. } = link;
    let until = match holds {
        true => view! { <Ahead at=ends_at/> }.into_any(),
        false => view! { <span class="chip">"Over: the file was changed or is gone"</span> }.into_any(),
    };
    let times = match opened {
        0 => t("Never").to_owned(),
        1 => t("Once").to_owned(),
        many => plural!(many, "{many} time", "{many} times"),
    };
    let last = last_opened_at.map(|at| view! { ", last " <When at/> });
    view! {
        <td data-label="Until">{until}</td>
        <td data-label="Opened">{times} {last}</td>
        <td class="list-end">
            <ActionForm action=links.take_back>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button" data-kind="quiet" aria-label={say!("Take back an address of {path}")}>"Take back"</button>
            </ActionForm>
        </td>
    }
}
