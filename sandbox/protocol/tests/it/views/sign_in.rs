//! Signing in with a second factor or a passkey.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::view::{
    NewSecondFactor, PasskeyChallenge, PasskeyOptions, PasskeyPlace, PasskeyView, QrPicture, SecondFactor,
    SignInStep,
};

pub fn sections() -> Vec<Section> {
    vec![
        every!(SignInStep {
            SignInStep::Done => [SignInStep::Done],
            SignInStep::CodeNeeded => [SignInStep::CodeNeeded],
        }),
        section(
            "SecondFactor",
            &[SecondFactor { since: Some(AT), recovery_codes: 8 }, SecondFactor::default()],
        ),
        section(
            "NewSecondFactor",
            &[NewSecondFactor {
                secret: "ABC234".to_owned(),
                address: "otpauth://totp/Vivarium:Ada?secret=ABC234&issuer=Vivarium".to_owned(),
                picture: QrPicture { size: 29, path: "M4 4h7v1h-7z".to_owned() },
            }],
        ),
        section(
            "PasskeyView",
            &[PasskeyView {
                id: "passkey-1".into(),
                name: "Phone".to_owned(),
                created_at: AT,
                last_used_at: None,
            }],
        ),
        every!(PasskeyPlace {
            PasskeyPlace::Here => [PasskeyPlace::Here],
            PasskeyPlace::At(_) => [PasskeyPlace::At("https://hub.example".to_owned())],
            PasskeyPlace::Nowhere => [PasskeyPlace::Nowhere],
        }),
        section(
            "PasskeyOptions",
            &[PasskeyOptions {
                challenge: "AAAA".to_owned(),
                party: "hub.example".to_owned(),
                person: "BBBB".to_owned(),
                name: "Ada".to_owned(),
                algorithms: vec![-7, -8, -257],
                existing: vec!["CCCC".to_owned()],
            }],
        ),
        section(
            "PasskeyChallenge",
            &[PasskeyChallenge { challenge: "AAAA".to_owned(), party: "hub.example".to_owned() }],
        ),
    ]
}
