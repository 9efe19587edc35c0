//! The form in which a person writes a tool, or changes one.

use super::api::WriteMadeTool;
use crate::prelude::*;
use crate::ui::{ActionForm, Field, FormAction, FormEnd, TextArea, hint_id};
use protocol::AgentId;
use protocol::view::{MadeToolView, RefusedTool, ToolReach};
use serde_json::{Value, json};

/// Empty for a new one. What was typed and refused stands in it again.
#[component]
pub(super) fn ToolForm(
    agent: AgentId,
    tool: Option<MadeToolView>,
    refused: Option<RefusedTool>,
    write: FormAction<WriteMadeTool>,
) -> impl IntoView {
    let seen = tool.as_ref().map_or(0, |tool| tool.version);
    // No tool has a name with a hyphen.
    let prefix = tool.as_ref().map_or_else(|| "new-tool".to_owned(), |tool| format!("tool-{}", tool.name));
    let id = move |field: &str| format!("{prefix}-{field}");
    let name = match &tool {
        Some(tool) => view! { <input type="hidden" name="name" value=tool.name.clone()/> }.into_any(),
        None => {
            let value = refused.as_ref().map(|refused| refused.name.clone());
            view! { <NameField value/> }.into_any()
        }
    };
    let typed = refused.unwrap_or_else(|| as_typed(tool));
    let RefusedTool { name: _, description, input_schema, code, page, reads, writes } = typed;
    view! {
        <ActionForm action=write attr:class="form" attr:autocomplete="off">
            <input type="hidden" name="id" value=agent.0/>
            <input type="hidden" name="seen" value=seen.to_string()/>
            {name}
            <LongField
                id=id("description")
                name="description"
                label="What it is for"
                hint="The agent reads this, and calls the tool when it fits."
                text=description
                rows="3"
            />
            <LongField
                id=id("schema")
                name="input_schema"
                label="Input schema"
                hint="JSON Schema of an object: what the tool takes."
                text=input_schema
                rows="6"
            />
            <LongField
                id=id("code")
                name="code"
                label="Code"
                hint="The body of an async JavaScript function with the parameter input. What it returns is the result."
                text=code
                rows="10"
            />
            <label class="choice" data-edge="">
                <input type="checkbox" name="page" value="true" checked=page/>
                <span>"It reaches the agent's page"</span>
                <span class="choice-hint">
                    "It runs there with all that the page's scripts reach, and the keys below stay empty. Otherwise it runs apart, with nothing but its input and these keys."
                </span>
            </label>
            <LongField
                id=id("reads")
                name="reads"
                label="Keys of the state that it reads"
                hint="One a line. The code reads them with flo.state.get."
                text=reads
                rows="2"
            />
            <LongField
                id=id("writes")
                name="writes"
                label="Keys of the state that it sets"
                hint="One a line. The code sets them with flo.state.set."
                text=writes
                rows="2"
            />
            <FormEnd words="Save"/>
        </ActionForm>
    }
}

/// The texts of a form that is left alone.
fn as_typed(tool: Option<MadeToolView>) -> RefusedTool {
    match tool {
        Some(MadeToolView { name, description, input_schema, code, reach, .. }) => {
            let ToolReach { page, reads, writes } = reach;
            let (reads, writes) = (reads.join("\n"), writes.join("\n"));
            RefusedTool { name, description, input_schema: pretty(&input_schema), code, page, reads, writes }
        }
        None => {
            let schema = json!({ "type": "object", "properties": {}, "required": [] });
            RefusedTool { input_schema: pretty(&schema), ..RefusedTool::default() }
        }
    }
}

#[component]
fn NameField(#[prop(optional_no_strip)] value: Option<String>) -> impl IntoView {
    view! {
        <Field id="new-tool-name" label="Name" hint="Small letters, digits and underscores, a letter first.">
            <input
                class="input input-code"
                id="new-tool-name"
                name="name"
                required
                minlength="2"
                maxlength="64"
                autocapitalize="none"
                value=value
                spellcheck="false"
                aria-describedby=hint_id("new-tool-name")
            />
        </Field>
    }
}

#[component]
fn LongField(
    id: String,
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    text: String,
    rows: &'static str,
) -> impl IntoView {
    let described = hint_id(&id);
    view! {
        <Field id=id.clone() label=label hint=hint>
            <TextArea
                text
                attr:class="input input-code"
                attr:id=id
                attr:name=name
                attr:rows=rows
                attr:spellcheck="false"
                attr:aria-describedby=described
            />
        </Field>
    }
}

fn pretty(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default()
}
