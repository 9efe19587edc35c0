//! A program that asks, and where an answer may go.

use super::failure::OAuthFailure;
use crate::accounts::is_hidden;
use std::net::IpAddr;
use url::{Host, Url};

const MOST_REDIRECTS: usize = 10;
const LONGEST_REDIRECT: usize = 1000;
const LONGEST_NAME: usize = 60;
const UNNAMED: &str = "A program";
/// Schemes that a browser answers itself, or that lead to a machine's own things.
const NO_PROGRAM: [&str; 17] = [
    "about",
    "blob",
    "chrome",
    "content",
    "data",
    "file",
    "filesystem",
    "ftp",
    "intent",
    "javascript",
    "mailto",
    "ms-settings",
    "search-ms",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// What a program says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Client {
    pub(super) id: String,
    /// Its own word for it, which nobody vouches for.
    pub(super) name: String,
    /// The host that speaks for it; `None`: it said all this of itself.
    pub(super) host: Option<String>,
    pub(super) redirect_uris: Vec<String>,
}

impl Client {
    /// Whether it said that answers come there. A program on the person's machine takes whichever port is free
    /// (RFC 8252, section 7.3).
    pub(super) fn takes_answers_at(&self, redirect: &str) -> bool {
        let same = |known: &String| known == redirect || is_same_but_for_its_port(known, redirect);
        self.redirect_uris.iter().any(same)
    }
}

/// As people see it.
pub(super) fn shown_name(name: &str) -> String {
    let is_shown = |it: &char| !it.is_control() && (*it == ' ' || !it.is_whitespace()) && !is_hidden(*it);
    let name: String = name.trim().chars().filter(is_shown).take(LONGEST_NAME).collect();
    if name.is_empty() { UNNAMED.to_owned() } else { name }
}

/// All of them, if answers may go to each.
pub(super) fn redirects(given: Vec<String>) -> Result<Vec<String>, OAuthFailure> {
    if given.is_empty() || given.len() > MOST_REDIRECTS {
        return Err(OAuthFailure::RedirectUri("A program has one to ten addresses for answers."));
    }
    match given.iter().all(|redirect| is_for_answers(redirect)) {
        true => Ok(given),
        false => Err(OAuthFailure::RedirectUri(
            "Answers go to https, to this machine, or to a program by a scheme of its own.",
        )),
    }
}

fn is_for_answers(redirect: &str) -> bool {
    let is_written_plainly =
        redirect.len() <= LONGEST_REDIRECT && redirect.bytes().all(|byte| byte.is_ascii_graphic());
    let Ok(url) = Url::parse(redirect) else { return false };
    if !is_written_plainly || url.fragment().is_some() || !url.username().is_empty() {
        return false;
    }
    match url.scheme() {
        "https" => url.host().is_some(),
        "http" => is_loopback(&url),
        // A web site may stand behind those.
        scheme => !NO_PROGRAM.contains(&scheme) && !scheme.starts_with("web+"),
    }
}

pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

fn is_same_but_for_its_port(known: &str, asked: &str) -> bool {
    let (Ok(mut known), Ok(mut asked)) = (Url::parse(known), Url::parse(asked)) else { return false };
    let is_here = |url: &Url| url.scheme() == "http" && is_loopback(url);
    is_here(&known)
        && is_here(&asked)
        && known.set_port(None).is_ok()
        && asked.set_port(None).is_ok()
        && known == asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_goes_only_to_a_program() {
        for (redirect, expect) in [
            ("https://app.example/back", true),
            ("https://app.example/back?a=1", true),
            ("http://localhost:3118/callback", true),
            ("http://127.0.0.1/callback", true),
            ("http://[::1]:1/callback", true),
            ("cursor://anysphere.cursor-mcp/oauth/callback", true),
            ("com.example.app:/back", true),
            ("http://app.example/back", false),
            ("http://localhost.evil.example/", false),
            ("https://app.example/back#part", false),
            ("https://app.example@evil.example/", false),
            ("javascript:alert(1)", false),
            ("data:text/html,hello", false),
            ("file:///etc/passwd", false),
            ("intent://scan/#Intent;end", false),
            ("web+moss://back", false),
            ("/back", false),
            ("", false),
            ("https://app.example/a b", false),
            ("https://app.example/\n", false),
        ] {
            assert_eq!(redirects(vec![redirect.to_owned()]).is_ok(), expect, "{redirect}");
        }
        assert!(redirects(Vec::new()).is_err());
        assert!(redirects(vec!["https://app.example/".to_owned(); 11]).is_err());
    }

    #[test]
    fn only_the_port_of_the_person_s_own_machine_may_be_another_one() {
        for (known, asked, expect) in [
            ("https://app.example/back", "https://app.example/back", true),
            ("https://app.example/back", "https://app.example/back/", false),
            ("https://app.example/back", "https://app.example:8443/back", false),
            ("http://127.0.0.1/back", "http://127.0.0.1:50123/back", true),
            ("http://localhost:1/back", "http://localhost:2/back", true),
            ("http://localhost:1/back", "http://localhost:2/other", false),
            ("http://localhost:1/back", "http://127.0.0.1:2/back", false),
        ] {
            let redirect_uris = vec![known.to_owned()];
            let client = Client { id: String::new(), name: String::new(), host: None, redirect_uris };
            assert_eq!(client.takes_answers_at(asked), expect, "{known} {asked}");
        }
    }

    #[test]
    fn a_name_shows_what_it_says() {
        for (name, expect) in [
            ("Claude", "Claude"),
            ("  Two\nlines\u{202e} ", "Twolines"),
            ("\u{200b}", UNNAMED),
            (&"a".repeat(100), &"a".repeat(LONGEST_NAME)),
        ] {
            assert_eq!(shown_name(name), *expect);
        }
    }
}
