//! What a new agent begins with.

use super::form::COLOURS;
use protocol::agent::{Home, ProviderKind};
use protocol::view::{AgentDraft, LoopSettings, ProviderView, ToolView};

/// The provider that a new agent thinks with: one that the hub can call, if there is one, because that
/// one answers at either home.
pub fn provider(providers: &[ProviderView]) -> Option<&ProviderView> {
    let thinking = || providers.iter().filter(|provider| provider.kind != ProviderKind::Scripted);
    thinking().find(|provider| provider.reach.only_home().is_none()).or_else(|| thinking().next())
}

/// Where it lives, so that it can run.
pub(super) fn home(provider: Option<&ProviderView>) -> Home {
    provider.and_then(|provider| provider.reach.only_home()).unwrap_or(Home::Hub)
}

/// What the form starts with: a provider that thinks, and the usual tools.
pub fn draft(providers: &[ProviderView], tools: &[ToolView]) -> AgentDraft {
    let provider = provider(providers);
    let (colour, _) = COLOURS[0];
    AgentDraft {
        name: String::new(),
        colour: colour.to_owned(),
        instructions: String::new(),
        home: home(provider),
        provider: provider.map_or_else(String::new, |provider| provider.id.0.clone()),
        model: String::new(),
        fallback_provider: String::new(),
        fallback_model: String::new(),
        tools: tools.iter().filter(|tool| tool.usual).map(|tool| tool.name.clone()).collect(),
        max_output_tokens: 4096,
        loop_settings: LoopSettings { rounds: 25, ..LoopSettings::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::{ProviderOwnership, ProviderReach};

    #[test]
    fn a_new_agent_begins_with_what_can_run() {
        use ProviderReach::{Device, DeviceKey, Hub};
        let script = (ProviderKind::Scripted, Hub);
        let own = (ProviderKind::InBrowser, Device);
        let near = (ProviderKind::Ollama, Device);
        let key = (ProviderKind::Anthropic, DeviceKey);
        let hub = (ProviderKind::OpenAi, Hub);
        for (all, place, at) in [
            (vec![], None, Home::Hub),
            (vec![script], None, Home::Hub),
            (vec![script, hub], Some(1), Home::Hub),
            (vec![own, near, key], Some(0), Home::Browser),
            (vec![key], Some(0), Home::Browser),
            (vec![near, script, own, hub, key], Some(3), Home::Hub),
        ] {
            let providers: Vec<ProviderView> = all.iter().map(|(kind, reach)| view(*kind, *reach)).collect();
            let draft = draft(&providers, &[]);
            let expected = place.map_or("", |place: usize| &providers[place].id.0);
            assert_eq!((draft.provider.as_str(), draft.home), (expected, at), "{all:?}");
        }
    }

    fn view(kind: ProviderKind, reach: ProviderReach) -> ProviderView {
        ProviderView {
            id: format!("{kind:?} {reach:?}").as_str().into(),
            name: String::new(),
            kind,
            base_url: None,
            has_key: false,
            whose: ProviderOwnership::Own,
            created_at: 0,
            reach,
            models_at: None,
            key_slot: None,
        }
    }
}
