//! Prices as people write them: dollars for a million tokens. No float on the way.

use protocol::Micros;

/// Dollars in whole micro-units; `None` for an empty text.
#[cfg(feature = "ssr")]
pub(super) fn read(text: &str) -> Result<Option<Micros>, hub::Error> {
    let text = text.trim().trim_start_matches('$');
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || hub::Error::Invalid(format!("{text:?} is not a price. Write dollars, like 0.25."));
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() || whole.len() > 9 || part.len() > 6 || !digits(whole) || !digits(part) {
        return Err(wrong());
    }
    let number = format!("{whole}{part:0<6}");
    number.parse().map(Micros).map(Some).map_err(|_| wrong())
}

pub(super) fn words(price: Micros) -> String {
    format!("{price} a million")
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_as_it_is_written() {
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
            let found = read(text).map(|price| price.map(|Micros(micros)| micros)).map_err(|_| ());
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
