//! Devices, tokens, and what is shown once to let somebody in.

use super::notifications::channel;
use crate::golden::{Section, every, section};
use crate::samples::{AT, agent};
use protocol::Micros;
use protocol::view::{
    DeviceView, NamedAgent, NewChannel, NewInvite, NewReset, NewToken, OneTime, RecoveryCodes, TokenScope,
    TokenView,
};

pub fn shown_once() -> Vec<Section> {
    vec![every!(OneTime {
        OneTime::Token(_) => [OneTime::Token(new_token())],
        OneTime::Invite(_) => [OneTime::Invite(new_invite())],
        OneTime::Reset(_) => [OneTime::Reset(new_reset())],
        OneTime::RecoveryCodes(_) => [OneTime::RecoveryCodes(recovery_codes())],
        OneTime::Channel(_) => [OneTime::Channel(NewChannel {
            view: channel(),
            secret: Some("AAAA".to_owned()),
        })],
        OneTime::WebhookSecret(_) => [OneTime::WebhookSecret("whsec_bW9zcw==".to_owned())],
    })]
}

pub fn devices_and_tokens() -> Vec<Section> {
    vec![
        section("DeviceView", &[device()]),
        section("TokenView", &[token(), token_for_chosen_agents()]),
        section("NewToken", &[new_token()]),
        section("NewInvite", &[new_invite()]),
    ]
}

pub fn device() -> DeviceView {
    DeviceView {
        id: "device-1".into(),
        name: "Firefox on Linux".to_owned(),
        created_at: AT,
        last_seen_at: AT,
        current: true,
    }
}

pub fn token() -> TokenView {
    TokenView {
        id: "token-1".into(),
        name: "script".to_owned(),
        scope: TokenScope::Agents,
        relays: true,
        agents: None,
        per_month: Some(Micros(5_000_000)),
        created_at: AT,
        last_used_at: None,
        ends_at: None,
    }
}

pub fn token_for_chosen_agents() -> TokenView {
    TokenView { agents: Some(vec![NamedAgent { id: agent(), name: "Fern".to_owned() }]), ..token() }
}

pub fn new_token() -> NewToken {
    NewToken { token: "shown-once".to_owned(), view: token() }
}

pub fn new_reset() -> NewReset {
    NewReset { name: "Ada".to_owned(), path: "/reset/code".to_owned(), expires_at: AT }
}

pub fn recovery_codes() -> RecoveryCodes {
    RecoveryCodes { codes: vec!["abcd-efgh-ijkl-mnop".to_owned()] }
}

pub fn new_invite() -> NewInvite {
    NewInvite { path: "/sign-up?invite=shown-once".to_owned(), expires_at: AT }
}
