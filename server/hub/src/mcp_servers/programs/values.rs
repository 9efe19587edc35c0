//! What a person fills in for a program. It is kept in the vault as one text.

use crate::error::{Error, Result};
use crate::vault::Secret;
use redact::Needles;
use std::borrow::Cow;

/// Bytes of all of them.
const MOST_BYTES: usize = 8 * 1024;

#[derive(Debug, Default)]
pub(in crate::mcp_servers) struct Values(Vec<(String, Secret)>);

impl Values {
    pub(in crate::mcp_servers) fn add(&mut self, name: &str, value: &str) -> Result<()> {
        let bytes: usize = self.0.iter().map(|(name, value)| name.len() + value.expose().len()).sum();
        if value.contains('\0') || bytes + name.len() + value.len() > MOST_BYTES {
            return Err(Error::invalid("Variables have at most 8 KB together, and no zero bytes."));
        }
        if self.0.iter().any(|(other, _)| other == name) {
            return Err(Error::invalid(format!(
                "The variable {name} is there twice. Take one of them away."
            )));
        }
        self.0.push((name.to_owned(), Secret::new(value.to_owned())));
        Ok(())
    }

    pub(in crate::mcp_servers) fn all(&self) -> &[(String, Secret)] {
        &self.0
    }

    pub(in crate::mcp_servers) fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    pub(in crate::mcp_servers) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::mcp_servers) fn are_same(&self, other: &Self) -> bool {
        let texts = |values: &Self| -> Vec<(String, String)> {
            values.0.iter().map(|(name, value)| (name.clone(), value.expose().to_owned())).collect()
        };
        texts(self) == texts(other)
    }

    /// As they are sealed.
    pub(in crate::mcp_servers) fn seal(&self) -> Result<Secret> {
        let values: Vec<(&str, &str)> =
            self.0.iter().map(|(name, value)| (name.as_str(), value.expose())).collect();
        Ok(Secret::new(serde_json::to_string(&values)?))
    }

    pub(in crate::mcp_servers) fn opened(sealed: &Secret) -> Result<Self> {
        let values: Vec<(String, String)> = serde_json::from_str(sealed.expose())?;
        Ok(Self(values.into_iter().map(|(name, value)| (name, Secret::new(value))).collect()))
    }

    /// The text without what any of them holds.
    pub(in crate::mcp_servers) fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut hidden = Cow::Borrowed(text);
        for needles in self.0.iter().filter_map(|(_, value)| Needles::of(value.expose())) {
            if let Cow::Owned(clean) = needles.hide(&hidden) {
                hidden = Cow::Owned(clean);
            }
        }
        hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_out_of_the_vault_as_they_went_in_and_are_hidden_in_texts() {
        let mut values = Values::default();
        values.add("KEY", "long-canary-1\nsecond=line").unwrap();
        values.add("OTHER", "x").unwrap();
        assert!(values.add("KEY", "again").is_err() && values.add("B", "a\0b").is_err());
        let opened = Values::opened(&values.seal().unwrap()).unwrap();
        assert!(opened.are_same(&values) && !opened.are_same(&Values::default()));
        assert_eq!(opened.names(), ["KEY", "OTHER"]);
        let hidden = opened.hide("It was long-canary-1\nsecond=line, with x.").into_owned();
        assert!(!hidden.contains("canary") && hidden.ends_with(", with x."), "{hidden}");
        assert!(!format!("{opened:?}").contains("canary"));
    }
}
