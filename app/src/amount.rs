//! Amounts of money as people write them, in dollars. No float on the way.

#[cfg(feature = "ssr")]
use crate::prelude::say;
use protocol::Micros;

/// Dollars in whole micro-units; `None` for an empty text.
#[cfg(feature = "ssr")]
pub fn read(text: &str) -> Result<Option<Micros>, hub::Error> {
    let text = text.trim().trim_start_matches('$');
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || hub::Error::Invalid(say!("{text:?} is not an amount of money. Write dollars, like 0.25."));
    Micros::of_dollars(text).map(Some).ok_or_else(wrong)
}

/// How a field holds the amount: [`read`] gives the same one again.
pub fn written(Micros(micros): Micros) -> String {
    let (whole, part) = (micros / 1_000_000, micros % 1_000_000);
    if part == 0 {
        return whole.to_string();
    }
    let part = format!("{part:06}");
    format!("{whole}.{:0<2}", part.trim_end_matches('0'))
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_as_it_is_written() {
        for (text, expected) in [
            ("", Ok(None)),
            ("3", Ok(Some(3_000_000))),
            (" $0.25 ", Ok(Some(250_000))),
            ("0,000001", Ok(Some(1))),
            ("0", Ok(Some(0))),
            (".5", Err(())),
            ("1e3", Err(())),
            ("-1", Err(())),
            ("0.0000001", Err(())),
        ] {
            let found = read(text).map(|amount| amount.map(|Micros(micros)| micros)).map_err(|_| ());
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn a_field_gives_the_amount_that_it_was_given() {
        for (micros, text) in [(0, "0"), (1, "0.000001"), (500_000, "0.50"), (12_340_000, "12.34")] {
            assert_eq!(written(Micros(micros)), text);
            assert_eq!(read(text).ok(), Some(Some(Micros(micros))), "{text}");
        }
    }
}
