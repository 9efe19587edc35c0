//! What an agent makes of its own instructions, after its person said yes to these words.

use super::versions::Written;
use super::{Instructions, as_lines, put};
use crate::agents;
use crate::difference::for_a_model;
use crate::error::{Error, Result};
use crate::log::EntryScope;

/// What becomes of what the instructions say so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstructionsChange {
    Replace,
    Append,
    Prepend,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Changed {
    pub(crate) version: u64,
    pub(crate) difference: String,
}

impl Instructions<'_> {
    /// The limits of the form hold here too.
    pub(crate) async fn change_own(
        self,
        place: &EntryScope,
        change: InstructionsChange,
        text: &str,
    ) -> Result<Changed> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Error::invalid("Say what the instructions are to say."));
        }
        self.hub.spaces().require_for(&place.agent).await?;
        let mut tx = self.hub.store().write().await?;
        agents::lock(&mut tx, &place.agent).await?;
        let before = agents::instructions_of(&mut tx, &place.agent).await?;
        let after = agents::check_instructions(&change.made_of(&before, text))?;
        let written = Written::by_agent(place.conversation.as_ref(), self.hub.now());
        let version = put(&mut tx, &place.agent, &after, written).await?;
        tx.commit().await?;
        Ok(Changed { version, difference: for_a_model(as_lines(&before), as_lines(&after)).await? })
    }
}

impl InstructionsChange {
    fn made_of(self, before: &str, text: &str) -> String {
        match self {
            Self::Replace => text.to_owned(),
            Self::Append | Self::Prepend if before.is_empty() => text.to_owned(),
            Self::Append => format!("{before}\n\n{text}"),
            Self::Prepend => format!("{text}\n\n{before}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::InstructionsChange::{Append, Prepend, Replace};

    #[test]
    fn what_is_added_is_a_paragraph_of_its_own() {
        for (change, before, expected) in [
            (Replace, "Be kind.", "Be brief."),
            (Append, "Be kind.", "Be kind.\n\nBe brief."),
            (Prepend, "Be kind.", "Be brief.\n\nBe kind."),
            (Replace, "", "Be brief."),
            (Append, "", "Be brief."),
            (Prepend, "", "Be brief."),
        ] {
            assert_eq!(change.made_of(before, "Be brief."), expected, "{change:?} {before:?}");
        }
    }
}
