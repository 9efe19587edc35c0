//! The fields for hours in which nothing is sent.

use crate::browser::clock;
use crate::prelude::*;
use crate::ui::Field;
use protocol::view::QuietHours;

#[component]
pub(super) fn QuietFields(quiet: Option<QuietHours>) -> impl IntoView {
    let but_waiting = quiet.as_ref().is_none_or(|quiet| quiet.but_waiting);
    let (from, until, zone) =
        quiet.map(|QuietHours { from, until, zone, .. }| (from, until, zone)).unwrap_or_default();
    let zone = RwSignal::new(zone);
    // Only the browser knows where the person is.
    Effect::new(move |_| {
        if zone.with_untracked(String::is_empty) {
            zone.set(clock::zone().unwrap_or_default());
        }
    });
    view! {
        <fieldset class="choices">
            <legend class="field-label">"Quiet hours"</legend>
            <p class="field-hint">"What happens then stands in the list, and is sent in one when they end. Leave both times empty for none."</p>
            <div class="quiet-hours">
                <Field id="quiet-from" label="From">
                    <input class="input" id="quiet-from" name="quiet_from" type="time" value=from/>
                </Field>
                <Field id="quiet-until" label="Until">
                    <input class="input" id="quiet-until" name="quiet_until" type="time" value=until/>
                </Field>
                <Field id="quiet-zone" label="Time zone">
                    <input
                        class="input"
                        id="quiet-zone"
                        name="zone"
                        maxlength="64"
                        placeholder={"Europe/Vienna"}
                        autocapitalize="none"
                        spellcheck="false"
                        prop:value=zone
                        value=zone.get_untracked()
                    />
                </Field>
            </div>
            <label class="choice">
                <input type="checkbox" name="but_waiting" value="true" checked=but_waiting/>
                <span>"What an agent waits for is sent all the same"</span>
            </label>
        </fieldset>
    }
}
