//! Recovery codes, the one time that they are shown.

use leptos::prelude::*;
use protocol::view::RecoveryCodes;

#[component]
pub(super) fn Codes(codes: RecoveryCodes) -> impl IntoView {
    let RecoveryCodes { codes } = codes;
    view! {
        <section class="section" aria-labelledby="codes">
            <div class="section-head">
                <h2 id="codes">"Your recovery codes"</h2>
                <p>
                    "For when the phone is lost. Each one signs you in once, together with your password. Print "
                    "this page or copy them, and keep them away from the phone."
                </p>
            </div>
            <div class="secret" role="status">
                <p><strong>"Keep them now."</strong> " They are not shown again, and those before them are void."</p>
                <pre class="secret-value secret-codes"><code>{codes.join("\n")}</code></pre>
            </div>
        </section>
    }
}
