//! What a person is told of an archive before anything is made of it, and the agent it would become.

use super::content::Content;
use super::manifest::{Dependency, OwnFields};
use crate::archives::OwnArchives;
use crate::error::Result;
use agent::tools;
use protocol::agent::ProviderKind;
use protocol::archive::ArchiveReview;
use protocol::view::{AgentDraft, ProviderView};
use serde_json::Value;
use std::collections::BTreeSet;

const COLOUR: &str = "#3d9a5d";
/// Characters of an agent's name.
const NAME: usize = 60;
/// Tokens of a reply, where an archive does not say.
const USUAL_TOKENS: u64 = 4096;
const MOST_TOKENS: u64 = 200_000;
/// Characters that are quoted of something that an archive says.
const QUOTED: usize = 200;

/// Names in a sentence at most.
const LISTED: usize = 20;

/// What a conversation that was exported lies in.
const CONVERSATIONS: [&str; 2] = ["context.json", "context.terse.json"];

impl OwnArchives<'_> {
    pub(super) async fn review(self, archive: &str, content: &Content) -> Result<ArchiveReview> {
        let Content { manifest, page, kept, files, schedules, tools, .. } = content;
        let mut notices = notices(content, &self.servers(content).await?);
        let mut draft = draft(content);
        match self.choose_model(manifest.config.model.as_deref()).await? {
            Chosen::Nothing => {}
            Chosen::Model { provider, model } => {
                think_with(&mut draft, Some(&provider));
                draft.model = model;
            }
            Chosen::Missing { provider, wanted } => {
                think_with(&mut draft, provider.as_ref());
                notices.push(format!(
                    "It was made for the model {wanted}, which none of your providers has. Choose one."
                ));
            }
        }
        let (named, canonical): (Vec<_>, Vec<_>) = split_tools(manifest.config.tools.as_deref());
        draft.tools = if manifest.config.tools.is_some() { canonical } else { self.usual_tools() };
        if draft.tools.iter().any(|name| name == agent::tools::TERMINAL) {
            draft.tools.retain(|name| name != agent::tools::TERMINAL);
            notices.push(
                "It asks for a terminal. An agent begins without; you can give it one in its settings."
                    .to_owned(),
            );
        }
        if !named.is_empty() {
            notices.push(format!("It asks for tools that are not here: {}.", named.join(", ")));
        }
        Ok(ArchiveReview {
            archive: archive.to_owned(),
            name: manifest.name.clone(),
            version: manifest.version(),
            description: manifest.description.clone(),
            author: manifest.author.clone(),
            license: manifest.license.clone(),
            tags: manifest.tags.clone(),
            has_page: page.is_some(),
            files: count(files.len()),
            bytes: files.values().map(|bytes| bytes.len() as u64).sum(),
            state_keys: count(kept.state.len()),
            storage_keys: count(kept.storage.len()),
            rules: count(kept.rules.len()),
            made_tools: count(tools.len()),
            schedules: schedules.clone(),
            network: content.proposed_network().cloned().unwrap_or_default(),
            conversations: count(content.conversations.len()),
            proposed: content.proposed_rules().cloned().collect(),
            notices,
            draft,
        })
    }

    /// The servers that the page of an archive wants something from.
    pub(super) async fn servers(self, content: &Content) -> Result<BTreeSet<String>> {
        match &content.page {
            Some(page) => self.scoped.hub.skins().servers(&self.scoped.viewer.me.id, page).await,
            None => Ok(BTreeSet::new()),
        }
    }

    fn usual_tools(self) -> Vec<String> {
        agent::tools::all().iter().filter(|tool| tool.is_usual()).map(|tool| tool.name.to_owned()).collect()
    }

    /// The provider that has the wanted model; without a wish the first one that thinks.
    pub(crate) async fn choose_model(self, wanted: Option<&str>) -> Result<Chosen> {
        let mut providers = self.scoped.providers().list().await?;
        // One that the hub can call answers at either home.
        providers.sort_by_key(|provider| provider.reach.only_home().is_some());
        let mut thinking = providers.into_iter().filter(|provider| provider.kind != ProviderKind::Scripted);
        let Some(wanted) = wanted.map(str::trim).filter(|wanted| !wanted.is_empty()) else {
            let Some(provider) = thinking.next() else { return Ok(Chosen::Nothing) };
            let model = self
                .scoped
                .providers()
                .models(&provider.id)
                .await?
                .models
                .into_iter()
                .next()
                .unwrap_or_default();
            return Ok(Chosen::Model { provider, model });
        };
        let mut first = None;
        for provider in thinking {
            if self.scoped.providers().models(&provider.id).await?.models.iter().any(|model| model == wanted)
            {
                return Ok(Chosen::Model { provider, model: wanted.to_owned() });
            }
            first.get_or_insert(provider);
        }
        Ok(Chosen::Missing { provider: first, wanted: quoted(wanted) })
    }
}

pub(crate) enum Chosen {
    Nothing,
    Model { provider: ProviderView, model: String },
    Missing { provider: Option<ProviderView>, wanted: String },
}

/// Its models answer where the agent lives.
fn think_with(draft: &mut AgentDraft, provider: Option<&ProviderView>) {
    draft.provider = provider.map_or_else(String::new, |provider| provider.id.0.clone());
    draft.home = provider.and_then(|provider| provider.reach.only_home()).unwrap_or(draft.home);
}

fn draft(content: &Content) -> AgentDraft {
    let config = &content.manifest.config;
    let OwnFields { colour, home, r#loop: mut loop_settings, .. } =
        content.manifest.vivarium.clone().unwrap_or_default();
    let tokens = config.max_tokens.unwrap_or(USUAL_TOKENS).clamp(1, MOST_TOKENS);
    if loop_settings.rounds == 0 {
        loop_settings.rounds = agent::ROUNDS;
    }
    AgentDraft {
        name: content.manifest.name.trim().chars().filter(|c| !c.is_control()).take(NAME).collect(),
        colour: if colour.is_empty() { COLOUR.to_owned() } else { colour },
        instructions: config.system_prompt.clone().unwrap_or_default(),
        max_output_tokens: u32::try_from(tokens).unwrap_or_default(),
        home,
        loop_settings,
        ..AgentDraft::default()
    }
}

/// Names that mean nothing here, and the tools that the others mean.
fn split_tools(names: Option<&[String]>) -> (Vec<String>, Vec<String>) {
    let (mut unknown, mut known) = (Vec::new(), Vec::new());
    for name in names.unwrap_or_default() {
        match tools::find(name) {
            Some(tool) if known.iter().any(|known| known == tool.name) => {}
            // It comes with what a person lets the agent reach.
            Some(tool) if tool.is_of_the_web() => {}
            Some(tool) => known.push(tool.name.to_owned()),
            None => unknown.push(quoted(name)),
        }
    }
    (unknown, known)
}

/// A sentence for each thing that an archive wants and does not get.
pub(super) fn notices(content: &Content, elsewhere: &BTreeSet<String>) -> Vec<String> {
    let Content { manifest, page: _, kept, files, schedules, tools, strays, unread, lost, conversations: _ } =
        content;
    let config = &manifest.config;
    let mut notices = Vec::new();
    if let Some(policy) = &config.network_policy {
        notices.push(format!(
            "It asks for the network ({}). An agent begins without; you can allow it some in its settings.",
            quoted(&policy.to_string())
        ));
    }
    for (limit, unit) in [(&config.token_budget, "tokens"), (&config.cost_budget_usd, "US dollars")] {
        if let Some(limit @ (Value::Number(_) | Value::String(_))) = limit {
            notices.push(format!(
                "It had a budget of {} {unit}, which is not kept.",
                quoted(limit.to_string().trim_matches('"'))
            ));
        }
    }
    let dependencies =
        [("skill", &manifest.dependencies.skills), ("extension", &manifest.dependencies.extensions)];
    for (kind, list) in dependencies {
        for Dependency { name, required } in list {
            let word = if *required { "needs" } else { "can use" };
            notices.push(format!("It {word} the {kind} {}, which is not here.", quoted(name)));
        }
    }
    notices.extend(kept.lost.iter().chain(lost).map(|lost| quoted(lost)));
    if !tools.is_empty() {
        let names: Vec<_> = tools.iter().map(|tool| tool.spec.name.as_str()).collect();
        notices.push(format!(
            "It brings tools of its own: {}. They wait: the agent has each of them once you have looked at what it reaches and at its code, and accepted it, on the page of its own tools.",
            names.join(", ")
        ));
    }
    let own = manifest.vivarium.as_ref();
    if own.is_some_and(|own| !own.network.is_off()) && content.proposed_network().is_none() {
        notices.push("What it had been allowed of the web cannot be allowed here.".to_owned());
    }
    let refused = own.map_or(0, |own| own.rules.len()) - content.proposed_rules().count();
    if refused > 0 {
        notices.push(format!("Rules about its calls that can be none here are left out: {refused}."));
    }
    if !schedules.is_empty() {
        notices.push("Its schedules are switched off. They begin when you resume them.".to_owned());
    }
    for file in files.keys().filter(|path| CONVERSATIONS.contains(&path.as_str())) {
        notices.push(format!(
            "What was said before is kept in its file {file}. The new agent's conversation is empty."
        ));
    }
    if !elsewhere.is_empty() {
        let list: Vec<_> = elsewhere.iter().map(String::as_str).collect();
        notices.push(format!(
            "Its page loads things from {}. Pages here have no network, so these stay away.",
            list.join(", ")
        ));
    }
    if manifest.icon.is_some() {
        notices.push("Its icon is not kept.".to_owned());
    }
    let unknown: Vec<_> =
        manifest.unknown.keys().chain(config.unknown.keys()).map(|name| quoted(name)).collect();
    if !unknown.is_empty() {
        notices.push(format!("The manifest has fields that mean nothing here: {}.", unknown.join(", ")));
    }
    if !unread.is_empty() {
        notices.push(format!("These cannot be read and are left out: {}.", listed(unread)));
    }
    if !strays.is_empty() {
        notices.push(format!("These files have no place in an agent and are left out: {}.", listed(strays)));
    }
    notices
}

fn listed(names: &[String]) -> String {
    let list: Vec<_> = names.iter().take(LISTED).map(|name| quoted(name)).collect();
    let more = names.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    list.join(", ") + &more
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
