//! The page of the second factor: turning it on, its recovery codes, turning it off.

pub mod api;
mod codes;
mod on;
mod section;
mod setup;

pub(super) use section::SecondFactorSection;

use super::take_one_time;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{Done, FormAction};
use api::{
    ConfirmSecondFactor, RenewRecoveryCodes, StartSecondFactor, StopSecondFactor, second_factor,
    started_second_factor,
};
use codes::Codes;
use leptos_meta::Title;
use on::On;
use protocol::view::{Me, NewSecondFactor, OneTime, RecoveryCodes, SecondFactor};
use serde::{Deserialize, Serialize};
use setup::{Ask, SetUp};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    factor: SecondFactor,
    started: Option<NewSecondFactor>,
    /// What the form post before this page made.
    codes: Option<RecoveryCodes>,
}

#[derive(Clone, Copy)]
struct Forms {
    start: FormAction<StartSecondFactor>,
    confirm: FormAction<ConfirmSecondFactor>,
    renew: FormAction<RenewRecoveryCodes>,
    stop: FormAction<StopSecondFactor>,
}

impl Forms {
    fn new() -> Self {
        Self {
            start: FormAction::new(),
            confirm: FormAction::new(),
            renew: FormAction::new(),
            stop: FormAction::new(),
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
    let shown = PageResource::new(move || forms.answered(), |_| load());
    view! {
        <Title text="Second factor"/>
        <Loaded resource=shown view=move |shown| view! { <Sections shown forms/> }/>
    }
}

#[component]
fn Sections(shown: PageData, forms: Forms) -> impl IntoView {
    let PageData { me, factor, started, codes } = shown;
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
                        "With it, signing in needs your password and a code that changes every half minute, which an app on your phone shows. Who learns your password cannot come in without the phone."
                    </p>
                </div>
                <Done what="off" words="The second factor is off. The entry in your app is void."/>
                {body}
                <p class="actions"><a class="button" href="/account">"Back to the account"</a></p>
            </div>
        </Shell>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, factor, started) = together!(me(), second_factor(), started_second_factor());
    // Taken last: what fails before it leaves it for the next try.
    let codes = match take_one_time() {
        Some(OneTime::RecoveryCodes(codes)) => Some(codes),
        Some(
            OneTime::Token(_)
            | OneTime::Invite(_)
            | OneTime::Reset(_)
            | OneTime::Channel(_)
            | OneTime::WebhookSecret(_),
        )
        | None => None,
    };
    Ok(PageData { me, factor, started, codes })
}
