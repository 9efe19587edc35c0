//! A text with how each of its lines ends, so that a change of some leaves the others as they are.

/// A text whose lines end in `\n`, and what they end in where it is written.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    text: String,
    /// Of each line end in the text, whether it is `\r\n`.
    crlf: Vec<bool>,
    /// What most lines of the whole file end in.
    usual: bool,
}

impl Lines {
    pub(super) fn of(written: &str) -> Self {
        let crlf: Vec<bool> =
            written.match_indices('\n').map(|(at, _)| written[..at].ends_with('\r')).collect();
        let usual = crlf.iter().filter(|crlf| **crlf).count() * 2 > crlf.len();
        Self { text: written.replace("\r\n", "\n"), crlf, usual }
    }

    /// With `\n` after each line.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn count(&self) -> usize {
        self.text.lines().count()
    }

    /// As it is in the file.
    pub(super) fn written(&self) -> String {
        let mut written = String::with_capacity(self.text.len() + self.crlf.len());
        let mut ends = self.crlf.iter();
        for part in self.text.split_inclusive('\n') {
            match part.strip_suffix('\n') {
                Some(line) if ends.next() == Some(&true) => {
                    written.push_str(line);
                    written.push_str("\r\n");
                }
                Some(_) | None => written.push_str(part),
            }
        }
        written
    }

    /// Replaces so many bytes at each of these places, which follow one another.
    pub(super) fn replace(&mut self, places: &[usize], bytes: usize, new: &str) {
        let (mut text, mut crlf, mut at, mut end) = (String::new(), Vec::new(), 0, 0);
        for place in places {
            let kept = &self.text[at..*place];
            let old = &self.text[*place..place + bytes];
            let next = end + ends_in(kept);
            crlf.extend_from_slice(&self.crlf[end..next]);
            end = next + ends_in(old);
            crlf.extend(self.ends_of(ends_in(new), next, end));
            text.push_str(kept);
            text.push_str(new);
            at = place + bytes;
        }
        text.push_str(&self.text[at..]);
        crlf.extend_from_slice(&self.crlf[end..]);
        (self.text, self.crlf) = (text, crlf);
    }

    /// How the lines of what is new end: as those that it replaces from `from` to `to`, then as the last one of them,
    /// or else as is usual in the file.
    fn ends_of(&self, count: usize, from: usize, to: usize) -> impl Iterator<Item = bool> {
        let replaced = &self.crlf[from..to];
        let more = replaced.last().copied().unwrap_or(self.usual);
        let ends: Vec<bool> = (0..count).map(|at| replaced.get(at).copied().unwrap_or(more)).collect();
        ends.into_iter()
    }

    /// Replaces so many lines behind the first `at` ones by others. A last line without an end stays one.
    pub(super) fn replace_lines(&mut self, at: usize, count: usize, new: &[&str]) {
        let (from, to) = (self.start_of(at), self.start_of(at + count));
        let mut lines: String = new.iter().map(|line| format!("{line}\n")).collect();
        let has_no_end = !self.text.is_empty() && !self.text.ends_with('\n');
        let is_at_end = to == self.text.len() && has_no_end;
        if is_at_end && !lines.is_empty() {
            lines.pop();
            if from == to && from > 0 {
                lines.insert(0, '\n');
            }
        }
        self.replace(&[from], to - from, &lines);
    }

    /// The byte at which the line behind so many begins.
    fn start_of(&self, lines: usize) -> usize {
        match lines.checked_sub(1) {
            None => 0,
            Some(last) => self.text.match_indices('\n').nth(last).map_or(self.text.len(), |(at, _)| at + 1),
        }
    }
}

fn ends_in(text: &str) -> usize {
    text.matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_text_is_written_as_it_was(text in "([ab\r]{0,3}(\r\n|\n)?){0,8}") {
            prop_assert_eq!(Lines::of(&text).written(), text);
        }

        #[test]
        fn lines_that_are_replaced_leave_the_others(text in "([ab]{0,3}(\r\n|\n)){0,8}", at in 0..8_usize, count in 0..4_usize) {
            let before: Vec<&str> = text.split_inclusive('\n').collect();
            let at = at.min(before.len());
            let count = count.min(before.len() - at);
            let mut now = Lines::of(&text);
            now.replace_lines(at, count, &["x", "y"]);
            let written = now.written();
            let after: Vec<&str> = written.split_inclusive('\n').collect();
            prop_assert_eq!(&after[..at], &before[..at]);
            prop_assert_eq!(&after[at + 2..], &before[at + count..]);
            prop_assert_eq!(after[at..at + 2].iter().map(|line| line.trim_end()).collect::<Vec<_>>(), ["x", "y"]);
        }
    }
}
