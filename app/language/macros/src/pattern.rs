//! A text with braces, as `format!` has it.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;

pub struct Pattern {
    /// The text as the catalogue has it: names in braces, and nothing of how they are written out.
    text: String,
    span: Span,
    /// Name and format of each brace, in their order.
    braces: Vec<(String, String)>,
}

impl Pattern {
    /// Nothing if that is no literal.
    pub fn of(tokens: &TokenStream) -> Option<Self> {
        let mut tokens = tokens.clone().into_iter();
        let mut token = tokens.next()?;
        // A literal that came through another macro stands in a group without delimiters.
        while let TokenTree::Group(group) = &token {
            token = group.stream().into_iter().next()?;
        }
        let TokenTree::Literal(literal) = token else { return None };
        let source = literal_text(&literal)?;
        let (mut text, mut braces) = (String::new(), Vec::new());
        let mut rest = source.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (inner, after) = after.split_once('}')?;
            let (name, format) = inner.split_once(':').unwrap_or((inner, ""));
            text.push_str(before);
            text.push_str(&format!("{{{name}}}"));
            braces.push((name.to_owned(), format.to_owned()));
            rest = after;
        }
        text.push_str(rest);
        Some(Self { text, span: literal.span(), braces })
    }

    pub fn key(&self) -> Literal {
        let mut literal = Literal::string(&self.text);
        literal.set_span(self.span);
        literal
    }

    /// A list of `(name, &value)`. Braces without a name take the arguments in their order; a name is an argument
    /// `name = value`, or a variable.
    pub fn values(&self, arguments: Vec<TokenStream>) -> TokenStream {
        let (mut named, mut unnamed) = (Vec::new(), Vec::new());
        for argument in arguments {
            match name_of(&argument) {
                Some((name, value)) => named.push((name, value)),
                None => unnamed.push(argument),
            }
        }
        let mut unnamed = unnamed.into_iter();
        let mut seen = Vec::new();
        let mut values = TokenStream::new();
        for (name, format) in &self.braces {
            if !name.is_empty() {
                if seen.contains(&name) {
                    continue;
                }
                seen.push(name);
            }
            let value = if name.is_empty() {
                unnamed.next().unwrap_or_default()
            } else if let Some((_, value)) = named.iter().find(|(of, _)| of == name) {
                value.clone()
            } else {
                let variable = Ident::new(name, self.span);
                quote! { #variable }
            };
            let name = Literal::string(name);
            if format.is_empty() {
                values.extend(quote! { (#name, &(#value) as &dyn ::core::fmt::Display), });
            } else {
                let format = Literal::string(&format!("{{:{format}}}"));
                values.extend(
                    quote! { (#name, &::std::format!(#format, #value) as &dyn ::core::fmt::Display), },
                );
            }
        }
        values
    }
}

/// `name = value`
fn name_of(argument: &TokenStream) -> Option<(String, TokenStream)> {
    let mut tokens = argument.clone().into_iter();
    let TokenTree::Ident(name) = tokens.next()? else { return None };
    match tokens.next()? {
        TokenTree::Punct(punct) if punct.as_char() == '=' => Some((name.to_string(), tokens.collect())),
        _ => None,
    }
}

/// What a string literal says.
pub fn literal_text(literal: &Literal) -> Option<String> {
    let source = literal.to_string();
    if let Some(raw) = source.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let inner = source.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\\' {
            text.push(char);
            continue;
        }
        match chars.next()? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'u' => {
                let code: String = chars.by_ref().skip(1).take_while(|char| *char != '}').collect();
                text.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
            }
            // A line that goes on.
            '\n' => while chars.next_if(|char| char.is_whitespace()).is_some() {},
            other => text.push(other),
        }
    }
    Some(text)
}
