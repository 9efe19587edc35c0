//! From a sentence on the wall to an agent that is at work on it.

use super::form::COLOURS;
use super::usual;
use super::wishing::WISH;
use crate::AppError;
use crate::prelude::{say, t};
use crate::ui::kind_label;
use hub::Scoped;
use protocol::ProviderId;
use protocol::agent::ProviderKind;
use protocol::view::{AgentDraft, AgentView, LoopSettings, ProviderView};

/// Characters of a name that was made from a sentence.
const NAME: usize = 24;

/// Makes the agent that somebody wishes for and tells it so: it begins at once. Without a provider that
/// thinks there is none, and nothing is made.
pub(super) async fn fulfil(agents: &Scoped<'_>, wish: &str) -> Result<Option<AgentView>, AppError> {
    let wish = check(wish)?;
    let providers = agents.providers().list().await?;
    let Some(provider) = usual::provider(&providers) else { return Ok(None) };
    let agent = agents.agents().create(draft(agents, wish, provider).await?).await?;
    agents.runs().send_message(&agent.id, wish, None, None).await?;
    Ok(Some(agent))
}

/// The wish without what is around it.
pub(super) fn check(wish: &str) -> Result<&str, AppError> {
    let wish = wish.trim();
    if wish.is_empty() {
        return Err(hub::Error::invalid(t("Say what should live here, in a few words.")).into());
    }
    if wish.chars().count() > usize::from(WISH) {
        return Err(hub::Error::Limit(say!(
            "A wish has at most {most} characters. Say the rest to the agent.",
            most = WISH
        ))
        .into());
    }
    Ok(wish)
}

/// The provider that was asked for beside the wish, if it works.
pub(super) async fn connect(
    agents: &Scoped<'_>,
    kind: ProviderKind,
    base_url: Option<&str>,
    key: Option<&str>,
) -> Result<(), AppError> {
    let probe = agents.providers().test(kind, base_url, key, None, None).await?;
    if !probe.ok {
        return Err(
            hub::Error::Upstream(say!("Not saved. {why}", why = language::sentence(&probe.message))).into()
        );
    }
    agents.providers().save(None, kind_label(kind), kind, base_url, key).await?;
    Ok(())
}

async fn draft(agents: &Scoped<'_>, wish: &str, provider: &ProviderView) -> Result<AgentDraft, AppError> {
    let (colour, _) = COLOURS[agents.agents().list().await?.len() % COLOURS.len()];
    Ok(AgentDraft {
        name: first_words(wish),
        colour: colour.to_owned(),
        instructions: wish.to_owned(),
        provider: provider.id.0.clone(),
        model: first_model(agents, provider).await,
        fallback_provider: String::new(),
        fallback_model: String::new(),
        tools: agents
            .agents()
            .tools()
            .await?
            .into_iter()
            .filter(|tool| tool.usual)
            .map(|tool| tool.name)
            .collect(),
        max_output_tokens: 0,
        home: usual::home(Some(provider)),
        loop_settings: LoopSettings::default(),
    })
}

/// The draft with the first model of its provider, where it names none: without one the agent could never answer.
pub(super) async fn with_model(agents: &Scoped<'_>, draft: AgentDraft) -> Result<AgentDraft, AppError> {
    if draft.provider.is_empty() || !draft.model.trim().is_empty() {
        return Ok(draft);
    }
    let providers = agents.providers().list().await?;
    let Some(provider) = providers.iter().find(|provider| provider.id.0 == draft.provider) else {
        return Ok(draft);
    };
    let model = first_model(agents, provider).await;
    if model.is_empty() {
        let words = say!("{name} tells of no model. Write the name of one.", name = provider.name);
        return Err(hub::Error::invalid(words).into());
    }
    Ok(AgentDraft { model, ..draft })
}

/// A provider that does not answer is no reason not to make the agent: the model can be chosen later.
pub(crate) async fn first_model(agents: &Scoped<'_>, provider: &ProviderView) -> String {
    match agents.providers().models(&provider.id).await {
        Ok(list) => list.models.into_iter().next().unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// The first model of a provider that has to have one now.
pub(super) async fn own_first_model(agents: &Scoped<'_>, provider: &ProviderId) -> Result<String, AppError> {
    let first = agents.providers().models(provider).await?.models.into_iter().next();
    let missing = || hub::Error::invalid(t("The provider tells of no model. Write the name of one."));
    Ok(first.ok_or_else(missing)?)
}

fn first_words(wish: &str) -> String {
    let mut name = String::new();
    for word in wish.split_whitespace() {
        let length = name.chars().count() + usize::from(!name.is_empty()) + word.chars().count();
        if length > NAME {
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if name.is_empty() {
        name = wish.chars().take(NAME).collect();
    }
    name.trim_end_matches([',', '.', ';', ':']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::first_words;

    #[test]
    fn a_name_is_the_first_words_of_the_wish() {
        let table = [
            ("A timer that knows when I work best", "A timer that knows when"),
            ("Chess", "Chess"),
            ("A garden, which grows while I write my thesis", "A garden, which grows"),
            ("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsge"),
            ("a\n\tb", "a b"),
            ("A clock.", "A clock"),
        ];
        for (wish, name) in table {
            assert_eq!(first_words(wish), name, "{wish}");
        }
    }
}
