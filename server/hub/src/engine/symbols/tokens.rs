//! Code as words, signs and texts. What is in comments and in texts is no name.

use super::CodeLanguage;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A name or a keyword.
    Word,
    /// One character.
    Sign,
    /// A string, a character, a number or an expression, without what it says.
    Literal,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) sort: Sort,
    /// Empty for a literal.
    pub(super) text: &'t str,
    /// Counted from 1, as are columns, in characters.
    pub(super) line: u32,
    pub(super) column: u32,
    /// Whether nothing stands before it on its line.
    pub(super) is_first: bool,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.sort != Sort::Literal && self.text == text
    }

    pub(super) fn is_word(&self) -> bool {
        self.sort == Sort::Word
    }
}

pub(super) fn tokens(language: CodeLanguage, text: &str) -> Vec<Token<'_>> {
    let mut reader =
        Reader { language, rest: text, line: 1, column: 1, tokens: Vec::new(), templates: Vec::new() };
    while !reader.rest.is_empty() {
        reader.step();
    }
    reader.tokens
}

struct Reader<'t> {
    language: CodeLanguage,
    rest: &'t str,
    line: u32,
    column: u32,
    tokens: Vec<Token<'t>>,
    /// For each template of JavaScript that code stands in, the braces that are open within that code.
    templates: Vec<usize>,
}

impl<'t> Reader<'t> {
    fn step(&mut self) {
        let Some(first) = self.rest.chars().next() else { return };
        if first.is_whitespace() {
            return self.pass(first.len_utf8());
        }
        if let Some(length) = self.comment() {
            return self.pass(length);
        }
        if let Some(length) = self.literal(first) {
            return self.take(Sort::Literal, length);
        }
        if begins_word(first) {
            // What is a name although it is a keyword.
            let raw = self.rest.strip_prefix("r#").filter(|_| self.language == CodeLanguage::Rust);
            if raw.is_some_and(|name| name.starts_with(begins_word)) {
                self.pass(2);
            }
            let end = self.rest.find(|sign| !is_in_word(sign)).unwrap_or(self.rest.len());
            return self.take(Sort::Word, end);
        }
        self.sign(first);
    }

    fn sign(&mut self, first: char) {
        match (first, self.templates.last_mut()) {
            ('{', Some(open)) => *open += 1,
            ('}', Some(0)) => {
                self.templates.pop();
                self.pass(1);
                return self.template();
            }
            ('}', Some(open)) => *open -= 1,
            ('`', _) if self.language == CodeLanguage::JavaScript => {
                self.take(Sort::Literal, 1);
                return self.template();
            }
            _ => {}
        }
        self.take(Sort::Sign, first.len_utf8());
    }

    /// The text of a template, to its end or to code in it.
    fn template(&mut self) {
        let mut signs = self.rest.char_indices().peekable();
        let mut end = self.rest.len();
        while let Some((at, sign)) = signs.next() {
            match (sign, signs.peek()) {
                ('\\', _) => {
                    signs.next();
                }
                ('`', _) => {
                    end = at + 1;
                    break;
                }
                ('$', Some((brace, '{'))) => {
                    end = brace + 1;
                    self.templates.push(0);
                    break;
                }
                _ => {}
            }
        }
        self.pass(end);
    }

    /// How long the comment is that begins here.
    fn comment(&self) -> Option<usize> {
        let to_end_of_line = || self.rest.find('\n').unwrap_or(self.rest.len());
        if self.language == CodeLanguage::Python {
            return self.rest.starts_with('#').then(to_end_of_line);
        }
        if self.rest.starts_with("//") {
            return Some(to_end_of_line());
        }
        let inner = self.rest.strip_prefix("/*")?;
        if self.language != CodeLanguage::Rust {
            return Some(inner.find("*/").map_or(self.rest.len(), |end| end + 4));
        }
        let (bytes, mut open, mut at) = (inner.as_bytes(), 1_usize, 0);
        while open > 0 && at < bytes.len() {
            match &bytes[at..] {
                [b'*', b'/', ..] => (open, at) = (open - 1, at + 2),
                [b'/', b'*', ..] => (open, at) = (open + 1, at + 2),
                _ => at += 1,
            }
        }
        Some(at + 2)
    }

    /// How long the literal is that begins here.
    fn literal(&self, first: char) -> Option<usize> {
        use CodeLanguage::{C, Go, Java, JavaScript, Python, Rust};
        if first.is_ascii_digit() {
            return Some(self.number());
        }
        let prefix =
            self.rest.len() - self.rest.trim_start_matches(|sign: char| sign.is_ascii_alphabetic()).len();
        let (before, quoted) = self.rest.split_at(prefix);
        match self.language {
            Python if before.len() <= 2 && before.chars().all(|sign| "rRbBfFuUtT".contains(sign)) => {
                let length = ["\"\"\"", "'''"].into_iter().find_map(|quote| {
                    let inner = quoted.strip_prefix(quote)?;
                    Some(closed(inner, quote) + quote.len())
                });
                length.or_else(|| in_line(quoted, &['"', '\''])).map(|length| prefix + length)
            }
            Rust if matches!(before, "r" | "br" | "cr") => {
                let inner = quoted.trim_start_matches('#');
                let marks = quoted.len() - inner.len();
                let inner = inner.strip_prefix('"')?;
                let end = format!("\"{}", "#".repeat(marks));
                let length = inner.find(&end).map_or(inner.len(), |at| at + end.len());
                Some(prefix + marks + 1 + length)
            }
            Rust if matches!(before, "" | "b" | "c") => match quoted.strip_prefix('"') {
                Some(inner) => Some(prefix + 1 + closed(inner, "\"")),
                None => quoted.strip_prefix('\'').map(|inner| prefix + 1 + letter_or_lifetime(inner)),
            },
            C if matches!(before, "R" | "LR" | "uR" | "UR") && quoted.starts_with('"') => {
                let inner = &quoted[1..];
                let (mark, text) = inner.split_once('(')?;
                let end = format!("){mark}\"");
                let length = text.find(&end).map_or(text.len(), |at| at + end.len());
                Some(prefix + 1 + mark.len() + 1 + length)
            }
            C if matches!(before, "" | "L" | "u" | "U") => {
                in_line(quoted, &['"', '\'']).map(|length| prefix + length)
            }
            Go => match self.rest.strip_prefix('`') {
                Some(inner) => Some(1 + inner.find('`').map_or(inner.len(), |at| at + 1)),
                None => in_line(self.rest, &['"', '\'']),
            },
            Java => match self.rest.strip_prefix("\"\"\"") {
                Some(inner) => Some(3 + closed(inner, "\"\"\"")),
                None => in_line(self.rest, &['"', '\'']),
            },
            JavaScript if first == '/' && self.may_be_expression() => expression(self.rest),
            JavaScript => in_line(self.rest, &['"', '\'']),
            Python | Rust | C => None,
        }
    }

    fn number(&self) -> usize {
        let bytes = self.rest.as_bytes();
        let mut at = 1;
        while let Some(byte) = bytes.get(at) {
            let next_is_digit = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
            match byte {
                b'.' if next_is_digit => {}
                b'\'' if self.language == CodeLanguage::C && next_is_digit => {}
                b'_' => {}
                byte if byte.is_ascii_alphanumeric() => {}
                _ => break,
            }
            at += 1;
        }
        at
    }

    /// Whether a slash here cannot divide: what stands before it is no value.
    fn may_be_expression(&self) -> bool {
        const BEFORE: [&str; 8] = ["return", "typeof", "case", "in", "of", "await", "yield", "void"];
        self.tokens.last().is_none_or(|before| match before.sort {
            Sort::Literal => false,
            Sort::Word => BEFORE.contains(&before.text),
            Sort::Sign => !matches!(before.text, ")" | "]" | "}"),
        })
    }

    fn take(&mut self, sort: Sort, length: usize) {
        let is_first = self.tokens.last().is_none_or(|before| before.line != self.line);
        let text = if sort == Sort::Literal { "" } else { &self.rest[..length] };
        self.tokens.push(Token { sort, text, line: self.line, column: self.column, is_first });
        self.pass(length);
    }

    fn pass(&mut self, length: usize) {
        let (passed, rest) = self.rest.split_at(length);
        match passed.rsplit_once('\n') {
            Some((before, last)) => {
                self.line = self.line.saturating_add(1 + count(before.matches('\n').count()));
                self.column = 1 + count(last.chars().count());
            }
            None => self.column = self.column.saturating_add(count(passed.chars().count())),
        }
        self.rest = rest;
    }
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX - 1)
}

fn begins_word(sign: char) -> bool {
    sign.is_alphabetic() || matches!(sign, '_' | '$')
}

fn is_in_word(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$')
}

/// How long a text is with the quote that closes it, what is escaped passed over.
fn closed(inner: &str, quote: &str) -> usize {
    let bytes = inner.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(quote.as_bytes()) {
            return at + quote.len();
        }
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    inner.len()
}

/// The same with the quote that opens it, of a text that ends with its line at the latest.
fn in_line(text: &str, quotes: &[char]) -> Option<usize> {
    let quote = text.chars().next().filter(|sign| quotes.contains(sign))?;
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            byte if char::from(byte) == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    Some(whole(text, at))
}

/// A regular expression of JavaScript, which ends in its line or is none.
fn expression(text: &str) -> Option<usize> {
    let (bytes, mut is_in_class, mut at) = (text.as_bytes(), false, 1);
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Behind an apostrophe: a character with the apostrophe that closes it, or the name of a lifetime.
fn letter_or_lifetime(inner: &str) -> usize {
    let mut signs = inner.char_indices();
    match (signs.next(), signs.next()) {
        (Some((_, '\\')), _) => closed(inner, "'"),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => inner.find(|sign| !is_in_word(sign)).unwrap_or(inner.len()),
    }
}

/// The place, or the next one between two characters.
fn whole(text: &str, at: usize) -> usize {
    text.ceil_char_boundary(at.min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use CodeLanguage::{C, Go, Java, JavaScript, Python, Rust};

    #[test]
    fn what_is_said_in_comments_and_texts_is_no_name() {
        for (language, code) in [
            (Rust, "a /* /* x */ x */ b // x\nc \"x \\\" x\" r#\"x\"x\"# 'x' '\\'' b'x' 'static 0x1f d"),
            (Rust, "a b c d // \"x"),
            (Python, "a # x\nb '''x ' x''' rb\"x\" c 'x\\'x' f\"\"\"x\"\"\" d"),
            (JavaScript, "a // x\nb `x ${c} x ${`x`} \\` x` = /x\\/[/x]/ 'x' \"x\" d"),
            (Go, "a `x\nx` b 'x' \"x\" c /* x */ d"),
            (Java, "a \"\"\"\nx \" x\n\"\"\" b 'x' c \"x\" d"),
            (C, "a R\"y(x \" x)y\" b L'x' c 1'000 \"x\" d"),
        ] {
            let words: Vec<&str> = tokens(language, code)
                .iter()
                .filter(|token| token.is_word())
                .map(|token| token.text)
                .collect();
            assert_eq!(words, ["a", "b", "c", "d"], "{language:?} {code}");
        }
    }

    #[test]
    fn a_word_has_its_place_in_characters() {
        let code = "/* ä\n */ ä é\n\tfn";
        let places: Vec<_> =
            tokens(Rust, code).iter().map(|token| (token.line, token.column, token.is_first)).collect();
        assert_eq!(places, [(2, 5, true), (2, 7, false), (3, 2, true)]);
    }

    #[test]
    fn code_that_ends_in_the_middle_is_read_to_its_end() {
        for language in [C, Go, Java, JavaScript, Python, Rust] {
            for code in [
                "\"", "'", "`${", "/*", "\"\\", "'\\", "r#\"", "'''\\", "R\"(", "1.", "\"ä\\ä", "'ä", "/ä\\",
                "/\\",
            ] {
                tokens(language, code);
            }
        }
    }
}
