//! Where names are defined, by the words that declare them.

mod braces;
mod indented;

use super::CodeLanguage;
use super::brackets::closing;
use super::tokens::Token;

#[derive(Debug)]
pub(super) struct Definition {
    /// The token that names it.
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) kind: &'static str,
    /// Its last token.
    pub(super) to: usize,
    /// What it is a part of.
    pub(super) within: Option<String>,
}

/// In the order of the code.
pub(super) fn definitions(language: CodeLanguage, tokens: &[Token<'_>]) -> Vec<Definition> {
    let closing = closing(tokens);
    let mut found = match language {
        CodeLanguage::Python => indented::find(tokens, &closing),
        _ => braces::find(language, tokens, &closing),
    };
    found.sort_by_key(|definition| definition.at);
    // What is named by whom it belongs to keeps that.
    let mut around: Vec<(usize, String)> = Vec::new();
    for definition in &mut found {
        while around.last().is_some_and(|(to, _)| *to < definition.at) {
            around.pop();
        }
        if definition.within.is_none() {
            definition.within = around.last().map(|(_, name)| name.clone());
        }
        if definition.to > definition.at {
            around.push((definition.to, definition.name.clone()));
        }
    }
    found
}
