//! RTF, as Markdown: its words with headings, lists, tables, links and notes. Its groups lie in one another without
//! anything here calling itself.

mod letters;
mod signs;
mod writer;

use super::{LONGEST, Unopened, broken, whole};
use crate::engine::job::DocumentText;
use letters::Letters;
use signs::{Sign, Signs};
use writer::Writer;

/// Groups within one another.
const DEEPEST: usize = 4096;
/// Groups in which nothing is that the text says.
const UNREAD: [&str; 20] = [
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "sp",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "listtable",
    "listoverridetable",
    "revtbl",
    "rsidtbl",
    "generator",
    "filetbl",
    "nonesttables",
];

/// What a group is to what is in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Text,
    Unread,
    Fonts,
    /// What a field does.
    Field,
    /// What a field shows.
    Shown,
    /// What stands before a paragraph of a list.
    Bullet,
    Note,
}

#[derive(Clone, Copy)]
struct State {
    group: Group,
    /// Letters in place of one that has a number.
    replaced_by: usize,
    font: i32,
    is_deleted: bool,
}

#[derive(Default)]
struct Reader {
    stack: Vec<State>,
    letters: Letters,
    writer: Writer,
    /// Letters that stand in place of the last one.
    skips: usize,
    /// The group has only begun, and what it is may be unknown to a reader.
    may_be_unknown: bool,
    field: String,
    /// Where the field leads that is shown next.
    leads_to: Option<String>,
    has_changes: bool,
    has_files: bool,
}

pub(super) fn read(bytes: &[u8]) -> Result<DocumentText, Unopened> {
    let mut reader = Reader::default();
    let mut state = State { group: Group::Text, replaced_by: 1, font: 0, is_deleted: false };
    for sign in Signs::of(bytes) {
        match sign {
            Sign::Begin => {
                if reader.stack.len() >= DEEPEST {
                    return Err(broken("its groups lie too deep in one another"));
                }
                reader.flush(state);
                reader.stack.push(state);
                (reader.skips, reader.may_be_unknown) = (0, false);
            }
            Sign::End => {
                reader.flush(state);
                let Some(around) = reader.stack.pop() else { break };
                if around.group != state.group {
                    reader.end(state.group);
                }
                (state, reader.skips) = (around, 0);
            }
            Sign::Letter(byte) => reader.letter(state, byte),
            Sign::Word(word, number) => state = reader.word(state, word, number),
        }
        if reader.writer.said() > LONGEST {
            return Err(Unopened::TooLong);
        }
    }
    reader.flush(state);
    let Reader { writer, has_changes, has_files, .. } = reader;
    Ok(DocumentText { has_changes, has_files, ..whole(writer.into_text())? })
}

impl Reader {
    fn letter(&mut self, state: State, byte: u8) {
        self.may_be_unknown = false;
        match self.skips {
            0 => self.letters.byte(byte),
            _ => self.skips -= 1,
        }
        if state.group == Group::Unread {
            self.letters.forget();
        }
    }

    /// The letters that were read so far go to where they belong.
    fn flush(&mut self, state: State) {
        let text = self.letters.taken(state.font);
        match state.group {
            Group::Unread | Group::Fonts => {}
            Group::Field => self.field.push_str(&text),
            Group::Text | Group::Shown | Group::Bullet | Group::Note if !state.is_deleted => {
                self.writer.say(&text)
            }
            Group::Text | Group::Shown | Group::Bullet | Group::Note => {}
        }
    }

    fn end(&mut self, group: Group) {
        match group {
            Group::Field => self.leads_to = address(&std::mem::take(&mut self.field)),
            Group::Shown => self.writer.end_link(),
            Group::Bullet => self.writer.end_bullet(),
            Group::Note => self.writer.end_note(),
            Group::Text | Group::Unread | Group::Fonts => {}
        }
    }

    /// Does what a word says, and gives what holds from there on.
    fn word(&mut self, state: State, word: &str, number: Option<i32>) -> State {
        let was_unknown = std::mem::replace(&mut self.may_be_unknown, word == "*");
        if self.skips > 0 && matches!(word, "'" | "u") {
            self.skips -= 1;
            return state;
        }
        match (word, number) {
            ("'", Some(byte)) => self.letters.byte(byte.to_le_bytes()[0]),
            ("u", Some(unit)) => {
                self.letters.unit(unit, state.font);
                self.skips = state.replaced_by;
            }
            _ => {
                self.flush(state);
                return self.command(state, word, number, was_unknown);
            }
        }
        if state.group == Group::Unread {
            self.letters.forget();
        }
        state
    }

    fn command(&mut self, state: State, word: &str, number: Option<i32>, was_unknown: bool) -> State {
        let becomes = |group| State { group, ..state };
        let is_on = number != Some(0);
        match word {
            "uc" => return State { replaced_by: usize::try_from(number.unwrap_or(1)).unwrap_or(1), ..state },
            "ansicpg" => self.letters.set_default(number.unwrap_or_default()),
            "f" | "fcharset" if state.group == Group::Fonts => {
                self.letters.font(word, number.unwrap_or_default())
            }
            "f" => return State { font: number.unwrap_or_default(), ..state },
            "objdata" => {
                self.has_files = true;
                return becomes(Group::Unread);
            }
            "fonttbl" => return becomes(Group::Fonts),
            _ if state.group == Group::Unread || UNREAD.contains(&word) => return becomes(Group::Unread),
            "fldinst" => return becomes(Group::Field),
            "fldrslt" => {
                self.writer.begin_link(self.leads_to.take());
                return becomes(Group::Shown);
            }
            "listtext" | "pntext" => {
                self.writer.begin_bullet();
                return becomes(Group::Bullet);
            }
            "footnote" => {
                self.writer.begin_note();
                return becomes(Group::Note);
            }
            "shppict" | "shptxt" | "shpinst" => {}
            _ if was_unknown => return becomes(Group::Unread),
            _ if state.group == Group::Field => {}
            "revised" | "deleted" => {
                self.has_changes |= is_on;
                let is_deleted = if word == "deleted" { is_on } else { state.is_deleted };
                return State { is_deleted, ..state };
            }
            "plain" => return State { is_deleted: false, font: 0, ..state },
            _ if !state.is_deleted => self.writer.command(word, number),
            _ => {}
        }
        state
    }
}

/// Where a field leads that is a link.
fn address(field: &str) -> Option<String> {
    let (_, rest) = field.split_once("HYPERLINK")?;
    let rest = rest.trim_start();
    let address = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    };
    address.filter(|address| !address.is_empty() && !address.starts_with('\\')).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_with_what_its_words_say_of_it() {
        for (rtf, text) in [
            (
                r"{\rtf1\ansi\deff0{\fonttbl{\f0 Times;}}{\info{\title No}}Moss\par grows {\b slowly}.\par}",
                "Moss\n\ngrows slowly.",
            ),
            (
                r"{\rtf1\ansi\ansicpg1252 Gr\'fc\'dfe \u8211? \u-10180?\u-8205?\{\}\par}",
                "Grüße – \u{1f3f3}{}",
            ),
            (r"{\rtf1{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}\f1\'cc\'ee\'f5 {\f0 \'e4}\par}", "Мох ä"),
            (
                r"{\rtf1\pard\outlinelevel0 On moss\par\pard It is {\*\unknown no}old\line and green.\par}",
                "# On moss\n\nIt is old\nand green.",
            ),
            (
                r"{\rtf1{\pntext 1.\tab}First\par{\pntext 2.\tab}Second\par{\listtext\'b7\tab}Third\par\pard End\par}",
                "1. First\n2. Second\n- Third\n\nEnd",
            ),
            (
                r"{\rtf1\trowd\pard\intbl Kind\cell Count\cell\row\pard\intbl A|B\par C\cell 3\cell\row\pard End\par}",
                "| Kind | Count |\n| --- | --- |\n| A\\|B C | 3 |\n\nEnd",
            ),
            (
                r#"{\rtf1 See {\field{\*\fldinst HYPERLINK "https://moss.example/"}{\fldrslt the garden}}{\footnote In May.} now.\par}"#,
                "See [the garden](https://moss.example/)[^1] now.\n\n[^1]: In May.",
            ),
            (r"{\rtf1 a\uc2\u228??b{\uc0\u228}c\par}", "aäbäc"),
            (r"{\rtf1{\pict\bin3 }}{}\par}moss", "moss"),
            ("no RTF at all", "no RTF at all"),
        ] {
            assert_eq!(read(rtf.as_bytes()).unwrap().parts[0].text, text, "{rtf}");
        }
    }

    #[test]
    fn what_was_deleted_is_not_in_it_and_what_is_packed_within_is_said() {
        let read = |rtf: &str| read(rtf.as_bytes()).unwrap();
        let changed = read(r"{\rtf1 a{\deleted gone}{\revised new}\par}");
        assert_eq!((changed.parts[0].text.as_str(), changed.has_changes), ("anew", true));
        assert!(!read(r"{\rtf1\deleted0 a}").has_changes);
        let packed = read(r"{\rtf1 a{\object{\*\objdata 0105}{\result b}}\par}");
        assert_eq!((packed.parts[0].text.as_str(), packed.has_files), ("ab", true));
    }

    #[test]
    fn what_lies_too_deep_or_says_too_much_is_refused() {
        let refused = |rtf: &str| read(rtf.as_bytes()).err();
        assert!(matches!(refused(&"{".repeat(DEEPEST + 1)), Some(Unopened::Broken(_))));
        assert!(refused(&"{".repeat(DEEPEST)).is_none());
        assert!(refused(&"}".repeat(1000)).is_none());
        assert!(matches!(
            refused(&format!("{{\\rtf1 {}}}", "m".repeat(LONGEST + 1))),
            Some(Unopened::TooLong)
        ));
        assert!(refused("{\\rtf1\\bin4000000000 m").is_none());
    }
}
