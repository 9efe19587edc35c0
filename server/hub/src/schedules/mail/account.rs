//! Which mailbox a person means: what they enter, checked, and where the password that opens it is kept.

use crate::error::{Error, Result};
use crate::vault::{AssociatedData, Secret};
use protocol::schedule::{MailSeal, Mailbox, ScheduleDraft};
use std::net::IpAddr;

/// Characters of what a person enters.
const LONGEST: usize = 255;
/// Senders that are told apart.
const MOST_SENDERS: usize = 50;
/// Minutes from one look to the next: a day at most.
const USUAL_MINUTES: u32 = 5;
const MOST_MINUTES: u32 = 24 * 60;
const INBOX: &str = "INBOX";

impl MailboxDraft {
    pub(in crate::schedules) fn check(draft: &ScheduleDraft) -> Result<Self> {
        let server = server(&draft.mail_server, draft.mail_seal)?;
        let user = word(&draft.mail_user, "The account")?;
        if user.is_empty() {
            return Err(Error::invalid("Enter the account at the server for mail, mostly an address."));
        }
        let folder = match word(&draft.mail_folder, "The folder")? {
            folder if folder.is_empty() => INBOX.to_owned(),
            folder => folder,
        };
        let password = word(&draft.mail_password, "The password")?;
        let mailbox = Mailbox {
            server,
            seal: draft.mail_seal,
            user,
            folder,
            from: senders(&draft.mail_from)?,
            subject: word(&draft.mail_subject, "What stands in the subject")?,
            minutes: minutes(&draft.mail_minutes)?,
        };
        Ok(Self { mailbox, password: (!password.is_empty()).then(|| Secret::new(password)) })
    }
}

/// A mailbox as somebody entered it.
pub(in crate::schedules) struct MailboxDraft {
    pub(in crate::schedules) mailbox: Mailbox,
    /// `None`: the one that is kept.
    pub(in crate::schedules) password: Option<Secret>,
}

/// Where its password is kept. It is for this server and this name.
pub(super) fn place<'a>(
    owner: &'a str,
    schedule: &'a str,
    purpose: &'a str,
    account: &'a str,
) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: schedule, purpose, server: Some(account) }
}

/// Whom the password is for.
pub(super) fn account(mailbox: &Mailbox) -> String {
    let scheme = match mailbox.seal {
        MailSeal::Tls => "imaps",
        MailSeal::Starttls => "imap+starttls",
        MailSeal::None => "imap",
    };
    format!("{scheme}://{}/{}", mailbox.server, mailbox.user)
}

/// Whether a mail of these senders with this subject is meant.
pub(super) fn is_meant(mailbox: &Mailbox, senders: &[String], subject: &str) -> bool {
    let is_known = |sender: &String| {
        mailbox.from.iter().any(|meant| match meant.strip_prefix('@') {
            Some(domain) => sender.rsplit_once('@').is_some_and(|(_, of)| of == domain),
            None => sender == meant,
        })
    };
    // Who says to be several is none of them for sure.
    let is_from = mailbox.from.is_empty() || !senders.is_empty() && senders.iter().all(is_known);
    is_from && subject.to_lowercase().contains(&mailbox.subject.to_lowercase())
}

/// Host and port.
pub(super) fn split(server: &str) -> Option<(&str, u16)> {
    let (host, port) = server.rsplit_once(':')?;
    Some((host, port.parse().ok()?))
}

fn server(text: &str, seal: MailSeal) -> Result<String> {
    let wrong = || Error::invalid("Write the server like imap.example.org, or imap.example.org:993.");
    let text = text.trim().to_lowercase();
    let text = text.strip_prefix("imaps://").unwrap_or(&text).trim_end_matches('/');
    let usual = match seal {
        MailSeal::Tls => 993,
        MailSeal::Starttls | MailSeal::None => 143,
    };
    let has_port = text.rsplit_once(':').is_some_and(|(host, _)| !host.contains(':') || host.ends_with(']'));
    let whole = if has_port { text.to_owned() } else { format!("{text}:{usual}") };
    let (host, port) = split(&whole).ok_or_else(wrong)?;
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    if port == 0 || host.is_empty() || host.len() > LONGEST || ip.is_err() && !host.bytes().all(is_name) {
        return Err(wrong());
    }
    let is_here = host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback());
    if seal == MailSeal::None && !is_here {
        return Err(Error::invalid(
            "Without a seal the password would be open to all on the way. Choose TLS or STARTTLS.",
        ));
    }
    Ok(whole)
}

fn senders(text: &str) -> Result<Vec<String>> {
    let parts = text.split([',', ';', ' ', '\n', '\r', '\t']).map(str::trim).filter(|part| !part.is_empty());
    let mut senders = Vec::new();
    for part in parts {
        let part = part.to_lowercase();
        let is_one = part.rsplit_once('@').is_some_and(|(_, domain)| !domain.is_empty());
        if !is_one
            || part.len() > LONGEST
            || part.contains(|c: char| c.is_control() || matches!(c, '<' | '>' | '"'))
        {
            return Err(Error::invalid(format!(
                "{part:?} is nobody's address. Write ada@example.org, or @example.org for all of a domain, with commas in between."
            )));
        }
        senders.push(part);
    }
    if senders.len() > MOST_SENDERS {
        return Err(Error::Limit(format!("Name {MOST_SENDERS} senders at most.")));
    }
    Ok(senders)
}

fn minutes(text: &str) -> Result<u32> {
    let wrong = || {
        Error::invalid(format!(
            "The minutes from one look to the next are a whole number from 1 to {MOST_MINUTES}."
        ))
    };
    match text.trim() {
        "" => Ok(USUAL_MINUTES),
        text => text.parse().ok().filter(|minutes| (1..=MOST_MINUTES).contains(minutes)).ok_or_else(wrong),
    }
}

fn word(text: &str, what: &str) -> Result<String> {
    let text = text.trim();
    if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
        return Err(Error::invalid(format!("{what} is one line of at most {LONGEST} characters.")));
    }
    Ok(text.to_owned())
}

/// As it is kept, of what somebody brought along.
pub(in crate::schedules) fn check_brought(mailbox: &Mailbox) -> Result<()> {
    let Mailbox { server, seal, user, folder, from, subject, minutes } = mailbox.clone();
    MailboxDraft::check(&ScheduleDraft {
        mail_server: server,
        mail_seal: seal,
        mail_user: user,
        mail_folder: folder,
        mail_from: from.join(" "),
        mail_subject: subject,
        mail_minutes: minutes.to_string(),
        ..ScheduleDraft::default()
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_its_port_and_a_seal_unless_it_is_here() {
        use MailSeal::{None as Open, Starttls, Tls};
        for (text, seal, expected) in [
            (" IMAP.example.org ", Tls, "imap.example.org:993"),
            ("imaps://imap.example.org/", Tls, "imap.example.org:993"),
            ("imap.example.org", Starttls, "imap.example.org:143"),
            ("imap.example.org:1993", Tls, "imap.example.org:1993"),
            ("[::1]", Open, "[::1]:143"),
            ("127.0.0.1:1143", Open, "127.0.0.1:1143"),
            ("localhost", Open, "localhost:143"),
            ("imap.example.org", Open, "Without a seal"),
            ("", Tls, "Write the server"),
            ("imap.example.org:0", Tls, "Write the server"),
            ("imap.example.org:x", Tls, "Write the server"),
            ("a b", Tls, "Write the server"),
            ("user@imap.example.org", Tls, "Write the server"),
        ] {
            let found = server(text, seal).unwrap_or_else(|error| error.to_string());
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }

    #[test]
    fn only_mail_of_those_who_are_named_is_meant_and_only_with_the_word() {
        let mailbox = |from: &str, subject: &str| Mailbox {
            server: String::new(),
            seal: MailSeal::Tls,
            user: String::new(),
            folder: String::new(),
            from: senders(from).unwrap(),
            subject: subject.to_owned(),
            minutes: 1,
        };
        for (from, word, sender, subject, expected) in [
            ("", "", "eve@example.org", "", true),
            ("Ada@example.org", "", "ada@example.org", "x", true),
            ("ada@example.org", "", "eve@example.org", "x", false),
            ("ada@example.org, @b.example", "", "any@b.example", "x", true),
            ("@example.org", "", "eve@evil-example.org", "x", false),
            ("@example.org", "", "ada@example.org eve@evil.example", "x", false),
            ("@example.org", "", "", "x", false),
            ("", "Order", "eve@example.org", "Your ORDER 7", true),
            ("", "order", "eve@example.org", "Hello", false),
        ] {
            let senders: Vec<String> = sender.split_whitespace().map(str::to_owned).collect();
            assert_eq!(is_meant(&mailbox(from, word), &senders, subject), expected, "{from} {word} {sender}");
        }
        for wrong in ["ada", "Ada <ada@example.org>", "@"] {
            assert!(senders(wrong).is_err(), "{wrong}");
        }
    }
}
