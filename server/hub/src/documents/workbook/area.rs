//! Which cells are meant: `B2:C9`, `B2`, or whole columns as `B` or `B:C`.

use rust_xlsxwriter::utility::column_name_to_number;

/// Where a sheet ends, from 0 on.
pub(super) const LAST_ROW: u32 = 1_048_575;
pub(super) const LAST_COLUMN: u16 = 16_383;

/// From 0 on, its last row and column among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) top: u32,
    pub(super) left: u16,
    pub(super) bottom: u32,
    pub(super) right: u16,
}

impl Area {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once(':').unwrap_or((text, text));
        let area = match (cell(from), cell(to)) {
            (Some((top, left)), Some((bottom, right))) => Self { top, left, bottom, right },
            _ => Self { top: 0, left: column(from)?, bottom: LAST_ROW, right: column(to)? },
        };
        let is_within = area.bottom <= LAST_ROW && area.right <= LAST_COLUMN;
        (is_within && area.top <= area.bottom && area.left <= area.right).then_some(area)
    }

    pub(super) fn has_whole_columns(self) -> bool {
        self.top == 0 && self.bottom == LAST_ROW
    }

    pub(super) fn holds(self, row: u32, column: u16) -> bool {
        (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column)
    }

    pub(super) fn cells(self) -> u64 {
        u64::from(self.bottom - self.top + 1) * u64::from(self.right - self.left + 1)
    }
}

/// Row and column of `A1`, from 0 on.
pub(super) fn cell(name: &str) -> Option<(u32, u16)> {
    let (letters, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    let row: u32 = digits.parse().ok()?;
    Some((row.checked_sub(1)?, column(letters)?))
}

fn column(letters: &str) -> Option<u16> {
    let is_one = (1..=3).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    is_one.then(|| column_name_to_number(letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_one_by_one_from_corner_to_corner_or_by_their_columns() {
        let area = |top, left, bottom, right| Some(Area { top, left, bottom, right });
        for (text, expected) in [
            ("B2:C9", area(1, 1, 8, 2)),
            ("B2", area(1, 1, 1, 1)),
            ("B", area(0, 1, LAST_ROW, 1)),
            ("B:C", area(0, 1, LAST_ROW, 2)),
            ("C9:B2", None),
            ("b2", None),
            ("B0", None),
            ("2:3", None),
            ("ABCD", None),
            ("A1048577", None),
            ("", None),
        ] {
            assert_eq!(Area::parse(text), expected, "{text}");
        }
    }
}
