//! A new rule.

use super::api::AddRule;
use crate::ui::ActionFailure;
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::AgentId;

/// How often a yes can be made to hold.
pub const TIMES: [u32; 7] = [1, 2, 3, 5, 10, 20, 100];

pub fn times_words(times: u32) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}

#[component]
pub fn RuleForm(agent: AgentId, name: String, add: ServerAction<AddRule>) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="new-rule">
            <div class="section-head">
                <h2 id="new-rule">"New rule"</h2>
                <p>"A no always wins. Otherwise the newest rule that fits decides. A * stands for any characters."</p>
            </div>
            <details class="fold">
                <summary><span class="fold-title">"What a rule can be about"</span></summary>
                <div class="fold-body"><dl class="rule-help">
                    <dt><code>"example.org"</code></dt>
                    <dd>"This host. A no is for all its ports, a yes for the usual one; " <code>"example.org:8000"</code> " names one."</dd>
                    <dt><code>".example.org"</code></dt>
                    <dd>"The whole domain: this host and all below it. " <code>"*.example.org"</code> " leaves itself out."</dd>
                    <dt><code>"example.org/docs"</code></dt>
                    <dd>"This path there, and all below it."</dd>
                    <dt><code>"notes.*"</code></dt>
                    <dd>"Keys of state and storage, and names of saved pages."</dd>
                    <dt><code>"to=*@example.org"</code></dt>
                    <dd>"An argument of the call: a recipient, a path, whatever its tool calls it."</dd>
                </dl></div>
            </details>
            <ActionFailure value=add.value()/>
            <ActionForm action=add attr:class="form">
                <div class="rule-fields">
                    <div class="field">
                        <label class="field-label" for="rule-verdict">"Say"</label>
                        <select class="input" id="rule-verdict" name="verdict">
                            <option value="ask">"Ask me before"</option>
                            <option value="allow">"Allow"</option>
                            <option value="deny">"Never"</option>
                        </select>
                    </div>
                    <div class="field">
                        <label class="field-label" for="rule-tool">"Tool"</label>
                        <input class="input" id="rule-tool" name="tool" required maxlength="260" autocomplete="off" placeholder="fetch"/>
                    </div>
                    <div class="field">
                        <label class="field-label" for="rule-about">"About"</label>
                        <input class="input" id="rule-about" name="about" maxlength="260" autocomplete="off" aria-describedby="rule-about-hint"/>
                        <p class="field-hint" id="rule-about-hint">"A host, path, key or argument. Empty: anything."</p>
                    </div>
                    <div class="field">
                        <label class="field-label" for="rule-asker">"Calls of"</label>
                        <select class="input" id="rule-asker" name="asker">
                            <option value="">"the model and the page"</option>
                            <option value="model">"the model"</option>
                            <option value="page">"the page"</option>
                        </select>
                    </div>
                    <div class="field">
                        <label class="field-label" for="rule-agent">"For"</label>
                        <select class="input" id="rule-agent" name="agent">
                            <option value=agent.0>{name}</option>
                            <option value="">"all my agents"</option>
                        </select>
                    </div>
                    <div class="field">
                        <label class="field-label" for="rule-minutes">"How long"</label>
                        <select class="input" id="rule-minutes" name="minutes">
                            <option value="0">"until I take it back"</option>
                            <option value="30">"half an hour"</option>
                            <option value="1440">"a day"</option>
                            <option value="10080">"a week"</option>
                        </select>
                    </div>
                    <div class="field">
                        <label class="field-label" for="rule-uses">"How often"</label>
                        <select class="input" id="rule-uses" name="uses" aria-describedby="rule-uses-hint">
                            <option value="0">"any number of times"</option>
                            {TIMES.map(|times| view! { <option value=times>{times_words(times)}</option> })}
                        </select>
                        <p class="field-hint" id="rule-uses-hint">"A yes can be used up; a no cannot."</p>
                    </div>
                </div>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="primary">"Add rule"</button>
                </div>
            </ActionForm>
        </section>
    }
}
