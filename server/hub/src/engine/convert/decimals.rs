//! Numbers as they are written where a comma stands before the decimals: 1.234,5 and 1 234,5.

use std::borrow::Cow;

/// What stands before the decimals in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decimals {
    Point,
    Comma,
}

/// A cell read with a comma before its decimals.
struct WithComma {
    /// The same with a point, and nothing between the digits.
    text: String,
    /// Nobody would read it otherwise: 1,234 may be a thousand.
    is_sure: bool,
}

impl Decimals {
    /// A comma where a cell cannot be read otherwise, and no cell has a point there.
    pub(crate) fn of<'c>(cells: impl Iterator<Item = &'c str>) -> Self {
        let mut is_sure = false;
        for cell in cells {
            match with_comma(cell.trim()) {
                Some(read) => is_sure |= read.is_sure,
                None if cell.contains('.') && cell.trim().parse::<f64>().is_ok() => return Self::Point,
                None => {}
            }
        }
        if is_sure { Self::Comma } else { Self::Point }
    }

    /// A number with a point before its decimals; what is none as it is.
    pub(crate) fn with_point(self, cell: &str) -> Cow<'_, str> {
        match self {
            Self::Point => Cow::Borrowed(cell),
            Self::Comma => with_comma(cell).map_or(Cow::Borrowed(cell), |read| Cow::Owned(read.text)),
        }
    }
}

fn with_comma(cell: &str) -> Option<WithComma> {
    let (sign, rest) = match cell.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", cell),
    };
    let (whole, part) = match rest.split_once(',') {
        Some((whole, part)) => (whole, Some(part)),
        None => (rest, None),
    };
    let digits = without_groups(whole)?;
    let has_groups = digits.len() < whole.len();
    if part.is_some_and(|part| !are_digits(part)) {
        return None;
    }
    let may_be_thousands = part.is_some_and(|part| part.len() == 3)
        && (1..=3).contains(&digits.len())
        && !digits.starts_with('0')
        && !has_groups;
    let is_sure = part.is_some() && !may_be_thousands;
    let part = part.map(|part| format!(".{part}")).unwrap_or_default();
    Some(WithComma { text: format!("{sign}{digits}{part}"), is_sure })
}

/// The digits, if what stands between them sets thousands apart.
fn without_groups(whole: &str) -> Option<String> {
    let Some(separator) = whole.chars().find(|letter| !letter.is_ascii_digit()) else {
        return are_digits(whole).then(|| whole.to_owned());
    };
    if !matches!(separator, '.' | ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’') {
        return None;
    }
    let mut groups = whole.split(separator);
    let first = groups.next().filter(|first| are_digits(first) && first.len() <= 3)?;
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 || !are_digits(group) {
            return None;
        }
        digits.push_str(group);
    }
    Some(digits)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_stands_before_the_decimals_where_nothing_else_can_be_meant() {
        for (cells, expected) in [
            (&["1,5", "2", ""][..], &["1.5", "2", ""][..]),
            (&["-1.234,50", "1.000"], &["-1234.50", "1000"]),
            (&["1 234,5", "12\u{a0}345,25"], &["1234.5", "12345.25"]),
            (&["0,125", "1,250"], &["0.125", "1.250"]),
            (&["1234,567"], &["1234.567"]),
            (&["1,5", "n/a", "1,2,3"], &["1.5", "n/a", "1,2,3"]),
            // It may be a thousand, and then again not.
            (&["1,234", "1,500"], &["1,234", "1,500"]),
            (&["1.234", "5.678"], &["1.234", "5.678"]),
            // One of them is meant otherwise.
            (&["1,5", "2.5"], &["1,5", "2.5"]),
            (&["1 23,4", "1.2.3,4", "1;234,5", ",5", "5,"], &["1 23,4", "1.2.3,4", "1;234,5", ",5", "5,"]),
        ] {
            let decimals = Decimals::of(cells.iter().copied());
            let read: Vec<_> = cells.iter().map(|cell| decimals.with_point(cell)).collect();
            assert_eq!(read, expected, "{cells:?}");
        }
    }
}
