//! A new rule.

use super::api::AddRule;
use crate::approvals::{TIMES, times_words};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, Select};
use protocol::AgentId;

#[component]
pub fn RuleForm(agent: AgentId, name: String, add: FormAction<AddRule>) -> impl IntoView {
    view! {
        <Section
            id="new-rule"
            title="New rule"
            lead="A no always wins. Otherwise the newest rule that fits decides. A * stands for any characters."
        >
            <details class="fold">
                <summary><span class="fold-title">"What a rule can be about"</span></summary>
                <div class="fold-body"><dl class="rule-help">
                    <dt><code>{"example.org"}</code></dt>
                    <dd>"This host. A no is for all its ports, a yes for the usual one; " <code>{"example.org:8000"}</code> " names one."</dd>
                    <dt><code>{".example.org"}</code></dt>
                    <dd>"The whole domain: this host and all below it. " <code>{"*.example.org"}</code> " leaves itself out."</dd>
                    <dt><code>{"example.org/docs"}</code></dt>
                    <dd>"This path there, and all below it."</dd>
                    <dt><code>{"notes.*"}</code></dt>
                    <dd>"Keys of state and storage, and names of saved pages."</dd>
                    <dt><code>{"to=*@example.org"}</code></dt>
                    <dd>"An argument of the call: a recipient, a path, whatever its tool calls it."</dd>
                    <dt><code>{"secret=moss"}</code></dt>
                    <dd>"A secret that goes along. Only a yes to it is one to calls that send it."</dd>
                </dl></div>
            </details>
            <ActionFailure value=add.value()/>
            <ActionForm action=add attr:class="form">
                <div class="rule-fields">
                    <Select id="rule-verdict" name="verdict" label="Say">
                        <option value="ask">"Ask me before"</option>
                        <option value="allow">"Allow"</option>
                        <option value="deny">"Never"</option>
                    </Select>
                    <Field id="rule-tool" label="Tool">
                        <input class="input" id="rule-tool" name="tool" required maxlength="260" autocomplete="off" placeholder={"fetch"}/>
                    </Field>
                    <Field id="rule-about" label="About" hint="A host, path, key or argument. Empty: anything.">
                        <input class="input" id="rule-about" name="about" maxlength="260" autocomplete="off" aria-describedby="rule-about-hint"/>
                    </Field>
                    <Select id="rule-asker" name="asker" label="Calls of">
                        <option value="">"the model and the page"</option>
                        <option value="model">"the model"</option>
                        <option value="page">"the page"</option>
                    </Select>
                    <Select id="rule-agent" name="agent" label="For">
                        <option value=agent.0>{name}</option>
                        <option value="">"all my agents"</option>
                    </Select>
                    <Select id="rule-minutes" name="minutes" label="How long">
                        <option value="0">"until I take it back"</option>
                        <option value="30">"half an hour"</option>
                        <option value="1440">"a day"</option>
                        <option value="10080">"a week"</option>
                    </Select>
                    <Select id="rule-uses" name="uses" label="How often" hint="A yes can be used up; a no cannot.">
                        <option value="0">"any number of times"</option>
                        {TIMES.map(|times| view! { <option value=times>{times_words(times)}</option> })}
                    </Select>
                </div>
                <FormEnd words="Add rule"/>
            </ActionForm>
        </Section>
    }
}
