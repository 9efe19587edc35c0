//! The tools with which an agent has others work for it.

mod at_work;

use super::ToolError;
use crate::agent_roles;
use crate::agent_shares::AskableAgent;
use crate::clock::rfc3339;
use crate::delegations::{AskRequest, Delegation, Handed, KnownAgent, SpawnRequest, Until};
use crate::gateway::Caller;
use crate::peers::KnownPeerAgent;
use agent::tools::{EVERYBODY, ResolvedCall};
use protocol::agent::Home;
use protocol::view::{DelegationKind, DelegationState};
use serde::Deserialize;
use serde_json::{Value, json};

const USUAL_MINUTES: i64 = 15;
const USUAL_WAIT_SECONDS: i64 = 300;

#[derive(Deserialize)]
struct Spawn {
    task: Option<String>,
    label: Option<String>,
    #[serde(default)]
    tasks: Vec<OneTask>,
    instructions: Option<String>,
    tools: Option<Vec<String>>,
    mounts: Option<Vec<String>>,
    model: Option<String>,
    role: Option<String>,
    context: Option<String>,
    minutes: Option<i64>,
    wait_seconds: Option<i64>,
}

/// One of those that are to be made. Whatever it does not say itself holds for all of them.
#[derive(Deserialize)]
struct OneTask {
    task: String,
    label: String,
    role: Option<String>,
}

#[derive(Deserialize)]
struct Ask {
    agents: Vec<String>,
    hub: Option<String>,
    person: Option<String>,
    text: String,
    minutes: Option<i64>,
    wait_seconds: Option<i64>,
}

#[derive(Deserialize)]
struct Wait {
    ids: Vec<String>,
    #[serde(rename = "for")]
    until: Option<String>,
    seconds: Option<i64>,
}

#[derive(Deserialize)]
struct One {
    id: String,
    from: Option<usize>,
    text: Option<String>,
}

impl Spawn {
    fn take_tasks(&mut self) -> Result<Vec<OneTask>, ToolError> {
        match (self.task.take(), self.label.take(), std::mem::take(&mut self.tasks)) {
            (Some(task), Some(label), tasks) if tasks.is_empty() => {
                Ok(vec![OneTask { task, label, role: None }])
            }
            (None, None, tasks) if !tasks.is_empty() => Ok(tasks),
            _ => Err(ToolError(
                "Say what is to be done: task and label, or in place of both tasks, each with a task and a label."
                    .to_owned(),
            )),
        }
    }

    fn request<'a>(&'a self, one: &'a OneTask) -> SpawnRequest<'a> {
        SpawnRequest {
            task: &one.task,
            label: &one.label,
            instructions: self.instructions.as_deref(),
            tools: self.tools.as_deref(),
            mounts: self.mounts.as_deref(),
            model: self.model.as_deref(),
            role: one.role.as_deref().or(self.role.as_deref()),
            handed: match self.context.as_deref() {
                Some("summary") => Handed::Summary,
                Some("conversation") => Handed::Conversation,
                Some(_) | None => Handed::Nothing,
            },
            minutes: self.minutes.unwrap_or(USUAL_MINUTES),
        }
    }
}

pub(super) async fn spawn(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let mut asked = Spawn::deserialize(call.input())?;
    let tasks = asked.take_tasks()?;
    let (mut made, mut not_made): (Vec<Delegation>, Vec<Value>) = (Vec::new(), Vec::new());
    for one in &tasks {
        match caller.hub.delegations().spawn(caller, asked.request(one)).await {
            Ok(delegation) if made.iter().all(|other| other.id != delegation.id) => made.push(delegation),
            Ok(_) => {}
            // What was made is at work, and its ids are needed.
            Err(error) if !made.is_empty() => {
                not_made.push(json!({ "label": one.label, "why": error.into_failure().to_string() }));
            }
            Err(error) => return Err(error.into()),
        }
    }
    if let Some(seconds) = asked.wait_seconds {
        let ids: Vec<String> = made.iter().map(|one| one.id.0.clone()).collect();
        made = at_work::wait(caller, call, &ids, Until::All, seconds).await?;
    }
    let mut told = listed(caller, &made).await?;
    if !not_made.is_empty() {
        told["not_made"] = json!(not_made);
    }
    Ok(told.to_string())
}

pub(super) async fn ask(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    // Its person may have given it the tool.
    if caller.agent != caller.root {
        return Err(ToolError(
            "A sub-agent asks no other agents. Do the task yourself, and say in your result what you could not do."
                .to_owned(),
        ));
    }
    let mut asked = Ask::deserialize(call.input())?;
    if asked.hub.is_none() && asked.person.is_none() && asked.agents == [EVERYBODY] {
        asked.agents = caller.hub.delegations().everybody(caller).await?;
    }
    let minutes = asked.minutes.unwrap_or(USUAL_MINUTES);
    let request = AskRequest { agents: &asked.agents, text: &asked.text, minutes };
    let said = |argument: &Option<String>| {
        argument.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let made = match (said(&asked.hub), said(&asked.person)) {
        (None, None) => caller.hub.delegations().ask(caller, request).await?,
        (Some(_), Some(_)) => {
            return Err(ToolError("Name a hub or a person: an agent is there or theirs.".to_owned()));
        }
        // What was permitted was permitted for this place.
        (None, Some(person))
            if caller.hub.agent_shares().place(caller.owner, &person).await?.as_deref()
                == call.elsewhere() =>
        {
            caller.hub.delegations().ask_across(caller, request, &person).await?
        }
        (Some(hub), None)
            if caller.hub.peers().address(caller.owner, &hub).await?.as_deref() == call.elsewhere() =>
        {
            caller.hub.delegations().ask_elsewhere(caller, request, &hub).await?
        }
        (Some(other), None) | (None, Some(other)) => {
            return Err(ToolError(format!("{other} is another one by now. Ask once more.")));
        }
    };
    let ids: Vec<String> = made.iter().map(|one| one.id.0.clone()).collect();
    match asked.wait_seconds {
        Some(seconds) => waited(caller, call, &ids, Until::All, seconds).await,
        None => all(caller, made).await,
    }
}

pub(super) async fn wait(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let Wait { ids, until, seconds } = Wait::deserialize(call.input())?;
    let until = if until.as_deref() == Some("any") { Until::Any } else { Until::All };
    waited(caller, call, &ids, until, seconds.unwrap_or(USUAL_WAIT_SECONDS)).await
}

pub(super) async fn result(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let One { id, from, text: _ } = One::deserialize(call.input())?;
    let one = own(caller, &id).await?;
    Ok(described(caller, &one, from.unwrap_or(0)).await?.to_string())
}

pub(super) async fn send(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let One { id, text, from: _ } = One::deserialize(call.input())?;
    let one = own(caller, &id).await?;
    let text = text.unwrap_or_default();
    if !caller.hub.delegations().say_more(&one, &text).await? {
        return Err(ToolError("It is over: ask again, or make another one.".to_owned()));
    }
    Ok(json!({ "id": id, "said": true }).to_string())
}

pub(super) async fn stop(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let One { id, .. } = One::deserialize(call.input())?;
    caller.hub.delegations().stop(&own(caller, &id).await?).await?;
    Ok(described(caller, &own(caller, &id).await?, 0).await?.to_string())
}

pub(super) async fn list(caller: &Caller<'_>) -> Result<String, ToolError> {
    let agents = askable(caller).await?;
    let asked = caller.hub.delegations().of_conversation(caller.agent, caller.conversation).await?;
    let asked: Vec<Value> = asked.iter().map(briefly).collect();
    let roles = agent_roles::of_person(caller.hub.store().read(), caller.owner).await?;
    let roles: Vec<Value> = roles
        .iter()
        .map(|role| json!({ "role": role.name, "about": role.description, "most": role.most }))
        .collect();
    let mut list = json!({ "agents": agents, "asked": asked });
    if !roles.is_empty() {
        list["roles"] = json!(roles);
    }
    Ok(list.to_string())
}

/// Whom the agent can ask. A sub-agent asks nobody beside its maker.
async fn askable(caller: &Caller<'_>) -> Result<Vec<Value>, ToolError> {
    if caller.agent != caller.root {
        return Ok(Vec::new());
    }
    let beside = caller.hub.delegations().beside(caller.owner, caller.root).await?;
    let elsewhere = caller.hub.peers().beside(caller.owner).await?;
    let shared = caller.hub.agent_shares().askable(caller.owner).await?;
    Ok(beside
        .iter()
        .map(|one| known(caller, one))
        .chain(shared.iter().map(known_of_others))
        .chain(elsewhere.iter().map(known_elsewhere))
        .collect())
}

fn known(caller: &Caller<'_>, one: &KnownAgent) -> Value {
    let KnownAgent { id, name, about, home, is_at_work } = one;
    let mut known = json!({ "id": id, "name": name, "about": about, "home": home, "at_work": is_at_work });
    // Its loop runs in a page of it, and nowhere else.
    if *home == Home::Browser {
        known["page_open"] = json!(caller.hub.live().stage(id).is_some());
    }
    known
}

fn known_of_others(one: &AskableAgent) -> Value {
    let AskableAgent { share, person, name, about, .. } = one;
    json!({ "id": share, "name": name, "about": about, "person": person, "by": "others" })
}

fn known_elsewhere(one: &KnownPeerAgent) -> Value {
    let KnownPeerAgent { id, hub, name, about, away_since } = one;
    let mut known = json!({ "id": id, "name": name, "about": about, "hub": hub });
    if let Some(since) = away_since {
        known["away_since"] = json!(rfc3339(*since));
    }
    known
}

async fn own(caller: &Caller<'_>, id: &str) -> Result<Delegation, ToolError> {
    let found = caller.hub.delegations().asked_by(caller.agent, &[id.to_owned()]).await?;
    found.into_iter().next().ok_or_else(|| ToolError(format!("You asked nobody under {id}.")))
}

async fn waited(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    ids: &[String],
    until: Until,
    seconds: i64,
) -> Result<String, ToolError> {
    all(caller, at_work::wait(caller, call, ids, until, seconds).await?).await
}

async fn all(caller: &Caller<'_>, these: Vec<Delegation>) -> Result<String, ToolError> {
    Ok(listed(caller, &these).await?.to_string())
}

/// Each as it stands, and who has said nothing yet.
async fn listed(caller: &Caller<'_>, these: &[Delegation]) -> Result<Value, ToolError> {
    let mut results = Vec::new();
    for one in these {
        results.push(described(caller, one, 0).await?);
    }
    let silent: Vec<&str> =
        these.iter().filter(|one| !one.state.is_over()).map(|one| one.name.as_str()).collect();
    Ok(match silent.is_empty() {
        true => json!({ "results": results }),
        false => json!({ "results": results, "not_done": silent }),
    })
}

fn briefly(one: &Delegation) -> Value {
    json!({ "id": one.id, "name": one.name, "state": one.state })
}

async fn described(caller: &Caller<'_>, one: &Delegation, from: usize) -> Result<Value, ToolError> {
    let heard = caller.hub.delegations().heard(one, from).await?;
    let mut told = briefly(one);
    told["agent"] = json!(one.agent);
    told["conversation"] = json!(one.conversation);
    match one.kind {
        DelegationKind::Peer => told["elsewhere"] = json!(true),
        DelegationKind::Shared => told["of_others"] = json!(true),
        DelegationKind::SubAgent | DelegationKind::Agent | DelegationKind::Topic => {
            told["address"] = json!(format!("/agents/{}/conversations/{}", one.agent, one.conversation));
        }
    }
    if one.state == DelegationState::Queued || one.state == DelegationState::Running {
        return Ok(told);
    }
    if !one.why.is_empty() {
        told["why"] = json!(one.why);
    }
    let end = from + heard.text.chars().count();
    if end < heard.length {
        told["more"] = json!(format!("{} of {} characters. agent_result has more.", end, heard.length));
    }
    let files = caller.hub.delegations().changed_files(one).await?;
    if !files.is_empty() {
        told["files"] = json!(files);
    }
    let left = caller.hub.delegations().left_at_work(one).await?;
    if !left.is_empty() {
        told["left_at_work"] = json!(left);
    }
    if heard.untrusted {
        told["by"] = json!("others");
    }
    if one.is_a_question() {
        told["asks"] =
            json!("It asks this before it goes on. Answer it with agent_ask, by its name and with its hub.");
    }
    told["text"] = json!(heard.text);
    Ok(told)
}
