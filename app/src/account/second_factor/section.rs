//! How it is, on the account page.

use crate::prelude::*;
use crate::ui::{Section, When};
use protocol::view::SecondFactor;

/// So few recovery codes that new ones are due.
const FEW_CODES: u32 = 3;

#[component]
pub(in crate::account) fn SecondFactorSection(factor: SecondFactor) -> impl IntoView {
    let SecondFactor { since, recovery_codes } = factor;
    let (state, link) = match since {
        Some(at) => (
            view! { "On since " <When at/> ". " {codes_left(recovery_codes)} }.into_any(),
            t("Change the second factor"),
        ),
        None => (
            view! { "Off. Who learns your password can sign in as you." }.into_any(),
            t("Set up a second factor"),
        ),
    };
    view! {
        <Section id="second-factor" title="Second factor" lead=state>
            <p class="actions"><a class="button" href="/account/second-factor">{link}</a></p>
        </Section>
    }
}

pub(super) fn codes_left(codes: u32) -> String {
    match codes {
        0 => t("No recovery code is left: make new ones.").to_owned(),
        few if few < FEW_CODES => plural!(
            few,
            "One recovery code is left: make new ones.",
            "{few} recovery codes are left: make new ones."
        ),
        enough => say!("{enough} recovery codes are left."),
    }
}
