//! What most schedules leave as it is: when they are late, in each other's way, failing, or not wanted.

use crate::prelude::*;
use crate::ui::Field;
use protocol::schedule::{FiringRules, Missed, Overlap, ScheduleDraft};

#[component]
pub fn Extras(draft: ScheduleDraft) -> impl IntoView {
    let ScheduleDraft { missed, overlap, jitter, breaker, only_if_key, only_if, .. } = draft;
    let misses =
        [(Missed::CatchUp, t("It runs once when the hub is back")), (Missed::Skip, t("It is left out"))]
            .map(|(each, text)| view! { <option value=word(&each) selected=each == missed>{text}</option> });
    let overlaps = [
        (Overlap::Newest, t("The newest waits; of deliveries, mails and feeds each")),
        (Overlap::Skip, t("It is left out")),
        (Overlap::Each, t("Each waits, up to twenty")),
    ]
    .map(|(each, text)| view! { <option value=word(&each) selected=each == overlap>{text}</option> });
    let breaker = if breaker.is_empty() { FiringRules::default().breaker.to_string() } else { breaker };
    let jitter = if jitter.is_empty() { "0".to_owned() } else { jitter };
    let has_condition = !only_if.is_empty();
    view! {
        <details class="fold" open=has_condition>
            <summary>
                <span class="fold-title">"More"</span>
                <span class="fold-hint">"Conditions, lateness, failures"</span>
            </summary>
            <div class="fold-body">
                <div class="form-group">
                    <Field
                        id="schedule-only-if-key"
                        label="Only if this in the agent's state"
                        hint="A key, like inbox. Nothing is asked of a model where it does not hold."
                    >
                        <input
                            class="input"
                            id="schedule-only-if-key"
                            name="draft[only_if_key]"
                            maxlength="200"
                            autocomplete="off"
                            aria-describedby="schedule-only-if-key-hint"
                            value=only_if_key
                        />
                    </Field>
                    <Field id="schedule-only-if" label="is so" hint="Like > 0, .open == true or not == null. Empty: always.">
                        <input
                            class="input"
                            id="schedule-only-if"
                            name="draft[only_if]"
                            maxlength="500"
                            autocomplete="off"
                            aria-describedby="schedule-only-if-hint"
                            value=only_if
                        />
                    </Field>
                </div>
                <div class="form-group">
                    <Field id="schedule-overlap" label="If the agent is still at work">
                        <select class="input" id="schedule-overlap" name="draft[overlap]">{overlaps}</select>
                    </Field>
                    <Field id="schedule-missed" label="If the hub was off">
                        <select class="input" id="schedule-missed" name="draft[missed]">{misses}</select>
                    </Field>
                </div>
                <div class="form-group">
                    <Field
                        id="schedule-jitter"
                        label="Late by up to so many seconds"
                        hint="By chance, so that not everything is due at once."
                    >
                        <input
                            class="input num"
                            id="schedule-jitter"
                            name="draft[jitter]"
                            type="number"
                            min="0"
                            max="3600"
                            aria-describedby="schedule-jitter-hint"
                            value=jitter
                        />
                    </Field>
                    <Field
                        id="schedule-breaker"
                        label="Switched off after failures in a row"
                        hint="0: never."
                    >
                        <input
                            class="input num"
                            id="schedule-breaker"
                            name="draft[breaker]"
                            type="number"
                            min="0"
                            max="50"
                            aria-describedby="schedule-breaker-hint"
                            value=breaker
                        />
                    </Field>
                </div>
            </div>
        </details>
    }
}

/// As the wire writes it.
pub(super) fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(_) | Err(_) => String::new(),
    }
}
