//! What a file becomes with what its person has: providers, roles, agents.

use super::OwnTeams;
use super::file::{Entry, TeamFile, quoted, refuse};
use crate::agent_roles::free_name;
use crate::agents;
use crate::archives::Chosen;
use crate::error::Result;
use agent::providers::Wire;
use agent::tools;
use protocol::view::{AgentDraft, AgentRoleView, ProviderOwnership, ProviderView, RoleReview};
use std::collections::BTreeMap;

/// Of agents whose file names none.
const COLOURS: [&str; 6] = ["#3d9a5d", "#2f8f9d", "#4a7fc1", "#7d6bc4", "#b25fa3", "#c57b2c"];

pub(super) struct Plan {
    pub(super) team: Option<String>,
    pub(super) roles: Vec<PlannedRole>,
}

pub(super) struct PlannedRole {
    pub(super) review: RoleReview,
    /// What each of its agents is, but for the name.
    pub(super) definition: AgentDraft,
}

impl OwnTeams<'_> {
    pub(super) async fn planned(self, file: TeamFile) -> Result<Plan> {
        let known = self.scoped.agent_roles().list().await?;
        let mut models: BTreeMap<String, Option<ProviderView>> = BTreeMap::new();
        for wanted in file.entries.iter().map(|entry| &entry.model).filter(|model| !model.is_empty()) {
            if !models.contains_key(wanted) {
                let found = match self.scoped.archives().choose_model(Some(wanted)).await? {
                    Chosen::Model { provider, .. } => Some(provider),
                    Chosen::Nothing | Chosen::Missing { .. } => None,
                };
                models.insert(wanted.clone(), found);
            }
        }
        let mut wrong = Vec::new();
        let mut roles = Vec::new();
        for (at, entry) in file.entries.into_iter().enumerate() {
            let provider = models.get(&entry.model).cloned().flatten();
            let there = known.iter().find(|role| role.name.to_lowercase() == entry.role.to_lowercase());
            let line = entry.line;
            let mut planned = planned(entry, provider, there, COLOURS[at % COLOURS.len()]);
            for name in planned.review.makes.iter().chain([&planned.review.role]) {
                match agents::tidied(AgentDraft { name: name.clone(), ..planned.definition.clone() }) {
                    Ok(definition) => planned.definition = definition,
                    Err(error) => {
                        wrong.push(format!("Line {line}: {}", error.into_failure().message));
                        break;
                    }
                }
            }
            planned.definition.name = String::new();
            roles.push(planned);
        }
        refuse(wrong)?;
        Ok(Plan { team: file.team, roles })
    }
}

fn planned(
    entry: Entry,
    provider: Option<ProviderView>,
    known: Option<&AgentRoleView>,
    colour: &str,
) -> PlannedRole {
    let wanted = entry.wanted();
    let mut notices = entry.notices;
    let tools = match &entry.tools {
        Some(names) => chosen_tools(names, entry.tools_line, &mut notices),
        None => tools::all().iter().filter(|tool| tool.is_usual()).map(|tool| tool.name.to_owned()).collect(),
    };
    if entry.model.is_empty() {
        notices.push(format!("Line {}: it names no model. Choose one in the agent's settings.", entry.line));
    } else if provider.is_none() {
        notices.push(format!(
            "Line {}: none of your providers has the model {}. Choose one in the agent's settings.",
            entry.model_line,
            quoted(&entry.model)
        ));
    }
    let mut settings = entry.settings;
    if settings.sampling.extra.is_some() && !provider.as_ref().is_some_and(takes_extra) {
        settings.sampling.extra = None;
        notices.push(format!(
            "Line {}: its extra fields are left out, which go to a provider of your own only.",
            entry.line
        ));
    }
    let definition = AgentDraft {
        name: String::new(),
        colour: if entry.colour.is_empty() { colour.to_owned() } else { entry.colour },
        instructions: entry.instructions,
        provider: provider.as_ref().map_or_else(String::new, |provider| provider.id.0.clone()),
        model: entry.model,
        tools,
        max_output_tokens: entry.max_output_tokens,
        home: provider
            .as_ref()
            .and_then(|provider| provider.reach.only_home())
            .or(entry.home)
            .unwrap_or_default(),
        loop_settings: settings,
        ..AgentDraft::default()
    };
    let there: Vec<String> =
        known.into_iter().flat_map(|role| &role.agents).map(|agent| agent.name.clone()).collect();
    let makes = names(&entry.role, &entry.names, &there, wanted);
    let review = RoleReview {
        line: entry.line,
        role: entry.role,
        description: entry.description,
        instructions: definition.instructions.clone(),
        provider: provider.map(|provider| provider.name),
        model: definition.model.clone(),
        tools: definition.tools.clone(),
        least: entry.least,
        most: entry.most,
        is_known: known.is_some(),
        there: u32::try_from(there.len()).unwrap_or(u32::MAX),
        makes,
        notices,
    };
    PlannedRole { review, definition }
}

/// Those that are missing: by the file's names that are not taken, then by the role's.
fn names(role: &str, written: &[String], there: &[String], wanted: usize) -> Vec<String> {
    let mut taken = there.to_vec();
    let mut made = Vec::new();
    let is_taken = |name: &String, taken: &[String]| {
        taken.iter().any(|other| other.to_lowercase() == name.to_lowercase())
    };
    let mut written = written.iter().filter(|name| !is_taken(name, there));
    while taken.len() < wanted {
        let name = written.next().cloned().unwrap_or_else(|| free_name(role, &taken));
        taken.push(name.clone());
        made.push(name);
    }
    made
}

fn chosen_tools(names: &[String], line: u32, notices: &mut Vec<String>) -> Vec<String> {
    let mut chosen = Vec::new();
    for name in names {
        if let Some(set) = tools::set_named(name) {
            chosen.extend(set.map(|tool| tool.name));
            continue;
        }
        let why = match tools::find(name) {
            None => "there is no such tool",
            Some(tool) if tool.is_of_the_web() => {
                "it comes with what of the web you let the agent reach, in its settings"
            }
            Some(tool) if tool.name == tools::TERMINAL => "a terminal you give yourself, in its settings",
            Some(tool) => {
                chosen.push(tool.name);
                continue;
            }
        };
        notices.push(format!("Line {line}: the tool {} is left out: {why}.", quoted(name)));
    }
    let chosen = tools::all().iter().filter(|tool| chosen.contains(&tool.name));
    chosen.map(|tool| tool.name.to_owned()).collect()
}

fn takes_extra(provider: &ProviderView) -> bool {
    let is_own = match provider.whose {
        ProviderOwnership::Own | ProviderOwnership::OwnShared => true,
        ProviderOwnership::Lent { .. } => false,
    };
    is_own && Wire::of(provider.kind).is_some()
}
