//! Where else a person hears: addresses for mail, webhooks, topics of ntfy and rooms of Matrix.

use super::api::{AddChannel, ConfirmChannel, RemoveChannel, TryChannel};
use super::devices::TryForm;
use crate::account::ShownOnce;
use crate::prelude::*;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Choice, Field, FormAction, FormEnd, Section, Table, WhoCan,
    emptied_by, kept_each,
};
use protocol::ChannelId;
use protocol::view::{ChannelKind, ChannelView, NewChannel};

#[component]
pub(super) fn ChannelsSection(
    channels: Vec<ChannelView>,
    may_add: bool,
    /// The hub can send some.
    mail: bool,
    new_channel: Option<NewChannel>,
    add: FormAction<AddChannel>,
    confirm: FormAction<ConfirmChannel>,
    remove: FormAction<RemoveChannel>,
    try_out: FormAction<TryChannel>,
) -> impl IntoView {
    let shown = move || add.value().get().and_then(Result::ok).or_else(|| new_channel.clone());
    let secret = move || {
        shown().and_then(|new| {
            let words = say!("With this secret the hub signs what it sends to {}.", new.view.place);
            new.secret.map(|value| view! { <ShownOnce words what={t("the secret")} value/> })
        })
    };
    let list = (!channels.is_empty()).then(|| {
        let rows = kept_each(channels, move |channel| view! { <Row channel confirm remove try_out/> });
        view! { <Table columns=["Where", "Kind", ACTIONS] rows/> }
    });
    let form = match may_add {
        true => view! { <ChannelForm mail add/> }.into_any(),
        false => view! { <WhoCan words="Members and administrators can hear elsewhere too."/> }.into_any(),
    };
    view! {
        <Section
            id="channels"
            title="Elsewhere"
            lead="Titles and first lines go there as they are, so choose who may read them. What does not arrive is sent again for half an hour."
        >
            <ActionFailure value=add.value()/>
            <ActionFailure value=confirm.value()/>
            <ActionFailure value=remove.value()/>
            {secret}
            {list}
            {form}
        </Section>
    }
}

#[component]
fn ChannelForm(mail: bool, add: FormAction<AddChannel>) -> impl IntoView {
    let placeholder = if mail { "ada@example.org" } else { "https://ntfy.sh/my-topic" };
    let mail = mail.then(|| {
        view! { <Choice name="kind" value="mail" checked=true words="Mail" hint="An address of yours, like ada@example.org. A code goes there first."/> }
    });
    view! {
        <ActionForm action=add node_ref=emptied_by(add) attr:class="form" attr:autocomplete="off">
            <fieldset class="choices">
                <legend class="field-label">"Kind"</legend>
                <Choice name="kind" value="ntfy" checked=mail.is_none() words={"ntfy"} hint="A topic that the ntfy app follows, like https://ntfy.sh/my-topic. Whoever knows its name can read it."/>
                {mail}
                <Choice name="kind" value="matrix" checked=false words={"Matrix"} hint="A room, by the address of your server, like https://matrix.example.org. Whoever is in the room reads it there."/>
                <Choice name="kind" value="webhook" checked=false words="Webhook" hint="A program of yours that takes signed JSON."/>
            </fieldset>
            <Field id="channel-address" label="Address">
                <input
                    class="input input-code"
                    id="channel-address"
                    name="address"
                    required
                    maxlength="2048"
                    placeholder=placeholder
                    autocapitalize="none"
                    spellcheck="false"
                />
            </Field>
            <Field id="channel-room" label="Room, of Matrix" hint="Its id, from the advanced settings of the room.">
                <input
                    class="input input-code"
                    id="channel-room"
                    name="room"
                    maxlength="255"
                    placeholder={"!abcdef:example.org"}
                    autocapitalize="none"
                    spellcheck="false"
                    aria-describedby="channel-room-hint"
                />
            </Field>
            <Field id="channel-token" label="Token, of Matrix, or of ntfy if it wants one" hint="Kept encrypted, sent there only, never shown again.">
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
            <FormEnd words="Add this place"/>
        </ActionForm>
    }
}

#[component]
fn Row(
    channel: ChannelView,
    confirm: FormAction<ConfirmChannel>,
    remove: FormAction<RemoveChannel>,
    try_out: FormAction<TryChannel>,
) -> impl IntoView {
    let ChannelView { id, kind, place, unconfirmed } = channel;
    let label = say!("Remove {place}");
    let tried = (!unconfirmed).then(|| view! { <TryForm target=id.0.clone() name=place.clone() try_out/> });
    let kind = match kind {
        ChannelKind::Webhook => t("Webhook"),
        ChannelKind::Ntfy => "ntfy",
        ChannelKind::Push => t("Push"),
        ChannelKind::Mail => t("Mail"),
        ChannelKind::Matrix => "Matrix",
    };
    let code = unconfirmed.then(|| view! { <CodeForm id=id.clone() confirm/> });
    view! {
        <tr>
            <td>{place} {code}</td>
            <td data-label="Kind">{kind}</td>
            <td class="list-end">
                <div class="actions">
                    {tried}
                    <ActionForm action=remove>
                        <input type="hidden" name="id" value=id.0/>
                        <button type="submit" class="button" data-kind="quiet" aria-label=label>"Remove"</button>
                    </ActionForm>
                </div>
            </td>
        </tr>
    }
}

/// For an address that nothing goes to yet.
#[component]
fn CodeForm(id: ChannelId, confirm: FormAction<ConfirmChannel>) -> impl IntoView {
    let (field, label) = (format!("code-{id}"), t("Code from the mail"));
    view! {
        <ActionForm action=confirm attr:class="channel-code">
            <input type="hidden" name="id" value=id.0/>
            <label class="field-label" for=field.clone()>{label}</label>
            <input
                class="input input-code"
                id=field
                name="code"
                required
                maxlength="20"
                placeholder={"ABCD-1234"}
                autocomplete="one-time-code"
                autocapitalize="characters"
                spellcheck="false"
            />
            <button type="submit" class="button">"Confirm"</button>
        </ActionForm>
    }
}
