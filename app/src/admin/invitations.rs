//! Who else may come in.

use crate::account::ShownOnce;
use crate::account::api::{Invite, SetSignUp};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Choice, FormAction, Section};
use protocol::view::{NewInvite, SignUpMode};

#[component]
pub(super) fn InvitationsSection(
    sign_up: SignUpMode,
    origin: String,
    new_invite: Option<NewInvite>,
    invite: FormAction<Invite>,
    set_sign_up: FormAction<SetSignUp>,
) -> impl IntoView {
    let shown = move || invite.value().get().and_then(Result::ok).or_else(|| new_invite.clone());
    view! {
        <Section id="invitations" title="Invitations" lead="An invitation link makes one account, within seven days.">
            <ActionFailure value=invite.value()/>
            <ActionFailure value=set_sign_up.value()/>
            {move || shown().map(|new| view! {
                <ShownOnce words="Send this link to one person.".to_owned() what=t("the invitation link") value=format!("{origin}{}", new.path)/>
            })}
            <ActionForm action=invite attr:class="actions">
                <button type="submit" class="button" data-kind="primary">"Create invitation link"</button>
            </ActionForm>
            <ActionForm action=set_sign_up attr:class="form">
                <fieldset class="choices">
                    <legend class="field-label">"Who may make an account"</legend>
                    <Mode mode=SignUpMode::Invite value="invite" words="Who has an invitation link" sign_up/>
                    <Mode mode=SignUpMode::Open value="open" words="Everybody who can reach this hub" sign_up/>
                    <Mode mode=SignUpMode::Closed value="closed" words="Nobody, not even with an invitation" sign_up/>
                </fieldset>
                <div class="form-end"><button type="submit" class="button">"Save"</button></div>
            </ActionForm>
        </Section>
    }
}

/// One way to sign up; `value` is the mode's name on the wire.
#[component]
fn Mode(mode: SignUpMode, value: &'static str, words: &'static str, sign_up: SignUpMode) -> impl IntoView {
    view! {
        <Choice name="mode" value words checked=mode == sign_up/>
    }
}
