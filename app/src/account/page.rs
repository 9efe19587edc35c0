//! The account page: devices, password, tokens, and what happened with the account.

use super::api::{
    CreateToken, KeepConversations, LimitToken, PackConversations, RevokeDevice, RevokeToken, SetSideCalls,
    conversations_kept, devices, own_space, packed_conversations, side_calls, tokens,
};
use super::devices::DevicesSection;
use super::erase::EraseSection;
use super::opened::agents_to_open;
use super::packing::PackingSection;
use super::passkeys::PasskeysSection;
use super::passkeys::api::{RemovePasskey, passkey_place, passkeys};
use super::password::PasswordSection;
use super::programs::ProgramsSection;
use super::retention::RetentionSection;
use super::second_factor::SecondFactorSection;
use super::second_factor::api::second_factor;
use super::side_calls::SideCallsSection;
use super::space::SpaceSection;
use super::take_one_time;
use super::tokens::TokensSection;
use crate::AppError;
use crate::appearance::AppearanceSection;
use crate::appearance::api::appearance;
use crate::audit::AuditLines;
use crate::audit::api::own_audit;
use crate::browser::storage::forget_own;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{SignOut, me};
use crate::together::together;
use crate::ui::{FormAction, Icon, OnThisPage, Part, Section, kept};
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use protocol::view::{
    Appearance, AuditLine, DeviceView, Me, NamedAgent, NewToken, OneTime, PackedConversations, PasskeyPlace,
    PasskeyView, Right, SecondFactor, SideCallSettings, Space, TokenView,
};
use serde::{Deserialize, Serialize};

/// Events that are shown here; the page of the audit has the rest.
const LATEST: usize = 5;

const PARTS: [Part; 17] = [
    ("appearance", key!("Appearance")),
    ("devices", key!("Devices")),
    ("password", key!("Password")),
    ("second-factor", key!("Second factor")),
    ("passkeys", key!("Passkeys")),
    ("tokens", key!("API tokens")),
    ("programs", key!("Use it from other programs")),
    ("side-calls", key!("In the background")),
    ("space", key!("Space")),
    ("old-conversations", key!("Old conversations")),
    ("packing", key!("Packed conversations")),
    ("latest", key!("Audit")),
    ("move", key!("Settings on other devices and hubs")),
    ("import", key!("Conversations from elsewhere")),
    ("export", key!("Everything of yours")),
    ("leave", key!("Sign out")),
    ("erase", key!("Delete the account")),
];
/// Those of whoever may have tokens.
const OF_TOKENS: [&str; 2] = ["tokens", "programs"];

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Account {
    me: Me,
    appearance: Appearance,
    devices: Vec<DeviceView>,
    tokens: Vec<TokenView>,
    /// Those that a token may open.
    agents: Vec<NamedAgent>,
    factor: SecondFactor,
    passkeys: Vec<PasskeyView>,
    place: PasskeyPlace,
    space: Space,
    side_calls: SideCallSettings,
    conversations_kept: Option<u32>,
    packed: PackedConversations,
    latest: Vec<AuditLine>,
    /// What the form post before this page made.
    new_token: Option<NewToken>,
}

/// The forms that change what the page lists.
#[derive(Clone, Copy)]
struct Forms {
    revoke_device: FormAction<RevokeDevice>,
    create_token: FormAction<CreateToken>,
    limit_token: FormAction<LimitToken>,
    revoke_token: FormAction<RevokeToken>,
    remove_passkey: FormAction<RemovePasskey>,
    set_side_calls: FormAction<SetSideCalls>,
    keep_conversations: FormAction<KeepConversations>,
    pack_conversations: FormAction<PackConversations>,
}

impl Forms {
    fn new() -> Self {
        Self {
            revoke_device: FormAction::new(),
            create_token: FormAction::new(),
            limit_token: FormAction::new(),
            revoke_token: FormAction::new(),
            remove_passkey: FormAction::new(),
            set_side_calls: FormAction::new(),
            keep_conversations: FormAction::new(),
            pack_conversations: FormAction::new(),
        }
    }

    /// Changes when a form was answered that changes a list.
    fn answered(self) -> [usize; 8] {
        [
            self.revoke_device.version().get(),
            self.create_token.version().get(),
            self.limit_token.version().get(),
            self.revoke_token.version().get(),
            self.remove_passkey.version().get(),
            self.set_side_calls.version().get(),
            self.keep_conversations.version().get(),
            self.pack_conversations.version().get(),
        ]
    }
}

#[component]
pub fn AccountPage() -> impl IntoView {
    let forms = Forms::new();
    let account = PageResource::new(move || forms.answered(), |_| load());
    view! {
        <Title text="Account"/>
        <Loaded resource=account view=move |account| view! { <Sections account forms/> }/>
    }
}

#[component]
fn Sections(account: Account, forms: Forms) -> impl IntoView {
    let Account {
        me,
        appearance,
        devices,
        tokens,
        agents,
        factor,
        passkeys,
        place,
        space,
        side_calls,
        conversations_kept,
        packed,
        latest,
        new_token,
    } = account;
    let has_tokens = me.rights.contains(&Right::MakeTokens);
    let parts = PARTS.into_iter().filter(|(id, _)| has_tokens || !OF_TOKENS.contains(id)).collect::<Vec<_>>();
    let tokens = has_tokens.then(|| {
        view! {
            <TokensSection
                tokens
                agents
                new_token
                create=forms.create_token
                limit=forms.limit_token
                revoke=forms.revoke_token
            />
            <ProgramsSection/>
        }
    });
    view! {
        <Shell me=me.clone()>
            <div class="settings">
                <h1>{say!("Account of {name}", name = me.name)}</h1>
                <OnThisPage parts/>
                {kept(appearance, |appearance| view! { <AppearanceSection appearance/> })}
                <DevicesSection devices revoke=forms.revoke_device/>
                {kept(me.name.clone(), |name| view! { <PasswordSection name/> })}
                <SecondFactorSection factor/>
                <PasskeysSection passkeys place name=me.name.clone() remove=forms.remove_passkey/>
                {tokens}
                <SideCallsSection settings=side_calls set=forms.set_side_calls/>
                <SpaceSection space/>
                <RetentionSection days=conversations_kept keep=forms.keep_conversations/>
                <PackingSection packed pack=forms.pack_conversations/>
                <Section id="latest" title="Audit" lead="What happened last with your account, and from where.">
                    <AuditLines lines=latest/>
                    <p class="actions"><a class="button" href="/account/audit">"Search the audit"</a></p>
                </Section>
                <Section
                    id="move"
                    title="Settings on other devices and hubs"
                    lead="Providers, prices, limits and rules move sealed, in a link or a file."
                >
                    <p class="actions"><a class="button" href="/account/transfer">"Move settings"</a></p>
                </Section>
                <Section
                    id="import"
                    title="Conversations from elsewhere"
                    lead="What you said with ChatGPT, Claude, Open WebUI, LibreChat or another Vivarium, from the files that they export."
                >
                    <p class="actions"><a class="button" href="/import">"Import conversations"</a></p>
                </Section>
                <Section
                    id="export"
                    title="Everything of yours"
                    lead="One zip file: your agents with their files, all conversations, what you attached, memories, skills, pipelines and what was used. Keys and passwords are not in it."
                >
                    <p class="actions">
                        <a class="button" href="/account/export" download rel="external">
                            "Download everything"
                        </a>
                    </p>
                </Section>
                <Section id="leave" title="Sign out" lead="Ends the session on this device. Your agents stay.">
                    <form class="actions" method="post" action=SignOut::url() on:submit=|_| forget_own()>
                        <button type="submit" class="button"><Icon name="sign-out" small=true/>"Sign out"</button>
                    </form>
                </Section>
                {kept(me.name, |name| view! { <EraseSection name/> })}
            </div>
        </Shell>
    }
}

async fn load() -> Result<Account, AppError> {
    let person =
        async { Ok::<_, AppError>(together!(me(), appearance(), own_audit(String::new(), None, None))) };
    let doors = async { Ok::<_, AppError>(together!(devices(), tokens(), agents_to_open())) };
    let proofs = async { Ok::<_, AppError>(together!(second_factor(), passkeys(), passkey_place())) };
    let kept = async {
        let packing = packed_conversations();
        Ok::<_, AppError>(together!(own_space(), side_calls(), conversations_kept(), packing))
    };
    let (person, doors, proofs, kept) = together!(person, doors, proofs, kept);
    let (me, appearance, mut latest) = (person.0, person.1, person.2.lines);
    latest.truncate(LATEST);
    let (devices, tokens, agents) = doors;
    let (factor, passkeys, place) = proofs;
    let (space, side_calls, conversations_kept, packed) = kept;
    // Taken last: what fails before it leaves it for the next try.
    let new_token = match take_one_time() {
        Some(OneTime::Token(token)) => Some(token),
        Some(
            OneTime::Invite(_)
            | OneTime::Reset(_)
            | OneTime::RecoveryCodes(_)
            | OneTime::Channel(_)
            | OneTime::WebhookSecret(_),
        )
        | None => None,
    };
    Ok(Account {
        me,
        appearance,
        devices,
        tokens,
        agents,
        factor,
        passkeys,
        place,
        space,
        side_calls,
        conversations_kept,
        packed,
        latest,
        new_token,
    })
}
