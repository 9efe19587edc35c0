//! The page on which the owner of a conversation says who may read it, and takes it back.

use super::api::{EndShare, ShareConversation, shares_of};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::conversations::address;
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Field, FormAction, FormEnd, PageTitle, Section, Table, When,
    conversation_title, emptied_by, kept_each,
};
use leptos_router::hooks::use_params_map;
use protocol::ConversationId;
use protocol::view::{ConversationShare, ConversationShares, Me};

#[component]
pub fn ShareConversationPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| ConversationId(params.with(|params| params.get("id").unwrap_or_default())));
    let give = FormAction::<ShareConversation>::new();
    let end = FormAction::<EndShare>::new();
    let shown =
        PageResource::new(move || (id.get(), give.version().get(), end.version().get()), |(id, ..)| load(id));
    view! { <Loaded resource=shown view=move |(me, shares)| view! { <Sections me shares give end/> }/> }
}

async fn load(id: ConversationId) -> Result<(Me, ConversationShares), AppError> {
    Ok(together!(me(), shares_of(id)))
}

#[component]
fn Sections(
    me: Me,
    shares: ConversationShares,
    give: FormAction<ShareConversation>,
    end: FormAction<EndShare>,
) -> impl IntoView {
    let ConversationShares { conversation, agent_name, shares } = shares;
    let (heading, back) =
        (say!("Share “{title}”", title = conversation_title(&conversation.title)), address(&conversation));
    view! {
        <PageTitle text="Share a conversation".to_owned()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p class="actions"><a class="button" href=back>"Back to the conversation"</a></p>
                </header>
                <WhatIsSeen agent_name/>
                <Section id="share" title="Let somebody read it">
                    <ActionFailure value=give.value()/>
                    <ActionForm action=give node_ref=emptied_by(give) attr:class="form">
                        <input type="hidden" name="id" value=conversation.id.0/>
                        <Field id="reader" label="Name" hint="Of their account on this hub, exactly as they sign in with it.">
                            <input
                                class="input"
                                id="reader"
                                name="name"
                                required
                                maxlength="40"
                                autocomplete="off"
                                autocapitalize="none"
                                spellcheck="false"
                                aria-describedby="reader-hint"
                            />
                        </Field>
                        <FormEnd words="Share"/>
                    </ActionForm>
                </Section>
                <Readers shares end/>
            </div>
        </Shell>
    }
}

/// Said before anything is shared.
#[component]
fn WhatIsSeen(agent_name: String) -> impl IntoView {
    view! {
        <Section id="seen" title="What they see">
            <div class="prose"><ul>
                <li>
                    "All that was said in it up to now, and what will be said in it until you take it back: your messages, what "
                    {agent_name} " answered, and what programs, schedules and its page told it, marked as theirs."
                </li>
                <li>"The names of files that came with your messages, and not the pictures and files themselves."</li>
                <li>"Which tools were used, and not what for or what came of it."</li>
                <li>
                    "Nothing else: no page, instructions, files, state or cost of the agent, no other conversation, and no other branch of this one."
                </li>
                <li>"They read it, and cannot answer, search, branch or export it. What they have read they can copy."</li>
            </ul></div>
        </Section>
    }
}

#[component]
fn Readers(shares: Vec<ConversationShare>, end: FormAction<EndShare>) -> impl IntoView {
    let body = if shares.is_empty() {
        view! { <p class="empty" data-size="small"><span>"It is shared with nobody."</span></p> }.into_any()
    } else {
        let rows = kept_each(shares, move |share| view! { <Reader share end/> });
        view! { <Table columns=["Name", "Since", "Shown", ACTIONS] rows/> }.into_any()
    };
    view! {
        <Section
            id="readers"
            title="Who may read it"
            lead="When you take it back, they cannot open it any more. Deleting the conversation takes it back from all."
        >
            <ActionFailure value=end.value()/>
            {body}
        </Section>
    }
}

#[component]
fn Reader(share: ConversationShare, end: FormAction<EndShare>) -> impl IntoView {
    let ConversationShare { id, reader, shared_at } = share;
    let seen = format!("/shared/{id}");
    let (seen_label, label) = (say!("What they see: {reader}"), say!("Take it back from {reader}"));
    view! {
        <tr>
            <td>{reader}</td>
            <td data-label="Since"><When at=shared_at/></td>
            <td data-label="Shown"><a href=seen aria-label=seen_label>"What they see"</a></td>
            <td class="list-end">
                <ActionForm action=end>
                    <input type="hidden" name="id" value=id.0/>
                    <button type="submit" class="button" data-kind="danger" aria-label=label>"Take it back"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
