//! Outboxes as this browser keeps them: each tab writes its own, so that none writes over what another has not sent.

use super::outbox::Outbox;
use crate::browser::storage::Store;
use protocol::{AgentId, ConversationId, TabId, UserId};

const OUTBOX: &str = "outbox.";

/// What a tab has not sent in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub agent: AgentId,
    pub conversation: ConversationId,
    pub tab: TabId,
}

impl Place {
    fn name(&self) -> String {
        format!("{OUTBOX}{}.{}.{}", self.agent, self.conversation, self.tab)
    }

    fn named(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(OUTBOX)?.split('.').map(str::to_owned);
        let place = Self {
            agent: AgentId(parts.next()?),
            conversation: ConversationId(parts.next()?),
            tab: TabId(parts.next()?),
        };
        parts.next().is_none().then_some(place)
    }
}

pub fn write(person: &UserId, place: &Place, outbox: &Outbox) {
    let text = if outbox.items().is_empty() {
        String::new()
    } else {
        serde_json::to_string(outbox).unwrap_or_default()
    };
    Store::of_person(person).write(&place.name(), &text);
}

pub fn read(person: &UserId, place: &Place) -> Option<Outbox> {
    let kept = Store::of_person(person).read(&place.name())?;
    Some(serde_json::from_str(&kept).unwrap_or_default())
}

/// Those that no page answers for: of this tab, and of tabs that are not `open` any more.
pub fn left(person: &UserId, own: &TabId, open: &[TabId]) -> Vec<Place> {
    let names = Store::of_person(person).names(OUTBOX);
    let places = names.iter().filter_map(|name| Place::named(name));
    places.filter(|place| place.tab == *own || !open.contains(&place.tab)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_again_by_its_name() {
        let place =
            Place { agent: "ada".into(), conversation: "talk".into(), tab: TabId("19f-00ab".to_owned()) };
        assert_eq!(Place::named(&place.name()), Some(place));
        assert_eq!(Place::named("outbox.ada.talk"), None);
        assert_eq!(Place::named("draft.talk"), None);
    }
}
