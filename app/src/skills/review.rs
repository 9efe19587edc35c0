//! One skill: what waits of it or is accepted, and what becomes of it.

use super::api::{
    AcceptSkill, GiveSkill, LookAgainForSkill, RefuseSkill, RemoveSkill, RevokeSkill, ShareSkill, get_skill,
};
use super::findings::Findings;
use super::lent::{Revoke, Sharing};
use super::version::{Changes, Texts, Wants};
use super::words::{state_kind, state_words};
use crate::AppError;
use crate::browser::follow_drawn;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, AgentBoxes, Done, FormAction, Icon, PageTitle, Section, kept};
use leptos_router::hooks::use_params_map;
use protocol::SkillId;
use protocol::hub::Noun;
use protocol::view::{GivenAgent, Me, SkillDetail, SkillSource, SkillState, SkillVersion, SkillView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    detail: SkillDetail,
}

/// What can be done with a skill.
#[derive(Clone, Copy)]
struct Answers {
    accept: FormAction<AcceptSkill>,
    refuse: FormAction<RefuseSkill>,
    remove: FormAction<RemoveSkill>,
    again: FormAction<LookAgainForSkill>,
    share: FormAction<ShareSkill>,
    give: FormAction<GiveSkill>,
    revoke: FormAction<RevokeSkill>,
}

#[component]
pub fn SkillPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| SkillId(params.read().get("id").unwrap_or_default()));
    let answers = Answers {
        accept: FormAction::new(),
        refuse: FormAction::new(),
        remove: FormAction::new(),
        again: FormAction::new(),
        share: FormAction::new(),
        give: FormAction::new(),
        revoke: FormAction::new(),
    };
    let changed = move || {
        let given = answers.give.version().get();
        answers.accept.version().get() + answers.again.version().get() + answers.share.version().get() + given
    };
    let shown = PageResource::new(move || (id.get(), changed()), |(id, _)| load(id));
    let drawn = StoredValue::new(None);
    let read = move || {
        let id = id.try_get_untracked();
        async move { Some(get_skill(id?).await.ok()) }
    };
    // One that is removed elsewhere is not there any more.
    follow_drawn(&[Noun::Skills], drawn, read, move || shown.refetch());
    view! {
        <Loaded resource=shown view=move |shown: PageData| {
            drawn.set_value(Some(Some(shown.detail.clone())));
            view! { <Page shown answers/> }
        }/>
    }
}

#[component]
fn Page(shown: PageData, answers: Answers) -> impl IntoView {
    let PageData { me, detail } = shown;
    let may_load = brings_own(&me);
    view! { <Shell me><div class="settings"><Skill detail may_load answers/></div></Shell> }
}

async fn load(id: SkillId) -> Result<PageData, AppError> {
    let (me, detail) = together!(me(), get_skill(id));
    Ok(PageData { me, detail })
}

#[component]
fn Skill(detail: SkillDetail, may_load: bool, answers: Answers) -> impl IntoView {
    let SkillDetail { skill, accepted, waiting, changes, sharing, agents: given_to } = detail;
    let SkillView { id, name, description, state, agents, source, .. } = skill;
    let may_look = source.is_elsewhere() && (may_load || matches!(source, SkillSource::Lent { .. }));
    let again = may_look.then(|| view! { <Again id=id.clone() again=answers.again/> });
    // Whoever may lend may take back, and the accepted one is what is lent.
    let revoke = sharing.is_some().then(|| {
        let lent = accepted.as_ref().or(waiting.as_ref()).map(|version| version.digest.clone());
        lent.map(|digest| view! { <Revoke digest revoke=answers.revoke/> })
    });
    let sharing = sharing.map(|sharing| view! { <Sharing id=id.clone() sharing share=answers.share/> });
    let vouched = accepted.as_ref().map(|version| version.vouched);
    let decide = waiting.as_ref().map(|version| {
        let digest = version.digest.clone();
        kept((id.clone(), state, digest), move |(id, state, digest)| {
            view! { <Decide id state digest answers/> }
        })
    });
    let is_given = accepted.is_some() && state != SkillState::Revoked;
    let give = is_given.then(|| {
        kept((id.clone(), given_to), move |(id, agents)| view! { <Give id agents give=answers.give/> })
    });
    // What waits is answered first.
    let (give, give_later) = if waiting.is_some() { (None, give) } else { (give, None) };
    let down = waiting.is_some().then(|| view! { <a href="#decide">"Your answer"</a> });
    let changes = (!changes.is_empty()).then(|| view! { <Changes changes/> });
    let version = waiting.or(accepted).map(|version| view! { <Shown version/> });
    let given = match (state, vouched) {
        (SkillState::Revoked, _) => {
            t("An administrator of this hub took it back: no agent is given any of it.").to_owned()
        }
        (SkillState::Quarantined, _) | (_, None) => t("No agent is given any of it.").to_owned(),
        (_, Some(vouched)) => format!("{} {}", chosen_words(agents), vouched_words(vouched)),
    };
    let (title, heading) = (say!("Skill {name}"), name.clone());
    view! {
        <PageTitle text=title/>
        <header class="section-head">
            <h1>{heading}</h1>
            <p>{description}</p>
            <p><span class="chip" data-kind=state_kind(state)>{state_words(state)}</span> " " {given} " " {down}</p>
        </header>
        <Done what="accepted" words="Accepted. Now give it to your agents."/>
        <Done what="given" words="It is given so, from the next run of each agent on."/>
        <Done what="shared" words="It is lent so from now on."/>
        <Done what="same" words="Nothing changed where it came from."/>
        <Done what="update" words="Another version waits for your answer. Your agents have none of it yet."/>
        {give}
        {changes}
        {version}
        {decide}
        {give_later}
        {again}
        {sharing}
        {revoke}
        <Section id="remove" title="Remove it" lead="It goes from your library and from every agent. What was said with it stays.">
            <ActionFailure value=answers.remove.value()/>
            <details class="confirm">
                <summary class="button" data-kind="quiet">
                    <Icon name="trash" small=true/>
                    {say!("Remove {name}")}
                </summary>
                <ActionForm action=answers.remove attr:class="confirm-body">
                    <input type="hidden" name="id" value=id.0/>
                    <button type="submit" class="button" data-kind="danger">"Remove it"</button>
                </ActionForm>
            </details>
        </Section>
    }
}

#[component]
fn Give(id: SkillId, agents: Vec<GivenAgent>, give: FormAction<GiveSkill>) -> impl IntoView {
    let is_pending = Signal::derive(move || give.pending().get());
    view! {
        <Section
            id="agents"
            title="Give it to agents"
            lead="Of a skill that it has, a line stands in an agent's prompt, and it reads the rest when it needs it. In the settings of an agent you put all of it into its prompt."
        >
            <ActionFailure value=give.value()/>
            <ActionForm action=give attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <AgentBoxes agents is_pending/>
            </ActionForm>
        </Section>
    }
}

#[component]
fn Shown(version: SkillVersion) -> impl IntoView {
    let SkillVersion { digest, at, report, texts, .. } = version;
    let (findings, more) = (report.findings.clone(), report.more);
    view! {
        <Findings findings more/>
        <Wants report digest at/>
        <Texts texts/>
    }
}

#[component]
fn Again(id: SkillId, again: FormAction<LookAgainForSkill>) -> impl IntoView {
    view! {
        <Section
            id="again"
            title="A newer version"
            lead="It is asked for where this one came from, now and only now. What changed is shown, and waits for your answer."
        >
            <ActionFailure value=again.value()/>
            <ActionForm action=again>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button">"Look for an update"</button>
            </ActionForm>
        </Section>
    }
}

#[component]
fn Decide(id: SkillId, state: SkillState, digest: String, answers: Answers) -> impl IntoView {
    let (lead, refuse) = match state {
        SkillState::UpdateWaiting => (
            t("Your agents have the version that you accepted before, until you accept this one."),
            t("Refuse the update"),
        ),
        SkillState::Quarantined | SkillState::Accepted | SkillState::Revoked => (
            t("What was found is no verdict, and finding nothing is none. It is yours to decide."),
            t("Refuse it"),
        ),
    };
    let Answers { accept, refuse: refusing, .. } = answers;
    let accepted = id.0.clone();
    view! {
        <Section id="decide" title="Do you accept it?" lead=lead>
            <ActionFailure value=accept.value()/>
            <ActionFailure value=refusing.value()/>
            <ActionForm action=accept attr:class="form">
                <input type="hidden" name="id" value=accepted/>
                <input type="hidden" name="digest" value=digest/>
                <label class="choice" data-edge="">
                    <input type="checkbox" name="vouched" value="true"/>
                    <span>"I wrote it, or stand by every word of it"</span>
                    <span class="choice-hint">
                        "Agents then read it as your own words. Otherwise it stands behind a fence, and before anything of yours could leave because of it, you are asked."
                    </span>
                </label>
                <div class="form-end"><button type="submit" class="button" data-kind="primary">"Accept it"</button></div>
            </ActionForm>
            <ActionForm action=refusing>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button" data-kind="quiet">{refuse}</button>
            </ActionForm>
        </Section>
    }
}

fn chosen_words(agents: u32) -> String {
    match agents {
        0 => t("No agent has it yet: give it to some on this page.").to_owned(),
        agents => plural!(agents, "{agents} agent has it.", "{agents} agents have it."),
    }
}

fn vouched_words(vouched: bool) -> &'static str {
    t(if vouched { "You stand by its words." } else { "Its words are those of others." })
}
