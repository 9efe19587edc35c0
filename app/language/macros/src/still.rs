//! Parts of a view in which nothing changes but the words. Each is one string of HTML, as leptos makes of them where
//! there is nothing to look up: a node for each text would make the program of the browser larger, and slower to
//! compile.

use crate::block;
use crate::pattern::literal_text;
use crate::words::{SHOWN, has_words, is_punct};
use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;

/// Elements that have nothing in them.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// Elements whose text is no text, or whose namespace is not HTML's.
const OTHER: &[&str] = &["math", "script", "style", "svg", "textarea"];

#[derive(PartialEq)]
enum Open {
    Html,
    Component,
    Other,
}

/// Puts a block in the place of each largest part that never changes, has words, and stands in an element of HTML:
/// the children of components and of the view itself can be given attributes by others.
pub fn keep(view: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = view.into_iter().collect();
    let mut out = Vec::with_capacity(tokens.len());
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if is_punct(token, '<') && ends_child(&tokens[..at]) {
            match tokens.get(at + 1) {
                Some(TokenTree::Ident(_)) => {
                    let still = match open.last() {
                        Some(Open::Html) => Still::of(&tokens[at..]),
                        _ => None,
                    };
                    if let Some((still, length)) = still {
                        out.push(block(still));
                        at += length;
                        continue;
                    }
                    open.push(opened(&tokens[at + 1..], open.last()));
                }
                _ => {
                    open.pop();
                }
            }
        }
        if is_punct(token, '/') && tokens.get(at + 1).is_some_and(|next| is_punct(next, '>')) {
            open.pop();
        }
        out.push(token.clone());
        at += 1;
    }
    out.into_iter().collect()
}

/// Whether a tag can come after these tokens.
fn ends_child(before: &[TokenTree]) -> bool {
    match before.last() {
        None | Some(TokenTree::Literal(_) | TokenTree::Group(_)) => true,
        Some(TokenTree::Punct(punct)) => punct.as_char() == '>',
        Some(TokenTree::Ident(_)) => false,
    }
}

/// What the tag with this name opens.
fn opened(name: &[TokenTree], parent: Option<&Open>) -> Open {
    let [TokenTree::Ident(name), after, ..] = name else { return Open::Component };
    let name = name.to_string();
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) || is_punct(after, ':') {
        Open::Component
    } else if parent == Some(&Open::Other) || OTHER.contains(&name.as_str()) {
        Open::Other
    } else {
        Open::Html
    }
}

/// Reads one part from its first tag to its last.
struct Still<'a> {
    rest: &'a [TokenTree],
    /// HTML and texts in turns, the first is HTML.
    parts: Vec<String>,
}

impl<'a> Still<'a> {
    /// What makes the part, and how many tokens it took. Nothing if something in it changes, or it has no words.
    fn of(tokens: &'a [TokenTree]) -> Option<(TokenStream, usize)> {
        let mut still = Still { rest: tokens, parts: vec![String::new()] };
        still.element()?;
        if still.parts.len() == 1 {
            return None;
        }
        let parts = still.parts.iter().map(|part| Literal::string(part));
        Some((quote! { ::language::still(&[#(#parts),*]) }, tokens.len() - still.rest.len()))
    }

    fn element(&mut self) -> Option<()> {
        self.punct('<')?;
        let name = self.name()?;
        if OTHER.contains(&name.as_str()) || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return None;
        }
        self.html("<");
        self.html(&name);
        let is_void = VOID.contains(&name.as_str());
        let is_whole = self.attributes()?;
        self.html(">");
        if is_void {
            return Some(());
        }
        if !is_whole {
            self.children()?;
            if self.name()? != name {
                return None;
            }
            self.punct('>')?;
        }
        self.html(&format!("</{name}>"));
        Some(())
    }

    /// Reads up to the end of a tag. Whether it ends its element, too.
    fn attributes(&mut self) -> Option<bool> {
        let mut seen = Vec::new();
        loop {
            if self.punct('>').is_some() {
                return Some(false);
            }
            if self.punct('/').is_some() {
                return self.punct('>').map(|()| true);
            }
            let name = self.name()?;
            // A class may be given twice, and a property is not in the HTML.
            if seen.contains(&name) || ["key", "inner_html", "node_ref", "slot"].contains(&name.as_str()) {
                return None;
            }
            self.html(" ");
            self.html(&name);
            if self.punct('=').is_some() {
                let [TokenTree::Literal(value), rest @ ..] = self.rest else { return None };
                self.rest = rest;
                let text = literal_text(value)?;
                self.html("=\"");
                self.text(value, text, SHOWN.contains(&name.as_str()));
                self.html("\"");
            }
            seen.push(name);
        }
    }

    /// Reads up to where the name of the last tag comes.
    fn children(&mut self) -> Option<()> {
        loop {
            match self.rest {
                [open, slash, ..] if is_punct(open, '<') && is_punct(slash, '/') => {
                    self.rest = &self.rest[2..];
                    return Some(());
                }
                [open, ..] if is_punct(open, '<') => self.element()?,
                [TokenTree::Literal(literal), ..] => {
                    self.rest = &self.rest[1..];
                    let text = literal_text(literal)?;
                    self.text(literal, text, true);
                }
                _ => return None,
            }
        }
    }

    /// A name with what is joined by hyphens. Nothing if another sign than that follows, as in `on:click`.
    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            let [TokenTree::Ident(word), rest @ ..] = self.rest else { return None };
            name.push_str(word.to_string().trim_start_matches("r#"));
            self.rest = rest;
            if self.punct('-').is_none() {
                break;
            }
            name.push('-');
        }
        match self.rest {
            [next, ..] if is_punct(next, ':') || is_punct(next, '.') => None,
            _ => Some(name),
        }
    }

    fn punct(&mut self, wanted: char) -> Option<()> {
        let [first, rest @ ..] = self.rest else { return None };
        is_punct(first, wanted).then(|| self.rest = rest)
    }

    fn html(&mut self, html: &str) {
        match self.parts.len() % 2 {
            0 => self.parts.push(html.to_owned()),
            _ => self.parts.last_mut().expect("there is always one").push_str(html),
        }
    }

    fn text(&mut self, literal: &Literal, text: String, is_shown: bool) {
        if is_shown && has_words(literal) {
            if self.parts.len().is_multiple_of(2) {
                self.parts.push(String::new());
            }
            self.parts.push(text);
        } else {
            self.html(&html_escape::encode_double_quoted_attribute(&text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_changes_in_an_element_is_one_string_with_its_words() {
        for (view, expected) in [
            // The view itself can be given attributes.
            (r#"<p class="a">"Hello"</p>"#, None),
            (
                r#"<div><p class="a" hidden>"Hello " <b title="You & I">"2 <" "there"</b></p></div>"#,
                Some(
                    r#"<div>{::language::still(&["<p class=\"a\" hidden>","Hello ","<b title=\"","You & I","\">2 &lt;","there","</b></p>"])}</div>"#,
                ),
            ),
            (
                r#"<div>{x} <br/> <input type="text" placeholder="Name"/> <span/></div>"#,
                Some(
                    r#"<div>{x}<br/>{::language::still(&["<input type=\"text\" placeholder=\"","Name","\">"])}<span/></div>"#,
                ),
            ),
            // What changes, in it or as it.
            (r#"<div><p>"Hello" {name}</p></div>"#, None),
            (r#"<div><p on:click=go>"Hello"</p></div>"#, None),
            (r#"<div><p title=it>"Hello"</p></div>"#, None),
            (r#"<div><p title="it".to_owned()>"Hello"</p></div>"#, None),
            (r#"<div><p class:a=true>"Hello"</p></div>"#, None),
            (r#"<div><Part>"Hello"</Part></div>"#, None),
            // A child of a component can be given attributes, a child of its child not.
            (r#"<Part><p>"Hello"</p></Part>"#, None),
            (
                r#"<Part><p x=Vec::<u8>::new()><i>"Hello"</i></p></Part>"#,
                Some(
                    r#"<Part><p x=Vec::<u8>::new()>{::language::still(&["<i>","Hello","</i>"])}</p></Part>"#,
                ),
            ),
            (r#"<svg><title>"Hello"</title></svg>"#, None),
            // Nothing to look up.
            (r#"<div><p class="a">"12"</p></div>"#, None),
        ] {
            let tokens: TokenStream = view.parse().unwrap();
            let expected: TokenStream = expected.unwrap_or(view).parse().unwrap();
            let as_written = |tokens: TokenStream| tokens.to_string().replace(' ', "");
            assert_eq!(as_written(keep(tokens)), as_written(expected), "{view}");
        }
    }
}
