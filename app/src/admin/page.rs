//! The admin page.

use super::api::people;
use super::invitations::InvitationsSection;
use super::people::PeopleSection;
use crate::AppError;
use crate::account::api::{Invite, SetSignUp, me, welcome};
use crate::account::{origin, take_one_time};
use crate::audit::AuditLines;
use crate::audit::api::all_audit;
use crate::chrome::Shell;
use crate::money::api::{Limit, all_usage, budget};
use crate::money::{HubLimits, Lines};
use crate::ui::{Done, Loaded};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::view::{AuditLine, Budget, Me, NewInvite, OneTime, PersonView, SignUpMode, UsageLine};
use serde::{Deserialize, Serialize};

/// Events that are shown here; the page of the audit has the rest.
const LATEST: usize = 5;

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Shown {
    me: Me,
    people: Vec<PersonView>,
    sign_up: SignUpMode,
    limits: Budget,
    usage: Vec<UsageLine>,
    latest: Vec<AuditLine>,
    /// Where invitation links lead.
    origin: String,
    /// What the form post before this page made.
    new_invite: Option<NewInvite>,
}

/// The forms that change what the page shows.
#[derive(Clone, Copy)]
struct Forms {
    invite: ServerAction<Invite>,
    set_sign_up: ServerAction<SetSignUp>,
    limit: ServerAction<Limit>,
}

#[component]
pub fn AdminPage() -> impl IntoView {
    let forms =
        Forms { invite: ServerAction::new(), set_sign_up: ServerAction::new(), limit: ServerAction::new() };
    let answered = move || [forms.set_sign_up.version().get(), forms.limit.version().get()];
    let shown = Resource::new_blocking(answered, |_| load());
    view! {
        <Title text="Admin"/>
        <Loaded resource=shown view=move |shown| view! { <Sections shown forms/> }/>
    }
}

#[component]
fn Sections(shown: Shown, forms: Forms) -> impl IntoView {
    let Shown { me, people, sign_up, limits, usage, latest, origin, new_invite } = shown;
    let usage = if usage.is_empty() {
        view! { <p class="empty" data-size="small">"Nothing was used in the last thirty days."</p> }
            .into_any()
    } else {
        view! { <Lines what="Person" nameless="Nobody" lines=usage/> }.into_any()
    };
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Admin"</h1>
                <Done what="removed" words="The account is removed."/>
                <PeopleSection people/>
                <InvitationsSection sign_up origin new_invite invite=forms.invite set_sign_up=forms.set_sign_up/>
                <HubLimits budget=limits limit=forms.limit/>
                <section class="section" aria-labelledby="usage">
                    <div class="section-head">
                        <h2 id="usage">"Usage by person"</h2>
                        <p>"The last thirty days. By day and by model it is under " <a href="/usage">"Usage"</a> "."</p>
                    </div>
                    {usage}
                </section>
                <section class="section" aria-labelledby="latest">
                    <div class="section-head">
                        <h2 id="latest">"Audit"</h2>
                        <p>"What happened last with accounts, keys and limits."</p>
                    </div>
                    <AuditLines lines=latest/>
                    <p class="actions"><a class="button" href="/admin/audit">"Search the audit"</a></p>
                </section>
            </div>
        </Shell>
    }
}

async fn load() -> Result<Shown, AppError> {
    let me = me().await?;
    let mut latest = all_audit(String::new(), String::new(), None, None).await?.lines;
    latest.truncate(LATEST);
    let new_invite = match take_one_time() {
        Some(OneTime::Invite(invite)) => Some(invite),
        Some(OneTime::Token(_) | OneTime::Reset(_) | OneTime::RecoveryCodes(_)) | None => None,
    };
    let whole = None;
    Ok(Shown {
        me,
        people: people().await?,
        sign_up: welcome().await?.sign_up,
        limits: budget(String::new()).await?,
        usage: all_usage(whole).await?.agents,
        latest,
        origin: origin(),
        new_invite,
    })
}
