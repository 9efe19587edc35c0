//! What an authenticator app reads: an address, and a picture of it.

use crate::error::{Error, Result};
use protocol::view::QrPicture;
use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write;
use url::Url;

/// Light squares around the picture, by the standard.
const MARGIN: usize = 4;

/// `host` tells this hub from another one in the app's list.
pub(super) fn address(seed: &str, person: &str, host: &str) -> Result<String> {
    let mut url = Url::parse("otpauth://totp").map_err(Error::internal)?;
    url.path_segments_mut()
        .map_err(|()| Error::internal("an address of a code has a path"))?
        .push(&format!("Vivarium:{person} ({host})"));
    url.set_query(Some(&format!("secret={seed}&issuer=Vivarium")));
    Ok(url.into())
}

pub(super) fn picture(text: &str) -> Result<QrPicture> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(Error::internal)?;
    let width = code.width();
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, next| one == next) {
            if run[0] == Color::Dark {
                let (at, down, wide) = (x + MARGIN, y + MARGIN, run.len());
                write!(path, "M{at} {down}h{wide}v1h-{wide}z").expect("writing to a string cannot fail");
            }
            x += run.len();
        }
    }
    Ok(QrPicture { size: u32::try_from(width + 2 * MARGIN).map_err(Error::internal)?, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_any_name() {
        for (person, label) in [
            ("Ada", "Vivarium:Ada%20(hub.example)"),
            ("a/b?c#d", "Vivarium:a%2Fb%3Fc%23d%20(hub.example)"),
            ("Łódź", "Vivarium:%C5%81%C3%B3d%C5%BA%20(hub.example)"),
            ("100%", "Vivarium:100%25%20(hub.example)"),
        ] {
            let expected = format!("otpauth://totp/{label}?secret=ABC&issuer=Vivarium");
            assert_eq!(address("ABC", person, "hub.example").unwrap(), expected);
        }
    }

    #[test]
    fn a_picture_has_a_square_in_three_corners_and_a_margin() {
        let QrPicture { size, path } = picture("otpauth://totp/Vivarium:Ada?secret=ABC").unwrap();
        assert!((29..80).contains(&size), "{size}");
        let right = size - 11;
        assert!(path.starts_with("M4 4h7v1h-7z"), "{path}");
        assert!(path.contains(&format!("M{right} 4h7v1h-7z")), "{path}");
        assert!(path.contains(&format!("M4 {}h7v1h-7z", size - 5)), "{path}");
    }
}
