//! The ways in: a file, and a form.

use super::api::WriteMadeTool;
use super::form::ToolForm;
use crate::prelude::*;
use crate::ui::{Field, FormAction, Section};
use protocol::AgentId;
use protocol::view::RefusedTool;

#[component]
pub(super) fn AddSection(
    agent: AgentId,
    refused: Option<RefusedTool>,
    write: FormAction<WriteMadeTool>,
) -> impl IntoView {
    let upload = format!("/tools/{agent}");
    let is_refused = refused.is_some();
    view! {
        <Section
            id="add"
            title="Add a tool"
            lead="A tool reaches what it declares and nothing else, and none of your keys whatever it declares."
        >
            // A form of the browser's own: a file goes with the whole page.
            <form class="form" method="post" action=upload enctype="multipart/form-data">
                <Field id="tool-file" label="A file" hint="A .tool.json, as it is saved here. It waits until you have looked at what it declares.">
                    <input
                        class="input"
                        id="tool-file"
                        type="file"
                        name="tool"
                        accept=".json,application/json"
                        required
                        aria-describedby="tool-file-hint"
                    />
                </Field>
                <div class="form-end"><button type="submit" class="button">"Look at the file"</button></div>
            </form>
            <details class="fold" open=is_refused>
                <summary><span class="fold-title">"Write a tool"</span></summary>
                <div class="fold-body"><ToolForm agent tool=None refused write/></div>
            </details>
        </Section>
    }
}
