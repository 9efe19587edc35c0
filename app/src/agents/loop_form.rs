//! How the loop works: folded, because it works well as it is.

use super::hook_rows::HookRows;
use super::sampling_fields::Sampling;
use crate::prelude::*;
use crate::ui::{Choice, Field, hint_id, reveal};
use leptos::html::Details;
use protocol::agent::Mode;
use protocol::model::Effort;
use protocol::view::{LoopSettings, Repairs};

const EFFORTS: [(&str, &str, Option<Effort>); 5] = [
    ("", key!("As the provider has it"), None),
    ("off", key!("Off"), Some(Effort::Off)),
    ("low", key!("Low"), Some(Effort::Low)),
    ("medium", key!("Medium"), Some(Effort::Medium)),
    ("high", key!("High"), Some(Effort::High)),
];

#[component]
pub fn LoopSection(settings: LoopSettings) -> impl IntoView {
    let LoopSettings {
        effort,
        sampling,
        rounds,
        hooks,
        mode,
        clear_after_minutes,
        ambient_after_minutes,
        // It stands with the home.
        hub_after_minutes: _,
        repairs,
        plan,
        // They have a fold of their own.
        commands: _,
    } = settings;
    let summary = summary(rounds, hooks.len(), &mode);
    let (is_autonomous, turns, done) = match mode {
        Mode::Answering | Mode::Ambient => (false, 5, "DONE".to_owned()),
        Mode::Autonomous { turns, done } => (true, turns, done),
    };
    let fold = NodeRef::<Details>::new();
    // What cannot be sent must be seen.
    let unfold = Callback::new(move |()| {
        if let Some(fold) = fold.get_untracked() {
            reveal(&fold);
        }
    });
    let efforts = EFFORTS
        .into_iter()
        .map(|(value, words, each)| view! { <option value=value selected=each == effort>{t(words)}</option> })
        .collect_view();
    view! {
        <details class="fold" node_ref=fold>
            <summary>
                <span class="fold-title">"Loop"</span>
                <span class="fold-hint">{summary}</span>
            </summary>
            <div class="fold-body">
                <div class="form-group">
                    <div class="field">
                        <label class="field-label" for="loop-effort">"Reasoning"</label>
                        <select class="input" id="loop-effort" name="loop_settings[effort]">{efforts}</select>
                        <p class="field-hint">"How much the model thinks before it speaks, if it can."</p>
                    </div>
                    <div class="field">
                        <label class="field-label" for="loop-rounds">"Rounds in one run, at most"</label>
                        <input
                            class="input num"
                            id="loop-rounds"
                            name="loop_settings[rounds]"
                            type="number"
                            min="1"
                            max="50"
                            value=rounds.to_string()
                            on:invalid=move |_| unfold.run(())
                        />
                        <p class="field-hint">"A round is one call of the model and the tools that it asks for."</p>
                    </div>
                </div>
                <fieldset class="choices">
                    <legend class="field-label">"When it has answered"</legend>
                    <Choice name="loop_settings[mode][type]" value="answering" checked=!is_autonomous words="It rests" hint="Until you or its page say something."/>
                    <Choice
                        name="loop_settings[mode][type]"
                        value="autonomous"
                        checked=is_autonomous
                        words="It goes on by itself"
                        hint="Until its answer has the word that ends the work, or it has gone on often enough."
                    />
                    <div class="form-group">
                        <Field id="loop-turns" label="Goes on at most so many times">
                            <input
                                class="input num"
                                id="loop-turns"
                                name="loop_settings[mode][turns]"
                                type="number"
                                min="1"
                                max="20"
                                value=turns.to_string()
                                on:invalid=move |_| unfold.run(())
                            />
                        </Field>
                        <Field id="loop-done" label="Word that ends the work">
                            <input class="input" id="loop-done" name="loop_settings[mode][done]" value=done maxlength="200" autocomplete="off"/>
                        </Field>
                    </div>
                </fieldset>
                <fieldset class="choices">
                    <legend class="field-label">"When nothing is said for a while"</legend>
                    <div class="form-group">
                        <RestField
                            name="ambient_after_minutes"
                            words="Minutes until it thinks things over"
                            usual="5"
                            most="1440"
                            minutes=ambient_after_minutes
                            hint="At most three times, without its tools; then it waits for you. Each time is a call of its model. Only when its home is the hub. Empty: never."
                            unfold
                        />
                        <RestField
                            name="clear_after_minutes"
                            words="Minutes until it begins anew"
                            usual="20"
                            most="10080"
                            minutes=clear_after_minutes
                            hint="The next message then begins with an empty context: what was said before stays in the conversation, and the model is not told. Empty: never."
                            unfold
                        />
                    </div>
                </fieldset>
                <fieldset class="choices">
                    <legend class="field-label">"When its page has errors"</legend>
                    <Choice
                        name="loop_settings[repairs]"
                        value="alone"
                        checked=repairs == Repairs::Alone
                        words="It repairs them by itself"
                        hint="At most three times until you speak. Each time is a run."
                    />
                    <Choice
                        name="loop_settings[repairs]"
                        value="asked"
                        checked=repairs == Repairs::Asked
                        words="It waits until you ask for it"
                        hint="The conversation shows the errors, with a button."
                    />
                </fieldset>
                <fieldset class="choices">
                    <legend class="field-label">"When its model calls no tools by itself"</legend>
                    <label class="choice">
                        <input type="checkbox" name="loop_settings[plan]" value="true" checked=plan/>
                        <span>"It makes a plan first"</span>
                        <span class="choice-hint">"One more call of the model for each message, two seconds at most. It can help small models to use their tools."</span>
                    </label>
                </fieldset>
                <Sampling settings=sampling unfold/>
                <HookRows hooks/>
            </div>
        </details>
    }
}

fn summary(rounds: u32, hooks: usize, mode: &Mode) -> String {
    let hooks = match hooks {
        0 => t("no hooks").to_owned(),
        hooks => plural!(hooks, "{hooks} hook", "{hooks} hooks"),
    };
    let then = t(match mode {
        Mode::Answering | Mode::Ambient => "rests after its answer",
        Mode::Autonomous { .. } => "goes on by itself",
    });
    plural!(rounds, "{rounds} rounds, {then}, {hooks}", "{rounds} rounds, {then}, {hooks}")
}

/// A number of minutes that may be left empty.
#[component]
fn RestField(
    name: &'static str,
    words: &'static str,
    usual: &'static str,
    most: &'static str,
    minutes: Option<u32>,
    hint: &'static str,
    unfold: Callback<()>,
) -> impl IntoView {
    let id = format!("loop-{name}");
    view! {
        <Field id=id.clone() label=words hint>
            <input
                class="input num"
                id=id.clone()
                name=format!("loop_settings[{name}]")
                type="number"
                min="1"
                max=most
                placeholder=usual
                value=minutes.map(|minutes| minutes.to_string())
                aria-describedby=hint_id(&id)
                on:invalid=move |_| unfold.run(())
            />
        </Field>
    }
}
