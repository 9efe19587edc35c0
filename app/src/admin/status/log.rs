//! What the hub logs, and a form that has it log more for a while.

use super::facts::Facts;
use crate::admin::api::ChooseLogLevels;
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Done, Field, FormAction, FormEnd, Section, Select, When, hint_id,
};
use protocol::view::LogStatus;

/// Minutes, and how they are called.
const TIMES: [(u32, &str); 3] = [(15, key!("15 minutes")), (60, key!("an hour")), (1440, key!("a day"))];

#[component]
pub(super) fn LogSection(log: LogStatus, choose: FormAction<ChooseLogLevels>) -> impl IntoView {
    let LogStatus { filter, usual, until } = log;
    let back = until.is_some().then(|| {
        view! {
            <ActionForm action=choose attr:class="actions">
                <input type="hidden" name="filter" value=""/>
                <input type="hidden" name="minutes" value="1"/>
                <button type="submit" class="button">"Log what is usual now"</button>
            </ActionForm>
        }
    });
    let lasts = match until {
        Some(until) => view! { "Until " <When at=until/> ", then " <code>{usual.clone()}</code> }.into_any(),
        None => t("What is usual").into_any(),
    };
    view! {
        <Section id="log" title="Log" lead="What this process writes to its log. No words of people and no keys are in it, unless RUST_LOG has libraries say everything.">
            <Done what="log" words="The log says this from now on."/>
            <ActionFailure value=choose.value()/>
            <Facts rows=vec![(t("It says"), view! { <code>{filter}</code> }.into_any()), (t("For how long"), lasts)]/>
            {back}
            <ActionForm action=choose attr:class="form">
                <Field id="log-filter" label="What to log" hint="Parts of the hub with how much they say, like hub=debug,warn or hub::mcp_servers=trace,info.">
                    <input class="input" id="log-filter" name="filter" required maxlength="500" value="hub=debug,warn" autocomplete="off" spellcheck="false" aria-describedby=hint_id("log-filter")/>
                </Field>
                <Select id="log-minutes" name="minutes" label="For how long">
                    {TIMES.map(|(minutes, words)| view! { <option value=minutes>{t(words)}</option> })}
                </Select>
                <FormEnd words="Log this"/>
            </ActionForm>
        </Section>
    }
}
