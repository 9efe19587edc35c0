//! The account page: devices, password, tokens, and what happened with the account.

use super::api::{CreateToken, LimitToken, RevokeDevice, RevokeToken, SignOut, devices, me, tokens};
use super::devices::DevicesSection;
use super::passkeys::PasskeysSection;
use super::passkeys::api::{RemovePasskey, passkey_place, passkeys};
use super::password::PasswordSection;
use super::programs::ProgramsSection;
use super::second_factor::SecondFactorSection;
use super::second_factor::api::second_factor;
use super::take_one_time;
use super::tokens::TokensSection;
use crate::AppError;
use crate::audit::AuditLines;
use crate::audit::api::own_audit;
use crate::chrome::Shell;
use crate::ui::{Icon, Loaded};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use protocol::view::{
    AuditLine, DeviceView, Me, NewToken, OneTime, PasskeyPlace, PasskeyView, Right, SecondFactor, TokenView,
};
use serde::{Deserialize, Serialize};

/// Events that are shown here; the page of the audit has the rest.
const LATEST: usize = 5;

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Account {
    me: Me,
    devices: Vec<DeviceView>,
    tokens: Vec<TokenView>,
    factor: SecondFactor,
    passkeys: Vec<PasskeyView>,
    place: PasskeyPlace,
    latest: Vec<AuditLine>,
    /// What the form post before this page made.
    new_token: Option<NewToken>,
}

/// The forms that change what the page lists.
#[derive(Clone, Copy)]
struct Forms {
    revoke_device: ServerAction<RevokeDevice>,
    create_token: ServerAction<CreateToken>,
    limit_token: ServerAction<LimitToken>,
    revoke_token: ServerAction<RevokeToken>,
    remove_passkey: ServerAction<RemovePasskey>,
}

impl Forms {
    fn new() -> Self {
        Self {
            revoke_device: ServerAction::new(),
            create_token: ServerAction::new(),
            limit_token: ServerAction::new(),
            revoke_token: ServerAction::new(),
            remove_passkey: ServerAction::new(),
        }
    }

    /// Changes when a form was answered that changes a list.
    fn answered(self) -> [usize; 5] {
        [
            self.revoke_device.version().get(),
            self.create_token.version().get(),
            self.limit_token.version().get(),
            self.revoke_token.version().get(),
            self.remove_passkey.version().get(),
        ]
    }
}

#[component]
pub fn AccountPage() -> impl IntoView {
    let forms = Forms::new();
    let account = Resource::new_blocking(move || forms.answered(), |_| load());
    view! {
        <Title text="Account"/>
        <Loaded resource=account view=move |account| view! { <Sections account forms/> }/>
    }
}

#[component]
fn Sections(account: Account, forms: Forms) -> impl IntoView {
    let Account { me, devices, tokens, factor, passkeys, place, latest, new_token } = account;
    let tokens = me.rights.contains(&Right::MakeTokens).then(|| {
        view! {
            <TokensSection
                tokens
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
                <h1>"Account of " {me.name.clone()}</h1>
                <DevicesSection devices revoke=forms.revoke_device/>
                <PasswordSection name=me.name.clone()/>
                <SecondFactorSection factor/>
                <PasskeysSection passkeys place name=me.name.clone() remove=forms.remove_passkey/>
                {tokens}
                <section class="section" aria-labelledby="latest">
                    <div class="section-head">
                        <h2 id="latest">"Audit"</h2>
                        <p>"What happened last with your account, and from where."</p>
                    </div>
                    <AuditLines lines=latest/>
                    <p class="actions"><a class="button" href="/account/audit">"Search the audit"</a></p>
                </section>
                <section class="section" aria-labelledby="move">
                    <div class="section-head">
                        <h2 id="move">"Settings on other devices and hubs"</h2>
                        <p>"Providers, prices, limits and rules move sealed, in a link or a file."</p>
                    </div>
                    <p class="actions"><a class="button" href="/account/transfer">"Move settings"</a></p>
                </section>
                <section class="section" aria-labelledby="leave">
                    <div class="section-head">
                        <h2 id="leave">"Sign out"</h2>
                        <p>"Ends the session on this device. Your agents stay."</p>
                    </div>
                    <form class="actions" method="post" action=SignOut::url()>
                        <button type="submit" class="button"><Icon name="sign-out" small=true/>"Sign out"</button>
                    </form>
                </section>
            </div>
        </Shell>
    }
}

async fn load() -> Result<Account, AppError> {
    let mut latest = own_audit(String::new(), None, None).await?.lines;
    latest.truncate(LATEST);
    let new_token = match take_one_time() {
        Some(OneTime::Token(token)) => Some(token),
        Some(OneTime::Invite(_) | OneTime::Reset(_) | OneTime::RecoveryCodes(_)) | None => None,
    };
    let (me, devices, tokens) = (me().await?, devices().await?, tokens().await?);
    let (factor, passkeys, place) = (second_factor().await?, passkeys().await?, passkey_place().await?);
    Ok(Account { me, devices, tokens, factor, passkeys, place, latest, new_token })
}
