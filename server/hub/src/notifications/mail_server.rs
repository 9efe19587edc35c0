//! The server that takes the hub's mail. Whoever runs the hub names it, so it may be near by.

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use std::fmt;
use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};
use url::Url;

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// How long it may take to take one mail.
const PATIENCE: Duration = Duration::from_secs(20);
const SHAPE: &str = "is not an address like smtps://name:password@mail.example.org";

/// A server for mail, and what the hub calls itself there.
#[derive(Clone)]
pub struct MailServer {
    url: Url,
    from: Mailbox,
    transport: OnceLock<Transport>,
}

/// A mail in plain text.
pub(super) struct Mail<'a> {
    /// The same for a mail that is sent once more.
    pub(super) id: &'a str,
    pub(super) to: &'a Address,
    pub(super) subject: &'a str,
    pub(super) text: String,
    /// By which its reader has no more of them.
    pub(super) end: Option<&'a str>,
    /// Unix milliseconds.
    pub(super) at: i64,
}

/// Why a mail was not taken, in a sentence.
#[derive(Debug)]
pub(super) enum MailError {
    /// It may be taken in a while.
    NotYet(String),
    Refused(String),
}

impl MailServer {
    /// `smtps://name:password@host:465`, sealed from the first byte on, or `smtp://host:587`, which has to offer
    /// STARTTLS unless the address ends with `?tls=none`. Fails with the end of a sentence about `url`.
    pub fn parse(url: &str, from: &str) -> Result<Self, String> {
        let mut url = Url::parse(url.trim()).map_err(|_| SHAPE.to_owned())?;
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else { return Err(SHAPE.to_owned()) };
        let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
        let is_here = host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback());
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(SHAPE.to_owned());
        }
        if url.password().is_none() && !url.username().is_empty() {
            return Err("has a name and no password".to_owned());
        }
        match (url.scheme(), url.query()) {
            ("smtps", None) => {}
            ("smtp", None | Some("tls=required")) => url.set_query(Some("tls=required")),
            ("smtp", Some("tls=none")) if url.password().is_some() && !is_here => {
                return Err("would send its password open to all on the way".to_owned());
            }
            ("smtp", Some("tls=none")) => {
                if url.port().is_none() {
                    url.set_port(Some(25)).map_err(|()| SHAPE.to_owned())?;
                }
                url.set_query(None);
            }
            _ => {
                return Err(format!(
                    "{SHAPE}, or smtp:// with nothing, ?tls=required or ?tls=none behind it"
                ));
            }
        }
        let from = from.trim().parse::<Mailbox>().map_err(|_| {
            "needs an address to send from, like vivarium@example.org, in VIVARIUM_SMTP_FROM".to_owned()
        })?;
        Ok(Self { url, from, transport: OnceLock::new() })
    }

    /// Whether it answers, and takes the name and the password.
    pub(crate) async fn try_out(&self) -> Result<String, String> {
        let place = self.place();
        let answers = async { self.transport()?.test_connection().await };
        match tokio::time::timeout(PATIENCE, answers).await {
            Err(_) => Err(format!("{place} took too long to answer.")),
            Ok(Err(error)) => Err(told(&place, &error)),
            Ok(Ok(false)) => Err(format!("{place} does not answer as a server for mail does.")),
            Ok(Ok(true)) => Ok(format!("{place} takes mail of {}", self.from.email)),
        }
    }

    pub(super) async fn send(&self, mail: Mail<'_>) -> Result<(), MailError> {
        let place = self.place();
        let message = self.message(mail).map_err(MailError::Refused)?;
        let sending = async { self.transport()?.send(message).await };
        match tokio::time::timeout(PATIENCE, sending).await {
            Err(_) => Err(MailError::NotYet(format!("{place} took too long to answer."))),
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) if error.is_permanent() => Err(MailError::Refused(told(&place, &error))),
            Ok(Err(error)) => Err(MailError::NotYet(told(&place, &error))),
        }
    }

    fn message(&self, mail: Mail<'_>) -> Result<Message, String> {
        let Mail { id, to, subject, text, end, at } = mail;
        let sent_at = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(at).unwrap_or_default());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to.clone()))
            .subject(one_line(subject))
            .date(sent_at)
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .header(ContentType::TEXT_PLAIN);
        message = with(message, HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated");
        if let Some(end) = end {
            message = with(message, HeaderName::new_from_ascii_str("List-Unsubscribe"), &format!("<{end}>"));
            let post = HeaderName::new_from_ascii_str("List-Unsubscribe-Post");
            message = with(message, post, "List-Unsubscribe=One-Click");
        }
        message.body(text).map_err(|error| format!("The mail cannot be written: {error}."))
    }

    fn transport(&self) -> Result<&Transport, SmtpError> {
        if let Some(transport) = self.transport.get() {
            return Ok(transport);
        }
        let name = ClientId::Domain(self.from.email.domain().to_owned());
        let transport =
            Transport::from_url(self.url.as_str())?.hello_name(name).timeout(Some(PATIENCE)).build();
        Ok(self.transport.get_or_init(|| transport))
    }

    fn place(&self) -> String {
        let port = self.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}{port}", self.url.host_str().unwrap_or_default())
    }
}

impl fmt::Debug for MailServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailServer").field("place", &self.place()).finish_non_exhaustive()
    }
}

/// What the server said is not repeated: it may hold what it was sent.
fn told(place: &str, error: &SmtpError) -> String {
    match error.status() {
        Some(code) => format!("{place} answered {code}."),
        None if error.is_timeout() => format!("{place} took too long to answer."),
        None if error.is_tls() => format!("No secure connection to {place} can be made."),
        None => format!("{place} cannot be used: nothing answers, or not as it should."),
    }
}

fn with(message: MessageBuilder, name: HeaderName, value: &str) -> MessageBuilder {
    message.raw_header(HeaderValue::new(name, one_line(value)))
}

/// A header ends with its line, so nothing in it may begin another one.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_for_mail_is_sealed_or_said_not_to_be_and_its_password_is_never_open() {
        let from = "Vivarium <vivarium@example.org>";
        for (url, from, expected) in [
            ("smtps://name:word@mail.example.org", from, None),
            ("smtp://name:word@mail.example.org", from, None),
            ("smtp://mail.example.org:2525?tls=required", from, None),
            ("smtp://mail.example.org?tls=none", from, None),
            ("smtp://name:word@127.0.0.1:25?tls=none", from, None),
            ("smtp://name:word@mail.example.org?tls=none", from, Some("open to all")),
            ("smtp://mail.example.org?tls=opportunistic", from, Some("tls=required")),
            ("smtps://name@mail.example.org", from, Some("no password")),
            ("https://mail.example.org", from, Some("smtps://")),
            ("mail.example.org", from, Some("smtps://")),
            ("smtps://mail.example.org", "", Some("VIVARIUM_SMTP_FROM")),
            ("smtps://mail.example.org", "a@b\r\nBcc: c@d", Some("VIVARIUM_SMTP_FROM")),
        ] {
            let problem = MailServer::parse(url, from).err();
            match expected {
                None => assert_eq!(problem, None, "{url}"),
                Some(words) => {
                    assert!(problem.as_ref().is_some_and(|it| it.contains(words)), "{url} {problem:?}")
                }
            }
        }
    }

    #[test]
    fn no_word_of_anybody_begins_a_header() {
        let server = MailServer::parse("smtps://mail.example.org", "vivarium@example.org").unwrap();
        let to: Address = "ada@example.org".parse().unwrap();
        let hostile = "Ada\r\nBcc: eve@example.org\r\n\r\nWords ünd\u{85}more\0";
        let end = "https://hub.example/a\r\nBcc: eve@example.org";
        let text = "Bcc: eve@example.org\r\n.\r\nQUIT".to_owned();
        let mail = Mail { id: "1.2", to: &to, subject: hostile, text, end: Some(end), at: 0 };
        let message = server.message(mail).unwrap();
        assert_eq!(message.envelope().to(), [to]);
        let formatted = String::from_utf8(message.formatted()).unwrap();
        let (head, _) = formatted.split_once("\r\n\r\n").unwrap();
        let names: Vec<_> = head
            .split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']))
            .map(|line| line.split(':').next().unwrap())
            .collect();
        assert!(!names.contains(&"Bcc") && names.len() >= 9, "{head}");
    }
}
