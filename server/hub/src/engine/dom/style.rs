//! The declarations of a `style` attribute.

use cssparser::{Delimiter, ParseError, Parser, ParserInput, Token};

/// Sets the property, or removes it without a value. `false`: that is not a declaration.
pub(super) fn change(style: &str, name: &str, value: Option<&str>) -> (String, bool) {
    let name = if name.starts_with("--") { name.to_owned() } else { name.to_ascii_lowercase() };
    let mut all = declarations(style);
    all.retain(|(known, _)| *known != name);
    let value = value.map(str::trim).filter(|value| !value.is_empty());
    let taken = match value {
        None => true,
        Some(value) if is_declaration(&name, value) => {
            all.push((name, value.to_owned()));
            true
        }
        Some(_) => false,
    };
    let lines: Vec<_> = all.into_iter().map(|(name, value)| format!("{name}: {value};")).collect();
    (lines.join(" "), taken)
}

/// Whether it is one declaration and leaves what comes after it alone.
fn is_declaration(name: &str, value: &str) -> bool {
    let own = (name.to_owned(), value.to_owned());
    let next = ("z-index".to_owned(), "1".to_owned());
    declarations(&format!("{name}:{value};z-index:1")) == [own, next] && !value.contains('!')
}

fn declarations(style: &str) -> Vec<(String, String)> {
    let mut input = ParserInput::new(style);
    let mut parser = Parser::new(&mut input);
    let mut all = Vec::new();
    while !parser.is_exhausted() {
        let one = parser.parse_until_after(Delimiter::Semicolon, declaration);
        all.extend(one);
    }
    all
}

fn declaration<'i>(parser: &mut Parser<'i, '_>) -> Result<(String, String), ParseError<'i, ()>> {
    let name = parser.expect_ident_cloned()?;
    let name = if name.starts_with("--") { name.to_string() } else { name.to_ascii_lowercase() };
    parser.expect_colon()?;
    parser.skip_whitespace();
    let start = parser.position();
    let mut is_empty = true;
    while let Ok(token) = parser.next() {
        let is_wrong = token.is_parse_error() || matches!(token, Token::CurlyBracketBlock);
        if is_wrong {
            return Err(parser.new_custom_error(()));
        }
        is_empty = false;
    }
    let value = parser.slice_from(start).trim().to_owned();
    if is_empty { Err(parser.new_custom_error(())) } else { Ok((name, value)) }
}
