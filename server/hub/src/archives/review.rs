//! What a person is told of an archive before anything is made of it, and the agent it would become.

use super::content::Content;
use super::manifest::{Dependency, Own};
use crate::access::Scoped;
use crate::error::Result;
use crate::skins::document;
use agent::tools;
use protocol::archive::ArchiveReview;
use protocol::frame::SkinPage;
use protocol::view::{AgentDraft, ProviderKind, ProviderView};
use scraper::Selector;
use serde_json::Value;
use std::collections::BTreeSet;
use url::Url;

const COLOUR: &str = "#3d9a5d";
/// Characters of an agent's name.
const NAME: usize = 60;
/// Tokens of a reply, where an archive does not say.
const USUAL_TOKENS: u64 = 4096;
const MOST_TOKENS: u64 = 200_000;
/// Characters that are quoted of something that an archive says.
const QUOTED: usize = 200;

/// What a conversation that was exported lies in.
const CONVERSATIONS: [&str; 2] = ["context.json", "context.terse.json"];

impl Scoped<'_> {
    pub(super) async fn review(&self, archive: &str, content: &Content) -> Result<ArchiveReview> {
        let Content { manifest, page, kept, files, schedules, .. } = content;
        let mut notices = notices(content);
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
            schedules: schedules.clone(),
            notices,
            draft,
        })
    }

    fn usual_tools(&self) -> Vec<String> {
        self.tool_views().into_iter().filter(|tool| tool.usual).map(|tool| tool.name).collect()
    }

    /// The provider that has the wanted model; without a wish the first one that thinks.
    async fn choose_model(&self, wanted: Option<&str>) -> Result<Chosen> {
        let mut providers = self.providers().await?;
        // One that the hub can call answers at either home.
        providers.sort_by_key(|provider| provider.reach.only_home().is_some());
        let mut thinking = providers.into_iter().filter(|provider| provider.kind != ProviderKind::Scripted);
        let Some(wanted) = wanted.map(str::trim).filter(|wanted| !wanted.is_empty()) else {
            let Some(provider) = thinking.next() else { return Ok(Chosen::Nothing) };
            let model = self.models(&provider.id).await?.models.into_iter().next().unwrap_or_default();
            return Ok(Chosen::Model { provider, model });
        };
        let mut first = None;
        for provider in thinking {
            if self.models(&provider.id).await?.models.iter().any(|model| model == wanted) {
                return Ok(Chosen::Model { provider, model: wanted.to_owned() });
            }
            first.get_or_insert(provider);
        }
        Ok(Chosen::Missing { provider: first, wanted: quoted(wanted) })
    }
}

enum Chosen {
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
    let Own { colour, home, r#loop: mut loop_settings } =
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
pub(super) fn notices(content: &Content) -> Vec<String> {
    let Content { manifest, page, kept, files, schedules, strays } = content;
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
    if kept.rules > 0 {
        notices.push(format!(
            "It had {} rules that wake it when its state changes. It has to set them again.",
            kept.rules
        ));
    }
    if !schedules.is_empty() {
        notices.push("Its schedules are switched off. They begin when you resume them.".to_owned());
    }
    for file in files.keys().filter(|path| CONVERSATIONS.contains(&path.as_str())) {
        notices.push(format!(
            "What was said before is kept in its file {file}. The new agent's conversation is empty."
        ));
    }
    let elsewhere = page.as_ref().map(servers).unwrap_or_default();
    if !elsewhere.is_empty() {
        let list: Vec<_> = elsewhere.into_iter().collect();
        notices.push(format!(
            "Its page loads things from {}. Pages here have no network, so these stay away.",
            list.join(", ")
        ));
    }
    let unknown: Vec<_> =
        manifest.unknown.keys().chain(config.unknown.keys()).map(|name| quoted(name)).collect();
    if !unknown.is_empty() {
        notices.push(format!("The manifest has fields that mean nothing here: {}.", unknown.join(", ")));
    }
    if !strays.is_empty() {
        notices
            .push(format!("These files have no place in an agent and are left out: {}.", strays.join(", ")));
    }
    notices
}

/// The servers that the page wants scripts, styles, pictures and the like from.
fn servers(page: &SkinPage) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let selector = Selector::parse("link[href], [src], [poster]").expect("it is a selector");
    for part in [&page.head, &page.body] {
        let Ok(document) = document::parse(part) else { continue };
        for element in document.select(&selector) {
            let addresses = ["href", "src", "poster"].into_iter().filter_map(|name| element.attr(name));
            found.extend(addresses.filter_map(server));
        }
    }
    found
}

fn server(address: &str) -> Option<String> {
    let base = Url::parse("https://page.invalid/").ok()?;
    let url = base.join(address).ok()?;
    let is_elsewhere = matches!(url.scheme(), "http" | "https") && url.host_str() != base.host_str();
    is_elsewhere.then(|| url.host_str().unwrap_or_default().to_owned())
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
