//! The account page: devices, password, tokens and, for administrators, who else may come in.

use super::api::{
    CreateToken, Invite, RevokeDevice, RevokeToken, SetSignUp, SignOut, devices, me, tokens, welcome,
};
use super::devices::DevicesSection;
use super::password::PasswordSection;
use super::people::PeopleSection;
use super::tokens::TokensSection;
use crate::AppError;
use crate::chrome::Shell;
use crate::money::api::{Limit, budget, people_budgets};
use crate::money::{Limited, LimitsSection};
use crate::ui::{Icon, Loaded};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use protocol::view::{DeviceView, Me, OneTime, Role, SignUpMode, TokenView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Account {
    me: Me,
    devices: Vec<DeviceView>,
    tokens: Vec<TokenView>,
    sign_up: SignUpMode,
    /// `None` for those who are no administrators.
    limited: Option<Limited>,
    /// Where invitation links lead.
    origin: String,
    /// What the form post before this page made.
    one_time: Option<OneTime>,
}

/// The forms that change what the page lists.
#[derive(Clone, Copy)]
struct Forms {
    revoke_device: ServerAction<RevokeDevice>,
    create_token: ServerAction<CreateToken>,
    revoke_token: ServerAction<RevokeToken>,
    invite: ServerAction<Invite>,
    set_sign_up: ServerAction<SetSignUp>,
    limit: ServerAction<Limit>,
}

impl Forms {
    fn new() -> Self {
        Self {
            revoke_device: ServerAction::new(),
            create_token: ServerAction::new(),
            revoke_token: ServerAction::new(),
            invite: ServerAction::new(),
            set_sign_up: ServerAction::new(),
            limit: ServerAction::new(),
        }
    }

    /// Changes when a form was answered that changes a list.
    fn answered(self) -> [usize; 5] {
        [
            self.revoke_device.version().get(),
            self.create_token.version().get(),
            self.revoke_token.version().get(),
            self.set_sign_up.version().get(),
            self.limit.version().get(),
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
    let Account { me, devices, tokens, sign_up, limited, origin, one_time } = account;
    let (new_token, new_invite) = match one_time {
        Some(OneTime::Token(token)) => (Some(token), None),
        Some(OneTime::Invite(invite)) => (None, Some(invite)),
        None => (None, None),
    };
    let people = (me.role == Role::Admin).then(|| {
        view! { <PeopleSection sign_up origin new_invite invite=forms.invite set_sign_up=forms.set_sign_up/> }
    });
    view! {
        <Shell me=me.clone()>
            <div class="settings">
                <h1>"Account of " {me.name.clone()}</h1>
                <DevicesSection devices revoke=forms.revoke_device/>
                <PasswordSection name=me.name.clone()/>
                <TokensSection tokens new_token create=forms.create_token revoke=forms.revoke_token/>
                {people}
                {limited.map(|limited| view! { <LimitsSection limited limit=forms.limit/> })}
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
    let me = me().await?;
    let limited = match me.role {
        Role::Admin => {
            Some(Limited { server: budget(String::new()).await?, people: people_budgets().await? })
        }
        Role::Member => None,
    };
    Ok(Account {
        me,
        devices: devices().await?,
        tokens: tokens().await?,
        sign_up: welcome().await?.sign_up,
        limited,
        origin: origin(),
        one_time: take_one_time(),
    })
}

#[cfg(feature = "ssr")]
fn origin() -> String {
    crate::context::facts().origin
}

#[cfg(not(feature = "ssr"))]
fn origin() -> String {
    window().location().origin().unwrap_or_default()
}

#[cfg(feature = "ssr")]
fn take_one_time() -> Option<OneTime> {
    let viewer = crate::context::viewer().ok()?;
    crate::context::hub().for_viewer(&viewer).take_shown_once()
}

/// With script, the form's own answer shows it.
#[cfg(not(feature = "ssr"))]
fn take_one_time() -> Option<OneTime> {
    None
}
