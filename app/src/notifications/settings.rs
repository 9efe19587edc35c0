//! The page that says of what a person wants to hear, and when.

use super::api::{
    AddChannel, ConfirmChannel, MuteAgent, RemoveChannel, SetNotifications, TryChannel, muted_agents,
    notification_reach, notification_settings,
};
use super::channels::ChannelsSection;
use super::devices::DevicesSection;
use super::quiet::QuietFields;
use super::words::kind_words;
use crate::AppError;
use crate::account::take_one_time;
use crate::agents::api::list_agents;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Done, FormAction, FormEnd, Section, Table, kept, kept_each,
};
use leptos_meta::Title;
use protocol::AgentId;
use protocol::view::{AgentCard, Me, NewChannel, NotificationKind, NotificationSettings, OneTime, ReachView};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    settings: NotificationSettings,
    agents: Vec<AgentCard>,
    muted: Vec<AgentId>,
    reach: ReachView,
    /// What the form post before this page made.
    new_channel: Option<NewChannel>,
}

/// The forms that change what the page shows.
#[derive(Clone, Copy)]
struct Forms {
    set: FormAction<SetNotifications>,
    mute: FormAction<MuteAgent>,
    add: FormAction<AddChannel>,
    confirm: FormAction<ConfirmChannel>,
    remove: FormAction<RemoveChannel>,
    try_out: FormAction<TryChannel>,
}

#[component]
pub fn NotificationSettingsPage() -> impl IntoView {
    let forms = Forms {
        set: FormAction::new(),
        mute: FormAction::new(),
        add: FormAction::new(),
        confirm: FormAction::new(),
        remove: FormAction::new(),
        try_out: FormAction::new(),
    };
    let done = move || {
        let Forms { set, mute, add, confirm, remove, try_out } = forms;
        let channels = (add.version().get(), confirm.version().get(), remove.version().get());
        // A device that is found to be gone is one no more.
        (set.version().get(), mute.version().get(), try_out.version().get(), channels)
    };
    let known = PageResource::new(done, |_| load());
    view! {
        <Title text="What you hear of"/>
        <Loaded resource=known view=move |known| view! { <Sections known forms/> }/>
    }
}

#[component]
fn Sections(known: PageData, forms: Forms) -> impl IntoView {
    let PageData { me, settings, agents, muted, reach, new_channel } = known;
    let Forms { set, mute, add, confirm, remove, try_out } = forms;
    let ReachView { devices, channels, push_key, mail } = reach;
    let has_failed = move || try_out.value().with(|value| matches!(value, Some(Err(_))));
    let may_add = brings_own(&me);
    let agents = agents
        .into_iter()
        .map(|AgentCard { id, name, .. }| {
            let is_muted = muted.contains(&id);
            (id, name, is_muted)
        })
        .collect::<Vec<_>>();
    let of_agents = (!agents.is_empty()).then(|| view! { <Agents agents mute/> });
    view! {
        <Shell me>
            <div class="settings">
                <h1>"What you hear of"</h1>
                <p><a href="/notifications">"All notifications"</a></p>
                <ActionFailure value=try_out.value()/>
                <Show when=move || !has_failed()>
                    <Done what="tried" words="The test was sent. If it does not show up, look whether the device or the server lets it through."/>
                </Show>
                <Section id="kinds" title="What and when" lead="While you look at an agent you are told nothing of it: you see it.">
                    <Done what="set" words="That is how you hear from now on."/>
                    <ActionFailure value=set.value()/>
                    {kept(settings, move |settings| view! { <Form settings set/> })}
                </Section>
                <DevicesSection devices push_key try_out/>
                <ChannelsSection channels may_add mail new_channel add confirm remove try_out/>
                {of_agents}
            </div>
        </Shell>
    }
}

#[component]
fn Form(settings: NotificationSettings, set: FormAction<SetNotifications>) -> impl IntoView {
    let NotificationSettings { kinds, quiet } = settings;
    let choices = NotificationKind::ALL.map(|kind| {
        let checked = kinds.contains(&kind);
        view! {
            <label class="choice">
                <input type="checkbox" name="kinds[]" value=kind.name() checked=checked/>
                <span>{kind_words(kind)}</span>
            </label>
        }
    });
    view! {
        <ActionForm action=set attr:class="form">
            <fieldset class="choices">
                <legend class="field-label">"Tell me when"</legend>
                {choices.into_iter().collect_view()}
            </fieldset>
            <QuietFields quiet/>
            <FormEnd words="Save"/>
        </ActionForm>
    }
}

#[component]
fn Agents(agents: Vec<(AgentId, String, bool)>, mute: FormAction<MuteAgent>) -> impl IntoView {
    let rows = kept_each(agents, move |(id, name, is_muted)| view! { <AgentRow id name is_muted mute/> });
    view! {
        <Section id="agents" title="Agents" lead="Of an agent that is muted you hear nothing, whatever it waits for.">
            <ActionFailure value=mute.value()/>
            <Table columns=["Agent", "You hear of it", ACTIONS] rows/>
        </Section>
    }
}

#[component]
fn AgentRow(id: AgentId, name: String, is_muted: bool, mute: FormAction<MuteAgent>) -> impl IntoView {
    let words = t(if is_muted { "Unmute" } else { "Mute" });
    let label = if is_muted { say!("Unmute {name}") } else { say!("Mute {name}") };
    view! {
        <tr>
            <td>{name}</td>
            <td data-label="You hear of it">{t(if is_muted { "No" } else { "Yes" })}</td>
            <td class="list-end">
                <ActionForm action=mute>
                    <input type="hidden" name="agent" value=id.0/>
                    <input type="hidden" name="muted" value=(!is_muted).to_string()/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>{words}</button>
                </ActionForm>
            </td>
        </tr>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, settings, agents, muted, reach) =
        together!(me(), notification_settings(), list_agents(), muted_agents(), notification_reach());
    // Taken last: what fails before it leaves it for the next try.
    let new_channel = match take_one_time() {
        Some(OneTime::Channel(channel)) => Some(channel),
        Some(
            OneTime::Token(_)
            | OneTime::Invite(_)
            | OneTime::Reset(_)
            | OneTime::RecoveryCodes(_)
            | OneTime::WebhookSecret(_),
        )
        | None => None,
    };
    Ok(PageData { me, settings, agents, muted, reach, new_channel })
}
