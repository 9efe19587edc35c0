//! The page of the second factor: turning it on, its recovery codes, turning it off.

pub mod api;
mod codes;
mod on;
mod section;
mod setup;

pub(super) use section::SecondFactorSection;

use super::api::me;
use super::take_one_time;
use crate::AppError;
use crate::chrome::Shell;
use crate::ui::{Done, Loaded};
use api::{
    ConfirmSecondFactor, RenewRecoveryCodes, StartSecondFactor, StopSecondFactor, second_factor,
    started_second_factor,
};
use codes::Codes;
use leptos::prelude::*;
use leptos_meta::Title;
use on::On;
use protocol::view::{Me, NewSecondFactor, OneTime, RecoveryCodes, SecondFactor};
use serde::{Deserialize, Serialize};
use setup::{Ask, SetUp};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Shown {
    me: Me,
    factor: SecondFactor,
    started: Option<NewSecondFactor>,
    /// What the form post before this page made.
    codes: Option<RecoveryCodes>,
}

#[derive(Clone, Copy)]
struct Forms {
    start: ServerAction<StartSecondFactor>,
    confirm: ServerAction<ConfirmSecondFactor>,
    renew: ServerAction<RenewRecoveryCodes>,
    stop: ServerAction<StopSecondFactor>,
}

impl Forms {
    fn new() -> Self {
        Self {
            start: ServerAction::new(),
            confirm: ServerAction::new(),
            renew: ServerAction::new(),
            stop: ServerAction::new(),
        }
    }

    /// Changes when a form was answered that changes what is shown.
    fn answered(self) -> [usize; 4] {
        [
            self.start.version().get(),
            self.confirm.version().get(),
            self.renew.version().get(),
            self.stop.version().get(),
        ]
    }

    /// The newest codes that a form's own answer brought.
    fn codes(self) -> Option<RecoveryCodes> {
        let renewed = self.renew.value().get().and_then(Result::ok);
        renewed.or_else(|| self.confirm.value().get().and_then(Result::ok))
    }
}

#[component]
pub fn SecondFactorPage() -> impl IntoView {
    let forms = Forms::new();
    let shown = Resource::new_blocking(move || forms.answered(), |_| load());
    view! {
        <Title text="Second factor"/>
        <Loaded resource=shown view=move |shown| view! { <Sections shown forms/> }/>
    }
}

#[component]
fn Sections(shown: Shown, forms: Forms) -> impl IntoView {
    let Shown { me, factor, started, codes } = shown;
    let name = me.name.clone();
    let body = match (factor.since, started) {
        (Some(since), _) => {
            let codes = move || forms.codes().or_else(|| codes.clone());
            view! {
                {move || codes().map(|codes| view! { <Codes codes/> })}
                <On name since left=factor.recovery_codes renew=forms.renew stop=forms.stop/>
            }
            .into_any()
        }
        (None, Some(started)) => view! { <SetUp started confirm=forms.confirm/> }.into_any(),
        (None, None) => view! { <Ask name start=forms.start/> }.into_any(),
    };
    view! {
        <Shell me>
            <div class="settings">
                <div class="section-head">
                    <h1>"Second factor"</h1>
                    <p>
                        "With it, signing in needs your password and a code that changes every half minute, which "
                        "an app on your phone shows. Who learns your password cannot come in without the phone."
                    </p>
                </div>
                <Done what="off" words="The second factor is off. The entry in your app is void."/>
                {body}
                <p class="actions"><a class="button" href="/account">"Back to the account"</a></p>
            </div>
        </Shell>
    }
}

async fn load() -> Result<Shown, AppError> {
    let codes = match take_one_time() {
        Some(OneTime::RecoveryCodes(codes)) => Some(codes),
        Some(OneTime::Token(_) | OneTime::Invite(_) | OneTime::Reset(_)) | None => None,
    };
    let (me, factor, started) = (me().await?, second_factor().await?, started_second_factor().await?);
    Ok(Shown { me, factor, started, codes })
}
