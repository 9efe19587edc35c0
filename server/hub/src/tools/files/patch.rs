//! Hunks of a patch of one file: whole lines, found by what stands around a change. All hunks are made or none, and
//! what stands around stays as the file has it.

use super::ends::Lines;

/// Hunks of one patch.
const MOST: usize = 500;

#[derive(Debug, Default)]
struct Hunk<'p> {
    /// A line above it, which tells places apart that are alike.
    head: &'p str,
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
const WAYS: [fn(&str) -> String; 4] = [
    |line| line.to_owned(),
    |line| line.trim_end().to_owned(),
    |line| line.trim().to_owned(),
    |line| line.trim().chars().map(plain).collect(),
];

/// The text after the patch, or why there is none.
pub(super) fn patched(text: &str, patch: &str) -> Result<String, String> {
    let hunks = hunks(patch)?;
    let mut now = Lines::of(text);
    let mut from = 0;
    for (hunk, number) in hunks.iter().zip(1..) {
        from = apply(&mut now, hunk, from).map_err(|why| match hunks.len() {
            1 => why,
            _ => format!("Hunk {number}: {why} None of the hunks was applied."),
        })?;
    }
    let after = now.written();
    if after == text { Err("The patch changes nothing.".to_owned()) } else { Ok(after) }
}

fn hunks(patch: &str) -> Result<Vec<Hunk<'_>>, String> {
    let mut hunks: Vec<Hunk<'_>> = Vec::new();
    for line in patch.lines() {
        if line.starts_with("*** End of File") {
            if let Some(hunk) = hunks.last_mut() {
                hunk.is_at_end = true;
            }
        } else if line.starts_with("*** ") {
            return Err("A patch is of one file here, named in path, and of its hunks only. Send a call for each file, and move files with files.".to_owned());
        } else if let Some(head) = line.strip_prefix("@@") {
            hunks.push(Hunk { head: head_of(head), ..Hunk::default() });
        } else if !(hunks.is_empty() && is_of_names(line)) {
            if hunks.is_empty() {
                hunks.push(Hunk::default());
            }
            let line = line_of(line)?;
            if let Some(hunk) = hunks.last_mut() {
                hunk.lines.push(line);
            }
        }
        if hunks.len() > MOST {
            return Err(format!("The patch has more than {MOST} hunks. Apply it in parts."));
        }
    }
    // A head alone leads to the next one.
    if hunks.iter().all(|hunk| hunk.lines.iter().all(|(kind, _)| *kind == Kind::Around)) {
        return Err("The patch has no line with - or + in front.".to_owned());
    }
    Ok(hunks)
}

/// Whether it names the file, before and after.
fn is_of_names(line: &str) -> bool {
    line.starts_with("--- ") || line.starts_with("+++ ")
}

/// What a head says besides numbers of lines.
fn head_of(head: &str) -> &str {
    let head = head.trim();
    match head.strip_prefix('-').and_then(|_| head.split_once("@@")) {
        Some((_, said)) => said.trim(),
        None => head.strip_suffix("@@").unwrap_or(head).trim(),
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

/// Makes the change at the one place from the line on where it fits, and gives the line behind it.
fn apply(now: &mut Lines, hunk: &Hunk<'_>, from: usize) -> Result<usize, String> {
    let there: Vec<String> = now.text().lines().map(str::to_owned).collect();
    let from = below_head(&there, hunk.head, from)?;
    let old: Vec<&str> =
        hunk.lines.iter().filter(|(kind, _)| *kind != Kind::New).map(|(_, line)| *line).collect();
    let mut at = match old.is_empty() {
        true if hunk.head.is_empty() || hunk.is_at_end => there.len(),
        true => from,
        false => place_of(&there, &old, from, hunk)?,
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
        now.replace_lines(at, gone, &new);
        at += new.len();
    }
    Ok(at)
}

fn below_head(there: &[String], head: &str, from: usize) -> Result<usize, String> {
    if head.is_empty() {
        return Ok(from);
    }
    let at = there.iter().skip(from).position(|line| line.trim() == head);
    let at = at.or_else(|| there.iter().skip(from).position(|line| line.contains(head)));
    at.map(|at| from + at + 1).ok_or_else(|| format!("The line {head:?} of its head is not there."))
}

fn place_of(there: &[String], old: &[&str], from: usize, hunk: &Hunk<'_>) -> Result<usize, String> {
    for way in WAYS {
        let wanted: Vec<String> = old.iter().map(|line| way(line)).collect();
        let lines: Vec<String> = there.iter().map(|line| way(line)).collect();
        let mut places: Vec<usize> = (from..(lines.len() + 1).saturating_sub(wanted.len()))
            .filter(|at| lines[*at..at + wanted.len()] == wanted)
            .collect();
        if hunk.is_at_end {
            places.retain(|at| at + wanted.len() == lines.len());
        }
        match places.as_slice() {
            [] => {}
            // Below a head the first one is meant.
            [at, ..] if places.len() == 1 || !hunk.head.is_empty() => return Ok(*at),
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
            ("a\nb\nc\nd\n", "@@\n-a\n+A\n@@\n-d\n+D", Ok("A\nb\nc\nD\n")),
            (TEXT, "@@\n-    one();\n+    two();", Err("2 times, at the lines 2, 6")),
            ("a\n", "@@\n-b\n+c", Err("is not there, beginning with \"b\"")),
            ("a\n", "@@ z\n-a\n+c", Err("\"z\" of its head")),
            ("a\nd\n", "@@\n-a\n+A\n@@\n-x\n+y", Err("Hunk 2: ")),
            ("a\n", "a", Err("in front")),
            ("a\n", " a", Err("no line with")),
            ("a\n", "*** Begin Patch\n*** Delete File: a", Err("one file")),
        ] {
            match (patched(text, patch), expected) {
                (Ok(now), Ok(expected)) => assert_eq!(now, expected, "{patch}"),
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                (found, expected) => panic!("{text:?} {patch:?}: {found:?}, not {expected:?}"),
            }
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
