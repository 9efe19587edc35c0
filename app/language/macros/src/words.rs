//! Where words stand in the tokens of a view.

use crate::block;
use crate::pattern::literal_text;
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};

/// Attributes and properties of components that people read or hear.
pub const SHOWN: &[&str] = &[
    "about",
    "alt",
    "aria-description",
    "aria-label",
    "aria-roledescription",
    "columns",
    "data-label",
    "heading",
    "help",
    "hint",
    "label",
    "lead",
    "legend",
    "nameless",
    "no",
    "note",
    "placeholder",
    "text",
    "title",
    "when",
    "words",
    "yes",
];

/// Puts what `of` makes of a literal in the place of each literal that is shown.
pub fn translate(view: TokenStream, of: &dyn Fn(&Literal) -> TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = view.into_iter().collect();
    let mut out = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        let before = before_value(&tokens[..index]);
        let is_value = before.is_some();
        let is_shown = before.is_none_or(|name| SHOWN.contains(&attribute(name).as_str()));
        match token {
            TokenTree::Literal(literal) if is_shown && has_words(literal) => {
                let translated = of(literal);
                // A value may go on: `"…".to_owned()`.
                if is_value { out.extend(translated) } else { out.push(block(translated)) }
            }
            TokenTree::Group(list) if is_value && is_shown && list.delimiter() == Delimiter::Bracket => {
                out.push(TokenTree::Group(Group::new(Delimiter::Bracket, each(list.stream(), of))));
            }
            _ => out.push(token.clone()),
        }
    }
    out.into_iter().collect()
}

/// What stands before the `=` of a value that comes now, also of a list in `vec!`.
fn before_value(before: &[TokenTree]) -> Option<&[TokenTree]> {
    match before {
        [name @ .., equals] if is_punct(equals, '=') => Some(name),
        [name @ .., equals, TokenTree::Ident(vec), bang]
            if is_punct(equals, '=') && is_punct(bang, '!') && vec == "vec" =>
        {
            Some(name)
        }
        _ => None,
    }
}

fn each(list: TokenStream, of: &dyn Fn(&Literal) -> TokenStream) -> TokenStream {
    list.into_iter()
        .flat_map(|token| match token {
            TokenTree::Literal(literal) if has_words(&literal) => of(&literal),
            other => other.into(),
        })
        .collect()
}

/// The name of the attribute that these tokens end with: `aria-label` is three of them.
pub fn attribute(before: &[TokenTree]) -> String {
    let mut name = String::new();
    let mut wants_word = true;
    for token in before.iter().rev() {
        match token {
            TokenTree::Ident(word) if wants_word => name.insert_str(0, &word.to_string()),
            TokenTree::Punct(joint) if !wants_word && matches!(joint.as_char(), '-' | ':') => {
                name.insert(0, joint.as_char());
            }
            _ => break,
        }
        wants_word = !wants_word;
    }
    name
}

pub fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// Whether there is anything in a literal that another language says otherwise.
pub fn has_words(literal: &Literal) -> bool {
    literal_text(literal).is_some_and(|text| text.chars().any(char::is_alphabetic))
}
