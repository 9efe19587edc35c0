//! A code that somebody typed: what it can be, and using it up.

use super::totp::Seed;
use super::{place, recovery};
use crate::accounts::Accounts;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};

/// What a typed text can be, before it is used.
#[derive(Debug)]
pub(in crate::accounts) enum Typed {
    /// The code of these half minutes; of none if it is wrong.
    ByTime(Vec<i64>),
    Recovery(String),
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::accounts) enum CodeUse {
    /// It is wrong, or was used before.
    Refused,
    ByTime,
    /// So many recovery codes are left.
    Recovery(u32),
}

impl Accounts<'_> {
    /// Reads what the person typed. Nothing is used up yet.
    pub(in crate::accounts) async fn read_code(self, user: &str, text: &str) -> Result<Typed> {
        let Some(code) = six_digits(text) else { return Ok(Typed::Recovery(text.to_owned())) };
        let secret = match self.hub.vault().read(self.hub.store(), place(user)).await {
            Ok(secret) => secret,
            Err(Error::Conflict(_)) => return Err(unreadable()),
            Err(error) => return Err(error),
        };
        let Some(secret) = secret else { return Ok(Typed::ByTime(Vec::new())) };
        let seed = Seed::from_secret(&secret).ok_or_else(unreadable)?;
        Ok(Typed::ByTime(seed.steps_of(code, self.hub.now())))
    }
}

/// A code counts once, and after it none that is older.
pub(in crate::accounts) async fn use_up(tx: &mut Transaction, user: &str, typed: &Typed) -> Result<CodeUse> {
    match typed {
        Typed::ByTime(steps) => {
            for step in steps {
                let used = query(
                    "UPDATE second_factors SET last_step = $1 WHERE user_id = $2 AND last_step < $1",
                    (step, user),
                )
                .execute(&mut **tx)
                .await?;
                if used > 0 {
                    return Ok(CodeUse::ByTime);
                }
            }
            Ok(CodeUse::Refused)
        }
        Typed::Recovery(code) => match recovery::use_up(tx, user, code).await? {
            true => Ok(CodeUse::Recovery(recovery::left(&mut **tx, user).await?)),
            false => Ok(CodeUse::Refused),
        },
    }
}

/// The number, if that is what the text is; apps show it with a space in the middle.
pub(super) fn six_digits(text: &str) -> Option<u32> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let fits = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| digits.parse().ok()).flatten()
}

pub(in crate::accounts) fn wrong(typed: &Typed) -> Error {
    match typed {
        Typed::ByTime(_) => Error::invalid(
            "This code is wrong, or it was used already. Type the one that your app shows now.",
        ),
        Typed::Recovery(_) => Error::invalid("This recovery code is wrong, or it was used already."),
    }
}

fn unreadable() -> Error {
    Error::Conflict(
        "This hub has lost what your codes come from. Use a recovery code, or ask its administrator to take your second factor away."
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::six_digits;

    #[test]
    fn six_digits_are_a_code_and_anything_else_is_not() {
        for (text, code) in [
            ("123456", Some(123_456)),
            ("000001", Some(1)),
            (" 123 456\n", Some(123_456)),
            ("12345", None),
            ("1234567", None),
            ("12345a", None),
            ("+12345", None),
            ("١٢٣٤٥٦", None),
            ("", None),
        ] {
            assert_eq!(six_digits(text), code, "{text:?}");
        }
    }
}
