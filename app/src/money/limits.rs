//! The five fields of limits, for whoever is limited.

use crate::amount;
use crate::prelude::*;
use protocol::Caps;
use protocol::Micros;

/// To stand in a form of class `form`. `of` tells the fields from those of other forms on the page.
#[component]
pub fn LimitFields(caps: Caps, of: String) -> impl IntoView {
    let hint = format!("limits-{of}-hint");
    let field = |name: &'static str, label: &'static str, limit: Option<Micros>| {
        let id = format!("limits-{of}-{name}");
        view! {
            <div class="field">
                <label class="field-label" for=id.clone()>{label}</label>
                <input
                    class="input num"
                    id=id
                    name=name
                    inputmode="decimal"
                    autocomplete="off"
                    maxlength="20"
                    pattern=r"\s*\$?[0-9]{1,9}([.,][0-9]{1,6})?\s*"
                    title="Dollars, like 0.25"
                    value=limit.map(amount::written)
                    aria-describedby=hint.clone()
                />
            </div>
        }
    };
    view! {
        <p class="field-hint" id=hint.clone()>
            "Dollars, like 0.25. Empty: no limit. Days and months begin at midnight UTC."
        </p>
        <div class="form-group">
            {field("per_day", t("One day"), caps.per_day)}
            {field("per_month", t("One month"), caps.per_month)}
            {field("ever", t("In all"), caps.ever)}
            {field("per_run", t("One run"), caps.per_run)}
            {field("per_call", t("One model call"), caps.per_call)}
        </div>
    }
}
