//! Hunks of a patch of one file: whole lines, found by what stands around a change. All hunks are made or none, and
//! what stands around stays as the file has it.

use super::edit::without_mark;

/// Bytes of one patch, its hunks, and the lines of a hunk.
const BYTES: usize = 200 * 1024;
const MOST_HUNKS: usize = 200;
const LINES: usize = 2000;
/// Lines that are compared for one patch.
const COMPARED: usize = 20_000_000;

#[derive(Debug, Default)]
struct Hunk<'p> {
    /// A line above it, which tells places apart that are alike.
    head: &'p str,
    /// The line behind which it is, by its number.
    behind: Option<usize>,
    lines: Vec<(Kind, &'p str)>,
    is_at_end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Around,
    Gone,
    New,
}

/// How lines are compared, the strictest way first.
const WAYS: [fn(&str, &str) -> bool; 4] = [
    |one, other| one == other,
    |one, other| one.trim_end() == other.trim_end(),
    |one, other| one.trim() == other.trim(),
    |one, other| signs_of(one).eq(signs_of(other)),
];

/// A line and what it ends in, which for the last one can be nothing.
#[derive(Clone, Copy, Debug)]
struct Line<'t> {
    text: &'t str,
    end: &'t str,
}

/// So many lines behind the first `at` ones, and what is there instead.
struct Change<'p> {
    at: usize,
    gone: usize,
    new: Vec<&'p str>,
}

/// A file that is searched for what hunks are about.
struct Searched<'t> {
    lines: Vec<Line<'t>>,
    /// Lines that may still be compared.
    left: usize,
}

/// The text after the patch, or why there is none.
pub(super) fn patched(text: &str, patch: &str) -> Result<String, String> {
    let hunks = hunks(patch)?;
    let (mark, unmarked) = without_mark(text);
    let mut there = Searched { lines: lines_of(unmarked), left: COMPARED };
    let (mut changes, mut from) = (Vec::new(), 0);
    for (hunk, number) in hunks.iter().zip(1..) {
        from = place(&mut there, hunk, from, &mut changes).map_err(|why| match hunks.len() {
            1 => why,
            _ => format!("Hunk {number}: {why} None of the hunks was applied."),
        })?;
    }
    let now = changed(&there.lines, &changes);
    let after = format!("{mark}{}", without_mark(&now).1);
    if after == text { Err("The patch changes nothing.".to_owned()) } else { Ok(after) }
}

fn hunks(patch: &str) -> Result<Vec<Hunk<'_>>, String> {
    if patch.len() > BYTES {
        return Err("The patch is larger than 200 KB. Apply it in parts, or write the whole file.".to_owned());
    }
    let mut hunks: Vec<Hunk<'_>> = Vec::new();
    let mut lines = patch.lines().peekable();
    while let Some(line) = lines.next() {
        // The names of the file, before and after.
        let is_of_names = hunks.is_empty()
            && line.starts_with("--- ")
            && lines.next_if(|next| next.starts_with("+++ ")).is_some();
        if is_of_names {
            continue;
        }
        if line.starts_with("*** End of File") {
            if let Some(hunk) = hunks.last_mut() {
                hunk.is_at_end = true;
            }
        } else if line.starts_with("*** ") {
            return Err("Lines that begin with *** belong to a whole patch, from *** Begin Patch to *** End Patch. Otherwise a patch is of one file, named in path, and of its hunks only.".to_owned());
        } else if let Some(head) = line.strip_prefix("@@") {
            let (behind, head) = head_of(head);
            hunks.push(Hunk { head, behind, ..Hunk::default() });
        } else {
            if hunks.is_empty() {
                hunks.push(Hunk::default());
            }
            let line = line_of(line)?;
            if let Some(hunk) = hunks.last_mut() {
                hunk.lines.push(line);
            }
        }
        if hunks.len() > MOST_HUNKS {
            return Err(format!("The patch has more than {MOST_HUNKS} hunks. Apply it in parts."));
        }
        if hunks.last().is_some_and(|hunk| hunk.lines.len() > LINES) {
            return Err(format!("Hunk {} has more than {LINES} lines. Make several of it.", hunks.len()));
        }
    }
    // A head alone leads to the next one.
    if hunks.iter().all(|hunk| hunk.lines.iter().all(|(kind, _)| *kind == Kind::Around)) {
        return Err("The patch has no line with - or + in front.".to_owned());
    }
    Ok(hunks)
}

/// The number of the first line before the change, if a head has numbers, and what it says besides.
fn head_of(head: &str) -> (Option<usize>, &str) {
    let head = head.trim();
    match head.strip_prefix('-').and_then(|numbers| numbers.split_once("@@")) {
        Some((numbers, said)) => {
            let first = numbers.split(|sign: char| !sign.is_ascii_digit()).next();
            (first.and_then(|first| first.parse().ok()), said.trim())
        }
        None => (None, head.strip_suffix("@@").unwrap_or(head).trim()),
    }
}

fn line_of(line: &str) -> Result<(Kind, &str), String> {
    let mark = line.chars().next();
    match mark {
        None => Ok((Kind::Around, "")),
        Some(' ') => Ok((Kind::Around, &line[1..])),
        Some('-') => Ok((Kind::Gone, &line[1..])),
        Some('+') => Ok((Kind::New, &line[1..])),
        Some('\\') => {
            Err("A patch leaves the end of the last line as it is: take the line with \\ out.".to_owned())
        }
        Some(_) => Err(format!("The line {line:?} of the patch has neither a space nor - nor + in front.")),
    }
}

fn lines_of(text: &str) -> Vec<Line<'_>> {
    let length = |whole: &str| whole.strip_suffix("\r\n").or_else(|| whole.strip_suffix('\n')).map(str::len);
    text.split_inclusive('\n')
        .map(|whole| {
            let (text, end) = whole.split_at(length(whole).unwrap_or(whole.len()));
            Line { text, end }
        })
        .collect()
}

/// Adds what the hunk changes at the one place from the line on where it fits, and gives the line behind it. Lines are
/// counted as they were before all changes.
fn place<'p>(
    there: &mut Searched<'_>,
    hunk: &Hunk<'p>,
    from: usize,
    changes: &mut Vec<Change<'p>>,
) -> Result<usize, String> {
    let old: Vec<&str> =
        hunk.lines.iter().filter(|(kind, _)| *kind != Kind::New).map(|(_, line)| *line).collect();
    let count = there.lines.len();
    let mut at = match hunk.behind {
        Some(line) if old.is_empty() && !hunk.lines.is_empty() && !hunk.is_at_end => {
            line.min(count).max(from)
        }
        Some(_) | None => {
            let from = there.below_head(hunk.head, from)?;
            match old.is_empty() {
                true if hunk.head.is_empty() || hunk.is_at_end => count,
                true => from,
                false => there.place_of(&old, from, hunk)?,
            }
        }
    };
    let mut lines = hunk.lines.iter().peekable();
    while let Some((kind, line)) = lines.next() {
        if *kind == Kind::Around {
            at += 1;
            continue;
        }
        // What changes side by side is one change.
        let (mut gone, mut new) = (0, Vec::new());
        let mut next = Some((kind, line));
        while let Some((kind, line)) = next {
            match kind {
                Kind::Gone => gone += 1,
                Kind::New => new.push(*line),
                Kind::Around => {}
            }
            next = lines.next_if(|(kind, _)| *kind != Kind::Around).map(|(kind, line)| (kind, line));
        }
        changes.push(Change { at, gone, new });
        at += gone;
    }
    Ok(at)
}

/// The text after the changes, which follow one another. What is new ends as the lines that it replaces, then as the
/// last one of them, or else as is usual in the file. A last line without an end stays one.
fn changed(there: &[Line<'_>], changes: &[Change<'_>]) -> String {
    let crlf = there.iter().filter(|line| line.end == "\r\n").count();
    let ends = there.iter().filter(|line| !line.end.is_empty()).count();
    let usual = if crlf * 2 > ends { "\r\n" } else { "\n" };
    let (mut now, mut from): (Vec<Line<'_>>, usize) = (Vec::new(), 0);
    for Change { at, gone, new } in changes {
        now.extend(&there[from..*at]);
        from = at + gone;
        let replaced: Vec<&str> =
            there[*at..from].iter().map(|line| line.end).filter(|end| !end.is_empty()).collect();
        let more = replaced.last().copied().unwrap_or(usual);
        let lines = new.iter().copied().enumerate();
        now.extend(
            lines.map(|(number, text)| Line { text, end: replaced.get(number).copied().unwrap_or(more) }),
        );
    }
    now.extend(&there[from..]);
    let had_no_end = there.last().is_some_and(|line| line.end.is_empty());
    let is_new_at_end = from == there.len() && changes.last().is_some_and(|change| !change.new.is_empty());
    let mut text = String::new();
    for (line, number) in now.iter().zip(1..) {
        text.push_str(line.text);
        match number == now.len() {
            true if had_no_end && is_new_at_end => {}
            true => text.push_str(line.end),
            false if line.end.is_empty() => text.push_str(usual),
            false => text.push_str(line.end),
        }
    }
    text
}

impl Searched<'_> {
    fn below_head(&mut self, head: &str, from: usize) -> Result<usize, String> {
        if head.is_empty() {
            return Ok(from);
        }
        self.spend(2 * (self.lines.len() - from))?;
        let lines = &self.lines[from..];
        let at = lines.iter().position(|line| line.text.trim() == head);
        let at = at.or_else(|| lines.iter().position(|line| line.text.contains(head)));
        at.map(|at| from + at + 1).ok_or_else(|| format!("The line {head:?} of its head is not there."))
    }

    fn place_of(&mut self, old: &[&str], from: usize, hunk: &Hunk<'_>) -> Result<usize, String> {
        for way in WAYS {
            match self.places(way, old, from, hunk.is_at_end)?.as_slice() {
                [] => {}
                // Below a head the first one is meant.
                [at, rest @ ..] if rest.is_empty() || !hunk.head.is_empty() => return Ok(*at),
                several => {
                    let lines: Vec<String> = several.iter().take(10).map(|at| (at + 1).to_string()).collect();
                    return Err(format!(
                        "What stands around it is there {} times, at the lines {}. Take in more lines.",
                        several.len(),
                        lines.join(", ")
                    ));
                }
            }
        }
        let first = old.first().copied().unwrap_or_default();
        Err(format!("What it is about is not there, beginning with {first:?}. Read the file again."))
    }

    /// Where the lines stand, compared in this way.
    fn places(
        &mut self,
        way: fn(&str, &str) -> bool,
        old: &[&str],
        from: usize,
        is_at_end: bool,
    ) -> Result<Vec<usize>, String> {
        let Some(last) = self.lines.len().checked_sub(old.len()) else { return Ok(Vec::new()) };
        let from = if is_at_end { from.max(last) } else { from };
        let mut places = Vec::new();
        for at in from..=last {
            let same = self.lines[at..].iter().zip(old).take_while(|(line, old)| way(line.text, old)).count();
            self.spend(same + 1)?;
            if same == old.len() {
                places.push(at);
            }
        }
        Ok(places)
    }

    fn spend(&mut self, lines: usize) -> Result<(), String> {
        self.left = self.left.checked_sub(lines).ok_or(
            "It takes too long to find the place in this file. Apply the patch in parts, or make the change with old_string.",
        )?;
        Ok(())
    }
}

/// What is compared of a line in the loosest way.
fn signs_of(line: &str) -> impl Iterator<Item = char> {
    line.trim().chars().filter(|sign| *sign != '\u{feff}').map(plain)
}

/// Typographic signs as those of a keyboard.
fn plain(sign: char) -> char {
    match sign {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        sign => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "fn a() {\n    one();\n}\n\nfn b() {\n    one();\n}\n";

    #[test]
    fn hunks_are_found_by_what_stands_around_them() {
        for (text, patch, expected) in [
            ("a\nb\nc\n", " a\n-b\n+B\n c", Ok("a\nB\nc\n")),
            ("a\r\nb\nc\r\n", "@@\n a\n-b\n+B\n+d\n c", Ok("a\r\nB\nd\nc\r\n")),
            ("a\nb", "@@\n-b\n+B\n+c", Ok("a\nB\nc")),
            ("a\nb", "@@\n b\n+c\n*** End of File", Ok("a\nb\nc")),
            ("a  \nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", Ok("a  \nc\n")),
            ("say “a”\nb\n", "@@\n say \"a\"\n-b\n+c", Ok("say “a”\nc\n")),
            (
                TEXT,
                "@@ fn b() {\n-    one();\n+    two();",
                Ok("fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n"),
            ),
            (
                TEXT,
                "@@ fn b() {\n+    zero();",
                Ok("fn a() {\n    one();\n}\n\nfn b() {\n    zero();\n    one();\n}\n"),
            ),
            ("a\n", "@@\n+b", Ok("a\nb\n")),
            ("a\nb\n", "@@ -1,0 +2 @@\n+x", Ok("a\nx\nb\n")),
            ("a\nb\n", "@@ -0,0 +1 @@\n+x", Ok("x\na\nb\n")),
            ("a\nb", "@@ -9,0 +10 @@\n+x", Ok("a\nb\nx")),
            ("-- a\nb\n", "--- a\n b", Ok("b\n")),
            ("a\n", "--- a.md\n+++ a.md\n@@ -1 +1 @@\n-a\n+b", Ok("b\n")),
            ("\u{feff}a\nb\n", "@@\n-a\n+A\n b", Ok("\u{feff}A\nb\n")),
            ("\u{feff}a\n", "@@\n-\u{feff}a\n+\u{feff}A", Ok("\u{feff}A\n")),
            ("a\r\nb", "@@\n-a\n-b\n+x\n+y\n+z", Ok("x\r\ny\r\nz")),
            ("a\nb\nc\nd\n", "@@\n-a\n+A\n@@\n-d\n+D", Ok("A\nb\nc\nD\n")),
            (TEXT, "@@\n-    one();\n+    two();", Err("2 times, at the lines 2, 6")),
            ("a\n", "@@\n-b\n+c", Err("is not there, beginning with \"b\"")),
            ("a\n", "@@ z\n-a\n+c", Err("\"z\" of its head")),
            ("a\nd\n", "@@\n-a\n+A\n@@\n-x\n+y", Err("Hunk 2: ")),
            ("a\n", "a", Err("in front")),
            ("a\n", " a", Err("no line with")),
            ("a\n", "@@\n-a\n+b\n*** Delete File: a", Err("belong to a whole patch")),
        ] {
            match (patched(text, patch), expected) {
                (Ok(now), Ok(expected)) => assert_eq!(now, expected, "{patch}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                (found, expected) => panic!("{text:?} {patch:?}: {found:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn a_patch_is_bounded_and_its_places_are_not_searched_for_without_end() {
        let many = |line: &str, count: usize| line.repeat(count);
        for (text, patch, expected) in [
            ("a\n", many("+moss\n", BYTES / 6 + 1), "larger than 200 KB"),
            ("a\n", many("@@\n+b\n", MOST_HUNKS + 1), "more than 200 hunks"),
            ("a\n", many("+b\n", LINES + 1), "Hunk 1 has more than 2000 lines"),
            (many("\n", 20_000).as_str(), format!("@@\n{}-x\n", many(" \n", LINES - 1)), "takes too long"),
        ] {
            let why = patched(text, &patch).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
    }

    proptest! {
        #[test]
        fn a_difference_is_a_patch(before in "([a-e]{0,2}(\r\n|\n)){0,12}", at in 0..12_usize) {
            let lines: Vec<&str> = before.split_inclusive('\n').collect();
            let at = at.min(lines.len());
            let after = format!("{}new\n{}", lines[..at].concat(), lines[at..].concat());
            let around: String = lines[..at].iter().map(|line| format!(" {}\n", line.trim_end())).collect();
            let rest: String = lines[at..].iter().map(|line| format!(" {}\n", line.trim_end())).collect();
            let now = patched(&before, &format!("@@\n{around}+new\n{rest}")).unwrap();
            prop_assert_eq!(now.replace("\r\n", "\n"), after.replace("\r\n", "\n"));
            let kept: String = now.split_inclusive('\n').filter(|line| !line.starts_with("new")).collect();
            prop_assert_eq!(kept, before);
        }
    }
}
