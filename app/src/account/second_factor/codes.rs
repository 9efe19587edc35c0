//! Recovery codes, the one time that they are shown.

use crate::prelude::*;
use crate::ui::{Copy, Section};
use protocol::view::RecoveryCodes;

#[component]
pub(super) fn Codes(codes: RecoveryCodes) -> impl IntoView {
    let RecoveryCodes { codes } = codes;
    let text = codes.join("\n");
    view! {
        <Section
            id="codes"
            title="Your recovery codes"
            lead="For when the phone is lost. Each one signs you in once, together with your password. Print this page or copy them, and keep them away from the phone."
        >
            <div class="secret" role="status">
                <p><strong>"Keep them now."</strong> " They are not shown again, and those before them are void."</p>
                <pre class="secret-value secret-codes"><code>{text.clone()}</code></pre>
                <div class="actions"><Copy what=t("the recovery codes") text/></div>
            </div>
        </Section>
    }
}
