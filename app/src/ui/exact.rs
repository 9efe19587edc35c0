//! Text that a person decides by, letter for letter: what cannot be seen, or turns the order of what can, is spelled out.

use crate::prelude::*;

#[component]
pub fn Exact(text: String) -> impl IntoView {
    view! { <pre class="exact" tabindex="0" role="group" aria-label="Exactly this"><Spelled text/></pre> }
}

/// The same in a line.
#[component]
pub fn Spelled(text: String) -> impl IntoView {
    let piece = |piece| match piece {
        Piece::Plain(text) => text.into_any(),
        Piece::Hidden(letter) => {
            view! { <mark class="hidden-letter">{format!("U+{:04X}", u32::from(letter))}</mark> }.into_any()
        }
    };
    pieces(&text).into_iter().map(piece).collect_view()
}

/// Without what cannot be seen, for a text that goes on as it was shown.
pub fn visible(text: &str) -> String {
    text.chars().filter(|letter| !is_hidden(*letter)).collect()
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Plain(String),
    Hidden(char),
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for letter in text.chars() {
        if is_hidden(letter) {
            pieces.push(Piece::Hidden(letter));
        } else if let Some(Piece::Plain(plain)) = pieces.last_mut() {
            plain.push(letter);
        } else {
            pieces.push(Piece::Plain(letter.to_string()));
        }
    }
    pieces
}

/// Whether a letter has no shape of its own, or looks like another space.
fn is_hidden(letter: char) -> bool {
    matches!(
        letter,
        '\u{00}'..='\u{08}'
            | '\u{0b}'..='\u{1f}'
            | '\u{7f}'..='\u{a0}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200f}'
            | '\u{2028}'..='\u{202f}'
            | '\u{205f}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3000}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffc}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        for (text, expected) in [
            ("plain \n\ttext, ünd 🌿 日本", "plain \n\ttext, ünd 🌿 日本"),
            ("a\u{202e}b", "a<202E>b"),
            ("pay\u{200b}pal", "pay<200B>pal"),
            ("\u{e0041}\u{2066}x\u{2069}", "<E0041><2066>x<2069>"),
            ("a\u{a0}b\u{3000}\u{feff}", "a<A0>b<3000><FEFF>"),
            ("\r\u{1b}[31m", "<D><1B>[31m"),
            ("", ""),
        ] {
            let shown: String = pieces(text)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Plain(text) => text,
                    Piece::Hidden(letter) => format!("<{:X}>", u32::from(letter)),
                })
                .collect();
            assert_eq!(shown, expected, "{text:?}");
        }
    }
}
