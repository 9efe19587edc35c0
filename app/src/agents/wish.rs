//! From a sentence on the empty wall to a definition.

use super::form::COLOURS;
use super::usual;
use crate::AppError;
use hub::Scoped;
use protocol::view::{AgentDraft, LoopSettings};

/// Characters of a name that was made from a sentence.
const NAME: usize = 24;

pub(super) async fn draft(agents: &Scoped<'_>, wish: String) -> Result<AgentDraft, AppError> {
    let wish = wish.trim().to_owned();
    if wish.is_empty() {
        return Err(hub::Error::invalid("Say what should live here, in a few words.").into());
    }
    let providers = agents.providers().await?;
    let provider = usual::provider(&providers);
    let model = match provider {
        Some(provider) => first_model(agents, provider).await,
        None => String::new(),
    };
    let (colour, _) = COLOURS[agents.agents().await?.len() % COLOURS.len()];
    Ok(AgentDraft {
        name: first_words(&wish),
        colour: colour.to_owned(),
        instructions: wish,
        provider: provider.map_or_else(String::new, |provider| provider.id.0.clone()),
        model,
        fallback_provider: String::new(),
        fallback_model: String::new(),
        tools: agents.tool_views().into_iter().filter(|tool| tool.usual).map(|tool| tool.name).collect(),
        max_output_tokens: 0,
        home: usual::home(provider),
        loop_settings: LoopSettings::default(),
    })
}

/// A provider that does not answer is no reason not to make the agent: the model can be chosen later.
async fn first_model(agents: &Scoped<'_>, provider: &protocol::view::ProviderView) -> String {
    match agents.models(&provider.id).await {
        Ok(list) => list.models.into_iter().next().unwrap_or_default(),
        Err(_) => String::new(),
    }
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
