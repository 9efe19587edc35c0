//! Where else a person hears: webhooks and topics of ntfy.

use super::api::{AddChannel, RemoveChannel};
use crate::account::ShownOnce;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Choice, Field, FormAction, FormEnd, Section, Table, emptied_by,
    kept_each,
};
use leptos::prelude::*;
use protocol::view::{ChannelKind, ChannelView, NewChannel};

#[component]
pub(super) fn ChannelsSection(
    channels: Vec<ChannelView>,
    new_channel: Option<NewChannel>,
    add: FormAction<AddChannel>,
    remove: FormAction<RemoveChannel>,
) -> impl IntoView {
    let shown = move || add.value().get().and_then(Result::ok).or_else(|| new_channel.clone());
    let secret = move || {
        shown().and_then(|new| {
            let words = format!("With this secret the hub signs what it sends to {}.", new.view.place);
            new.secret.map(|value| view! { <ShownOnce words what="the secret" value/> })
        })
    };
    let list = (!channels.is_empty()).then(|| {
        let rows = kept_each(channels, move |channel| view! { <Row channel remove/> });
        view! { <Table columns=["Where", "Kind", ACTIONS] rows/> }
    });
    view! {
        <Section
            id="channels"
            title="Elsewhere"
            lead="Titles and first lines go there as they are, so choose who may read them. What does not arrive is sent again for half an hour."
        >
            <ActionFailure value=add.value()/>
            <ActionFailure value=remove.value()/>
            {secret}
            {list}
            <ChannelForm add/>
        </Section>
    }
}

#[component]
fn ChannelForm(add: FormAction<AddChannel>) -> impl IntoView {
    view! {
        <ActionForm action=add node_ref=emptied_by(add) attr:class="form" attr:autocomplete="off">
            <fieldset class="choices">
                <legend class="field-label">"Kind"</legend>
                <Choice name="kind" value="ntfy" checked=true words="ntfy" hint="A topic that the ntfy app follows. Whoever knows its name can read it."/>
                <Choice name="kind" value="webhook" checked=false words="Webhook" hint="A program of yours that takes signed JSON."/>
            </fieldset>
            <Field id="channel-address" label="Address">
                <input
                    class="input input-code"
                    id="channel-address"
                    name="address"
                    type="url"
                    required
                    maxlength="2048"
                    placeholder="https://ntfy.sh/my-topic"
                    autocapitalize="none"
                    spellcheck="false"
                />
            </Field>
            <Field id="channel-token" label="Token of ntfy, if it wants one" hint="Kept encrypted, sent there only, never shown again.">
                <input
                    class="input input-code"
                    id="channel-token"
                    name="token"
                    type="password"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="channel-token-hint"
                />
            </Field>
            <FormEnd words="Add"/>
        </ActionForm>
    }
}

#[component]
fn Row(channel: ChannelView, remove: FormAction<RemoveChannel>) -> impl IntoView {
    let ChannelView { id, kind, place } = channel;
    let label = format!("Remove {place}");
    let kind = match kind {
        ChannelKind::Webhook => "Webhook",
        ChannelKind::Ntfy => "ntfy",
        ChannelKind::Push => "Push",
    };
    view! {
        <tr>
            <td>{place}</td>
            <td data-label="Kind">{kind}</td>
            <td class="list-end">
                <ActionForm action=remove>
                    <input type="hidden" name="id" value=id.0/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Remove"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
