//! A digest over rows in any order: SHA-256 of each, added up. A row has a key, so none is there twice.

use sha2::{Digest, Sha256};

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum([u8; 32]);

impl Sum {
    pub(super) fn add(&mut self, table: &str, row: &[u8]) {
        let mut hash = Sha256::new();
        hash.update(table.as_bytes());
        hash.update([0]);
        hash.update(row);
        self.add_sum(Self(hash.finalize().into()));
    }

    pub(super) fn add_sum(&mut self, other: Self) {
        let mut carry = 0;
        for (own, other) in self.0.iter_mut().zip(other.0) {
            let sum = u16::from(*own) + u16::from(other) + carry;
            *own = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
    }

    pub(super) fn to_text(self) -> String {
        data_encoding::HEXLOWER.encode(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(rows: &[(&str, &str)]) -> String {
        let mut sum = Sum::default();
        rows.iter().for_each(|(table, row)| sum.add(table, row.as_bytes()));
        sum.to_text()
    }

    #[test]
    fn it_is_the_same_in_any_order_and_another_for_anything_else() {
        let rows = [("a", "[1]"), ("a", "[2]"), ("b", "[1]")];
        let same = sum(&rows);
        assert_eq!(sum(&[rows[2], rows[0], rows[1]]), same);
        for other in [&rows[..2], &[rows[0], rows[1], ("b", "[2]")], &[rows[0], rows[1], ("c", "[1]")]] {
            assert_ne!(sum(other), same);
        }
    }
}
