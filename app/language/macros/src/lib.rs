//! Finds the words of the interface in views, at compile time: what a view says in quotes is looked up in the
//! language of its reader, and needs no mark.

mod pattern;
mod still;
mod words;

use pattern::Pattern;
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote;

/// Leptos' `view!`, whose texts are in the language of their reader: those between tags, and those of the
/// attributes and properties in [`words::SHOWN`].
#[proc_macro]
pub fn view(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let translated =
        words::translate(still::keep(tokens.into()), &|literal| quote! { ::language::t(#literal) });
    quote! { ::leptos::prelude::view! { #translated } }.into()
}

/// `format!` for what people read. The values may stand elsewhere in another language.
#[proc_macro]
pub fn say(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut parts = split(tokens.into());
    if parts.is_empty() {
        return refused("say! wants a text.");
    }
    let text = parts.remove(0);
    let Some(pattern) = Pattern::of(&text) else { return refused("say! wants a text in quotes first.") };
    let values = pattern.values(parts);
    let english = pattern.key();
    quote! { ::language::fill(#english, &[#values]) }.into()
}

/// A text for one, and a text for more: `plural!(count, "{count} file", "{count} files")`.
#[proc_macro]
pub fn plural(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut parts = split(tokens.into());
    if parts.len() < 3 {
        return refused("plural! wants a count, a text for one and a text for more.");
    }
    let (count, one, other) = (parts.remove(0), parts.remove(0), parts.remove(0));
    let (Some(one), Some(pattern)) = (Pattern::of(&one), Pattern::of(&other)) else {
        return refused("plural! wants its texts in quotes.");
    };
    let values = pattern.values(parts);
    let (one, other) = (one.key(), pattern.key());
    quote! {
        ::language::fill_plural(::core::convert::TryInto::<u64>::try_into(#count).unwrap_or(u64::MAX), #one, #other, &[#values])
    }
    .into()
}

/// A text that is looked up elsewhere: `const TITLE: &str = key!("Agents");` and then `t(TITLE)`.
#[proc_macro]
pub fn key(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    tokens
}

/// What stands between commas.
fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(comma) if comma.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.last_mut().expect("there is always one").extend([token]),
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}

fn refused(why: &str) -> proc_macro::TokenStream {
    let why = Literal::string(why);
    quote! { ::core::compile_error!(#why) }.into()
}

/// `{ tokens }`
fn block(tokens: TokenStream) -> TokenTree {
    TokenTree::Group(Group::new(Delimiter::Brace, tokens))
}

#[cfg(test)]
mod tests;
