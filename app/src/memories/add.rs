//! The fields of a memory, and the form that adds one.

use super::api::CreateMemory;
use super::said::{Beginning, Said};
use super::words::{IMPORTANCE, kind_words};
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, TextArea, emptied_by, hint_id,
};
use protocol::view::{MemoryDraft, MemoryKind};
use serde::{Deserialize, Serialize};

const LONGEST: u32 = 500;

/// Who can be told, each by its id with its name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Audiences {
    pub(super) agents: Vec<(String, String)>,
    pub(super) workspaces: Vec<(String, String)>,
}

#[component]
pub(super) fn Add(agents: Audiences, said: Beginning, create: FormAction<CreateMemory>) -> impl IntoView {
    let Beginning { text, of: Said { agent, message, run } } = said;
    let draft = MemoryDraft { text, importance: 3, ..MemoryDraft::default() };
    view! {
        <Section id="add" title="Remember something">
            <ActionFailure value=create.value()/>
            <ActionForm action=create node_ref=emptied_by(create) attr:class="form">
                <input type="hidden" name="of_agent" value=agent/>
                {message.map(|message| view! { <input type="hidden" name="of_message" value=message.to_string()/> })}
                <input type="hidden" name="of_run" value=run/>
                <Fields id="new".to_owned() draft agents/>
                <FormEnd words="Remember"/>
            </ActionForm>
        </Section>
    }
}

/// `id` stands before the ids of the controls.
#[component]
pub(super) fn Fields(id: String, draft: MemoryDraft, agents: Audiences) -> impl IntoView {
    let MemoryDraft { text, kind, importance, tags, agent, workspace } = draft;
    let Audiences { agents, workspaces } = agents;
    let [text_id, tags_id, kind_id, importance_id, agent_id] =
        ["text", "tags", "kind", "importance", "agent"].map(|field| format!("{id}-{field}"));
    let [text_hint, tags_hint] = [&text_id, &tags_id].map(|id| hint_id(id));
    let kinds = MemoryKind::ALL.map(|one| {
        view! { <option value=one.name() selected=one == kind>{kind_words(one)}</option> }
    });
    let degrees = IMPORTANCE.map(|(degree, words)| {
        view! { <option value=degree.to_string() selected=degree == importance>{t(words)}</option> }
    });
    let names = agents
        .into_iter()
        .map(|(id, name)| view! { <option value=id.clone() selected=id == agent>{say!("Only {name}")}</option> })
        .collect_view();
    let of_workspace = (!workspaces.is_empty()).then(|| {
        let id = format!("{id}-workspace");
        let names = workspaces
            .into_iter()
            .map(|(id, name)| view! { <option value=id.clone() selected=id == workspace>{name}</option> })
            .collect_view();
        view! {
            <Field id=id.clone() label="Workspace" hint="Those agents are told that have it, and no others.">
                <select class="input" id=id.clone() name="workspace" aria-describedby=hint_id(&id)>
                    <option value="">"None"</option>
                    {names}
                </select>
            </Field>
        }
    });
    view! {
        <Field id=text_id.clone() label="What" hint="One sentence that makes sense by itself.">
            <TextArea
                text
                attr:class="input"
                attr:id=text_id
                attr:name="text"
                attr:rows="2"
                attr:maxlength=LONGEST
                attr:required
                attr:aria-describedby=text_hint
            />
        </Field>
        <Field id=tags_id.clone() label="Tags" hint="Words that it is found by besides, with commas between.">
            <input class="input" id=tags_id name="tags" value=tags maxlength="250" autocomplete="off" aria-describedby=tags_hint/>
        </Field>
        <div class="form-group">
            <Field id=kind_id.clone() label="Kind">
                <select class="input" id=kind_id name="kind">{kinds}</select>
            </Field>
            <Field id=importance_id.clone() label="Importance">
                <select class="input" id=importance_id name="importance">{degrees}</select>
            </Field>
            <Field id=agent_id.clone() label="Who is told">
                <select class="input" id=agent_id name="agent">
                    <option value="">"All agents with a memory"</option>
                    {names}
                </select>
            </Field>
            {of_workspace}
        </div>
    }
}
