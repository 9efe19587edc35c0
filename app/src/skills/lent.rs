//! Skills that administrators lend, and versions that they take back.

use super::api::{RestoreSkill, RevokeSkill, ShareSkill, TakeSkill};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, Section, When};
use protocol::SkillId;
use protocol::view::{LentSkill, RevokedSkill, SkillSharing};

/// Those that are lent and not in the library as they are.
#[component]
pub(super) fn Lent(lent: Vec<LentSkill>, take: FormAction<TakeSkill>) -> impl IntoView {
    let is_there = !lent.is_empty();
    let items = lent.into_iter().map(move |skill| {
        let label = say!("Take {name}", name = skill.name);
        view! {
            <li class="made-tool">
                <div>
                    <p><b>{skill.name}</b> " lent by " {skill.by}</p>
                    <p class="made-tool-about">{skill.description}</p>
                </div>
                <ActionForm action=take>
                    <input type="hidden" name="id" value=skill.id.0/>
                    <button type="submit" class="button" aria-label=label>"Take it"</button>
                </ActionForm>
            </li>
        }
    });
    is_there.then(|| view! {
        <Section
            id="lent"
            title="From administrators"
            lead="Skills that an administrator of this hub lends you. What you take waits for your answer like any other."
        >
            <ActionFailure value=take.value()/>
            <ul class="made-tools">{items.collect_view()}</ul>
        </Section>
    })
}

/// To whom a skill is lent.
#[component]
pub(super) fn Sharing(id: SkillId, sharing: SkillSharing, share: FormAction<ShareSkill>) -> impl IntoView {
    let groups = sharing.groups.into_iter().map(|(group, checked)| {
        view! {
            <label class="choice">
                <input type="checkbox" name="groups[]" value=group.id.0 checked=checked/>
                <span>{group.name}</span>
            </label>
        }
    });
    view! {
        <Section
            id="sharing"
            title="Lent to"
            lead="They find it on their page Skills, and look at it and accept it themselves. They have what you accepted of it, and a newer version once they look for one."
        >
            <ActionFailure value=share.value()/>
            <ActionForm action=share attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <fieldset class="choices" data-flow="columns">
                    <legend class="field-label">"People"</legend>
                    <label class="choice">
                        <input type="checkbox" name="everyone" value="true" checked=sharing.everyone/>
                        <span>"Everyone on this hub"</span>
                    </label>
                    {groups.collect_view()}
                </fieldset>
                <div class="form-end">
                    <button type="submit" class="button">"Save whom it is lent to"</button>
                </div>
            </ActionForm>
        </Section>
    }
}

/// Takes this version back from everybody.
#[component]
pub(super) fn Revoke(digest: String, revoke: FormAction<RevokeSkill>) -> impl IntoView {
    view! {
        <Section
            id="revoke"
            title="Take this version back"
            lead="No agent on this hub is given this very version any more, whoever accepted it and wherever it came from. Whoever gave it to an agent is told."
        >
            <ActionFailure value=revoke.value()/>
            <ActionForm action=revoke>
                <input type="hidden" name="digest" value=digest/>
                <button type="submit" class="button" data-kind="danger">"Take it back from everybody"</button>
            </ActionForm>
        </Section>
    }
}

/// What administrators have taken back.
#[component]
pub(super) fn Revoked(
    revoked: Vec<RevokedSkill>,
    revoke: FormAction<RevokeSkill>,
    restore: FormAction<RestoreSkill>,
) -> impl IntoView {
    let items = revoked.into_iter().map(move |RevokedSkill { digest, name, at }| {
        let label = say!("Allow {name} again");
        let value = digest.clone();
        view! {
            <li class="made-tool">
                <div>
                    <p><b>{name}</b> " " <When at/></p>
                    <p class="made-tool-about"><code class="file-path">{digest}</code></p>
                </div>
                <ActionForm action=restore>
                    <input type="hidden" name="digest" value=value/>
                    <button type="submit" class="button" aria-label=label>"Allow it again"</button>
                </ActionForm>
            </li>
        }
    });
    view! {
        <Section
            id="revoked"
            title="Taken back"
            lead="Versions that no agent on this hub is given. A version is named by its SHA-256, which stands on the page of the skill."
        >
            <ActionFailure value=revoke.value()/>
            <ActionFailure value=restore.value()/>
            <ul class="made-tools">{items.collect_view()}</ul>
            <ActionForm action=revoke attr:class="form">
                <Field id="revoked-digest" label="SHA-256 of a version" hint="64 digits, from 0 to f.">
                    <input
                        class="input"
                        id="revoked-digest"
                        name="digest"
                        required
                        minlength="64"
                        maxlength="64"
                        aria-describedby="revoked-digest-hint"
                    />
                </Field>
                <div class="form-end"><button type="submit" class="button">"Take it back"</button></div>
            </ActionForm>
        </Section>
    }
}
