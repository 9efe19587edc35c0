//! Languages whose bodies stand in braces.

use super::Definition;
use crate::engine::symbols::CodeLanguage;
use crate::engine::symbols::tokens::Token;
use CodeLanguage::{C, Go, Java, JavaScript, Rust};

/// Tokens in which the end of one definition is looked for, what stands in brackets being one of them.
const REACH: usize = 400;

/// Words that declare what the next word names.
const RUST: &[(&str, &str)] = &[
    ("fn", "function"),
    ("struct", "struct"),
    ("enum", "enum"),
    ("union", "union"),
    ("trait", "trait"),
    ("mod", "module"),
    ("type", "type"),
    ("const", "constant"),
    ("static", "constant"),
];
const JAVASCRIPT: &[(&str, &str)] = &[
    ("function", "function"),
    ("class", "class"),
    ("interface", "interface"),
    ("enum", "enum"),
    ("namespace", "namespace"),
    ("module", "namespace"),
    ("type", "type"),
    ("const", "variable"),
    ("let", "variable"),
    ("var", "variable"),
];
const GO: &[(&str, &str)] =
    &[("func", "function"), ("type", "type"), ("const", "constant"), ("var", "variable")];
const JAVA: &[(&str, &str)] =
    &[("class", "class"), ("interface", "interface"), ("enum", "enum"), ("record", "record")];
const OF_C: &[(&str, &str)] = &[
    ("struct", "struct"),
    ("union", "union"),
    ("enum", "enum"),
    ("class", "class"),
    ("namespace", "namespace"),
    ("using", "type"),
    ("define", "macro"),
];

/// What stands in front of a name, and is none.
const RUST_KEYWORDS: [&str; 7] = ["_", "fn", "mut", "unsafe", "async", "extern", "move"];
/// Words before a bracket that call nothing.
const CONTROL: [&str; 14] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "return",
    "new",
    "throw",
    "else",
    "case",
    "sizeof",
    "do",
    "synchronized",
    "await",
];

/// What a bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Members of a type.
    Members,
    /// What could as well stand outside, as in a module.
    Module,
    /// What Go declares by one word.
    Group(&'static str),
    Other,
}

struct Finder<'t> {
    language: CodeLanguage,
    tokens: &'t [Token<'t>],
    closing: &'t [Option<usize>],
    found: Vec<Definition>,
    /// What the brackets hold of which that is known.
    scopes: Vec<Scope>,
    /// The brackets that are open: where each ends, and what it holds.
    open: Vec<(usize, Scope)>,
}

pub(super) fn find(
    language: CodeLanguage,
    tokens: &[Token<'_>],
    closing: &[Option<usize>],
) -> Vec<Definition> {
    let scopes = vec![Scope::Other; tokens.len()];
    let mut finder = Finder { language, tokens, closing, found: Vec::new(), scopes, open: Vec::new() };
    for at in 0..tokens.len() {
        while finder.open.last().is_some_and(|(to, _)| *to <= at) {
            finder.open.pop();
        }
        if let Some(to) = closing[at] {
            let scope = if finder.is_linkage(at) { Scope::Module } else { finder.scopes[at] };
            finder.open.push((to, scope));
        } else if tokens[at].is_word() {
            finder.look(at);
        }
    }
    finder.found
}

impl<'t> Finder<'t> {
    fn look(&mut self, at: usize) {
        let declared = self.declared(at);
        match (self.language, self.scope()) {
            _ if declared => {}
            (Rust, _) => self.implementation(at),
            (JavaScript | Java, Scope::Members) => self.method(at),
            (Go, Scope::Group(kind)) if self.tokens[at].is_first => {
                let to = self.end(at, true).0;
                self.push(at, kind, to, None);
            }
            (C, _) if self.is_outside() => self.function(at),
            _ => {}
        }
    }

    /// What a keyword declares.
    fn declared(&mut self, at: usize) -> bool {
        let words = match self.language {
            Rust => RUST,
            JavaScript => JAVASCRIPT,
            Go => GO,
            Java => JAVA,
            C => OF_C,
            CodeLanguage::Python => return false,
        };
        let keyword = self.tokens[at];
        if keyword.is("macro_rules") && self.language == Rust && self.is(at + 1, "!") {
            return self.declare(at + 2, "macro", None);
        }
        if keyword.is("typedef") && self.language == C {
            // It is named at its end, behind what it is.
            if let Some(named) = self.before_semicolon(at).filter(|named| self.tokens[*named].is_word()) {
                self.push(named, "type", named, None);
            }
            return false;
        }
        let Some((_, kind)) = words.iter().find(|(word, _)| keyword.is(word)) else { return false };
        if !self.declares(at) {
            return false;
        }
        match self.language {
            Go if self.is(at + 1, "(") && keyword.is("func") => {
                let Some(close) = self.closing[at + 1] else { return false };
                let receiver = (at + 2..close).filter(|at| self.tokens[*at].is_word());
                // A parameter of the type is none.
                let receiver = receiver.take_while(|at| !self.is(at - 1, "[")).last();
                let within = receiver.map(|at| self.tokens[at].text.to_owned());
                self.declare(close + 1, "method", within)
            }
            Go if self.is(at + 1, "(") => {
                self.scopes[at + 1] = Scope::Group(kind);
                true
            }
            JavaScript if self.is(at + 1, "*") => self.declare(at + 2, kind, None),
            JavaScript if *kind == "variable" => {
                let kind = if self.is_function(at + 2) { "function" } else { kind };
                self.declare(at + 1, kind, None)
            }
            // `enum class`, in C++.
            C if self.is(at + 1, "class") || self.is(at + 1, "struct") => self.declare(at + 2, kind, None),
            _ => self.declare(at + 1, kind, None),
        }
    }

    /// Whether the word declares here what it declares elsewhere.
    fn declares(&self, at: usize) -> bool {
        let keyword = self.tokens[at];
        let Some(before) = at.checked_sub(1).map(|before| self.tokens[before]) else { return true };
        let is_one_of = |texts: &[&str]| texts.iter().any(|text| before.is(text));
        match self.language {
            Rust if keyword.is("const") || keyword.is("static") => !is_one_of(&["*", "<", ",", "(", "&"]),
            JavaScript if before.is(".") => false,
            JavaScript if ["const", "let", "var"].iter().any(|word| keyword.is(word)) => self.is_outside(),
            JavaScript if !keyword.is("function") && !keyword.is("class") => {
                before.line != keyword.line
                    || is_one_of(&["export", "declare", "default", "const", ";", "{", "}"])
            }
            Go => keyword.is_first && (self.is_outside() || keyword.is("type")),
            Java => !is_one_of(&["."]),
            C if keyword.is("define") => before.is("#"),
            // A parameter of a template is no type of its own.
            C => !is_one_of(&["<", ",", "("]),
            _ => true,
        }
    }

    /// What is named there, if anything is.
    fn declare(&mut self, at: usize, kind: &'static str, within: Option<String>) -> bool {
        let Some(name) = self.tokens.get(at).filter(|token| token.is_word()) else { return false };
        let is_keyword = match self.language {
            // What a macro is told stands for another name.
            Rust => name.text.starts_with('$') || RUST_KEYWORDS.iter().any(|word| name.is(word)),
            JavaScript => name.is("extends") || (kind == "variable" && name.is("enum")),
            Java | C => name.is("extends") || name.is("implements"),
            Go | CodeLanguage::Python => false,
        };
        if is_keyword {
            return false;
        }
        let followed_by = |texts: &[&str]| texts.iter().any(|text| self.is(at + 1, text));
        let is_one = match (self.language, kind) {
            (C, "macro") => true,
            (C, "type") => followed_by(&["="]),
            (C, _) => followed_by(&["{", ":", "final"]),
            (JavaScript, "type") => followed_by(&["=", "<"]),
            _ => true,
        };
        if !is_one {
            return false;
        }
        let is_of_one_line = match self.language {
            Go => true,
            JavaScript => kind == "type" || ["const", "let", "var"].iter().any(|word| self.is(at - 1, word)),
            C => kind == "macro",
            Rust | Java | CodeLanguage::Python => false,
        };
        let (to, body) = self.end(at, is_of_one_line);
        if let Some(body) = body {
            self.scopes[body] = match kind {
                "class" | "struct" | "interface" | "enum" | "record" | "union" => Scope::Members,
                "module" | "namespace" => Scope::Module,
                _ => Scope::Other,
            };
        }
        self.push(at, kind, to, within);
        true
    }

    /// `impl` of Rust, by the type whose it is.
    fn implementation(&mut self, at: usize) {
        let begins = at.checked_sub(1).is_none_or(|before| {
            let before = self.tokens[before];
            ["}", ";", "{", "]", "unsafe", "default"].iter().any(|text| before.is(text))
        });
        if !self.tokens[at].is("impl") || !begins {
            return;
        }
        let (to, Some(body)) = self.end(at, false) else { return };
        let (mut named, mut angles) = (None, 0_usize);
        for part in at + 1..body {
            let token = self.tokens[part];
            match token.text {
                "<" => angles += 1,
                ">" if !self.is(part - 1, "-") => angles = angles.saturating_sub(1),
                "where" if token.is_word() => break,
                "for" if token.is_word() && angles == 0 => named = None,
                // The last part of a path, in front of its own parameters.
                _ if token.is_word()
                    && angles == 0
                    && (named.is_none() || self.is(part - 1, ":"))
                    && !["dyn", "const", "mut"].iter().any(|word| token.is(word)) =>
                {
                    named = Some(part);
                }
                _ => {}
            }
        }
        if let Some(named) = named {
            self.scopes[body] = Scope::Module;
            self.push(named, "impl", to, None);
        }
    }

    /// A member that is called: a name, what it takes, and a body or the end of its declaration.
    fn method(&mut self, at: usize) {
        let name = self.tokens[at];
        let Some(before) = at.checked_sub(1).map(|before| self.tokens[before]) else { return };
        let Some(close) = self.closing.get(at + 1).copied().flatten() else { return };
        if is_control(&name) || is_control(&before) || !self.is(at + 1, "(") {
            return;
        }
        let is_followed_by = |texts: &[&str]| texts.iter().any(|text| self.is(close + 1, text));
        let is_one = match self.language {
            JavaScript => (name.is_first || is_of_member(&before)) && is_followed_by(&["{", ";", ":"]),
            _ if before.is_word() || before.is(">") || before.is("]") => {
                is_followed_by(&["{", ";", "throws"])
            }
            // What makes one of the class says nothing before its name.
            _ => ["{", "}", ";"].iter().any(|text| before.is(text)) && is_followed_by(&["{", "throws"]),
        };
        if is_one {
            let to = self.end(at, false).0;
            self.push(at, "method", to, None);
        }
    }

    /// A function of C, which has a body.
    fn function(&mut self, at: usize) {
        let name = self.tokens[at];
        let Some(before) = at.checked_sub(1).map(|before| self.tokens[before]) else { return };
        let may_stand_before =
            before.is_word() || ["*", "&", ">", "~", ":", "}", ";", "{"].iter().any(|text| before.is(text));
        if is_control(&name) || is_control(&before) || !may_stand_before || !self.is(at + 1, "(") {
            return;
        }
        let Some(close) = self.closing[at + 1] else { return };
        let goes_on = self.tokens.get(close + 1).is_some_and(|next| {
            next.is("{")
                || next.is(":")
                || next.is("-")
                || (next.is_word() && next.line == self.tokens[close].line)
        });
        if let (to, Some(_)) = self.end(at, false)
            && goes_on
        {
            let is_of_type = self.is(at - 1, ":") && at >= 3 && self.is(at - 2, ":");
            let within = is_of_type.then(|| self.tokens[at - 3]).filter(Token::is_word);
            self.push(at, "function", to, within.map(|token| token.text.to_owned()));
        }
    }

    /// The last token of what is named there, and the brace that opens its body.
    fn end(&self, at: usize, is_of_one_line: bool) -> (usize, Option<usize>) {
        let limit = self.open.last().map_or(self.tokens.len(), |(to, _)| *to);
        let mut last = at;
        for _ in 0..REACH {
            let next = last + 1;
            if next >= limit {
                break;
            }
            let token = self.tokens[next];
            if token.is(";") {
                return (last, None);
            }
            if is_of_one_line && token.line != self.tokens[last].line && !self.goes_on(last, next) {
                return (last, None);
            }
            match self.closing[next] {
                Some(close) if token.is("{") => return (close, Some(next)),
                Some(close) => last = close,
                None => last = next,
            }
        }
        (last.min(self.tokens.len() - 1), None)
    }

    /// Whether a line that seems to have ended goes on.
    fn goes_on(&self, last: usize, next: usize) -> bool {
        const OPEN: [&str; 10] = ["=", ",", ".", "|", "&", "?", ":", "+", "<", ">"];
        let is_open = |at: usize| OPEN.iter().any(|text| self.is(at, text));
        match self.language {
            JavaScript => is_open(last) || is_open(next) || self.is(next, "{"),
            _ => false,
        }
    }

    /// Whether what is set there is a function: `= (…) =>`, `= name =>` or `= function`.
    fn is_function(&self, from: usize) -> bool {
        let mut at = from;
        while !self.is(at, "=") {
            let stands = self.tokens.get(at).is_some_and(|token| !token.is(";") && !token.is("{"));
            if !stands || at > from + 40 {
                return false;
            }
            at = self.closing[at].unwrap_or(at) + 1;
        }
        at += 1;
        if self.is(at, "async") {
            at += 1;
        }
        let is_arrow = |at: usize| self.is(at, "=") && self.is(at + 1, ">");
        match self.closing.get(at).copied().flatten() {
            Some(close) => self.is(at, "(") && (is_arrow(close + 1) || self.is(close + 1, ":")),
            None => self.is(at, "function") || is_arrow(at + 1),
        }
    }

    /// What stands at the end of the statement.
    fn before_semicolon(&self, from: usize) -> Option<usize> {
        let mut at = from;
        for _ in 0..REACH {
            if self.is(at + 1, ";") {
                return Some(at);
            }
            at = self.closing.get(at + 1)?.unwrap_or(at + 1);
        }
        None
    }

    /// Whether it opens `extern "C" {`.
    fn is_linkage(&self, at: usize) -> bool {
        self.language == C && at >= 2 && self.tokens[at - 1].text.is_empty() && self.is(at - 2, "extern")
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    fn scope(&self) -> Scope {
        self.open.last().map_or(Scope::Module, |(_, scope)| *scope)
    }

    /// Whether it stands in nothing that runs.
    fn is_outside(&self) -> bool {
        self.open.iter().all(|(_, scope)| *scope != Scope::Other)
    }

    fn push(&mut self, at: usize, kind: &'static str, to: usize, within: Option<String>) {
        let name = self.tokens[at].text.to_owned();
        self.found.push(Definition { at, name, kind, to, within });
    }
}

fn is_control(token: &Token<'_>) -> bool {
    CONTROL.iter().any(|word| token.is(word))
}

/// Whether a member of a class of JavaScript can begin behind it.
fn is_of_member(before: &Token<'_>) -> bool {
    const MODIFIERS: [&str; 10] = [
        "static",
        "async",
        "get",
        "set",
        "public",
        "private",
        "protected",
        "readonly",
        "override",
        "abstract",
    ];
    ["{", "}", ";", "*", "#", ")"].iter().any(|text| before.is(text))
        || MODIFIERS.iter().any(|word| before.is(word))
}
