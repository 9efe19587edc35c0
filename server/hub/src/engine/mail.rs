//! A mail as people read it: who wrote it, about what, and its text. What is attached is only named.

use super::job::{MailFile, MailText};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mail_parser::{Address, Message, MessageParser, MimeHeaders};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes of what one says.
const TEXT: usize = 64 * 1024;
/// Characters of a line of its head.
const LINE: usize = 500;
/// Parts with text that are read, and attachments that are named.
const PARTS: usize = 20;

/// Fails with what its reader said of it.
pub(super) fn read(file: &MailFile) -> Result<MailText, String> {
    let bytes = STANDARD.decode(&file.bytes).map_err(|error| error.to_string())?;
    catch_unwind(AssertUnwindSafe(|| of(&bytes))).unwrap_or_else(|why| Err(said(&*why)))
}

fn of(bytes: &[u8]) -> Result<MailText, String> {
    let mail = MessageParser::default().parse(bytes).ok_or("it has no head")?;
    let texts: Vec<_> =
        (0..mail.text_body_count().min(PARTS)).filter_map(|part| mail.body_text(part)).collect();
    let (text, is_cut) = cut(&printable(&texts.join("\n\n"), true));
    Ok(MailText {
        senders: senders(&mail),
        from: mail.from().map(|from| line(&shown(from))).unwrap_or_default(),
        subject: mail.subject().map(line).unwrap_or_default(),
        date: mail.date().map(mail_parser::DateTime::to_rfc822),
        ends_at: link(&mail),
        text,
        is_cut,
        attachments: mail
            .attachments()
            .take(PARTS)
            .map(|part| line(part.attachment_name().unwrap_or("without a name")))
            .collect(),
    })
}

fn senders(mail: &Message<'_>) -> Vec<String> {
    let Some(from) = mail.from() else { return Vec::new() };
    from.iter()
        .filter_map(|one| one.address())
        .take(PARTS)
        .map(|address| line(address).to_lowercase())
        .collect()
}

fn shown(from: &Address<'_>) -> String {
    let one = |one: &mail_parser::Addr<'_>| match (one.name(), one.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (Some(name), None) => name.to_owned(),
        (None, address) => address.unwrap_or_default().to_owned(),
    };
    from.iter().take(PARTS).map(one).collect::<Vec<_>>().join(", ")
}

/// By which its reader would have no more of them.
fn link(mail: &Message<'_>) -> Option<String> {
    let value = mail.header_raw("List-Unsubscribe")?;
    Some(line(value).trim_matches(['<', '>', ' ']).to_owned())
}

/// In one line, as long as it may be.
fn line(text: &str) -> String {
    printable(text, false).trim().chars().take(LINE).collect()
}

/// It is no letter to a database, or turns around how others are shown.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Without what no page shows and no database takes.
pub(super) fn printable(text: &str, has_lines: bool) -> String {
    let text = text.replace("\r\n", "\n");
    let is_fine = |letter: char| !is_hidden(letter) || has_lines && matches!(letter, '\n' | '\t');
    text.chars().map(|letter| if is_fine(letter) { letter } else { ' ' }).collect()
}

fn cut(text: &str) -> (String, bool) {
    let text = text.trim();
    let end = text.floor_char_boundary(TEXT.min(text.len()));
    (text[..end].to_owned(), end < text.len())
}

/// What a reader said when it gave up.
fn said(why: &(dyn Any + Send)) -> String {
    let text = why.downcast_ref::<String>().map(String::as_str).or(why.downcast_ref::<&str>().copied());
    text.unwrap_or("its reader gave up").chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_bytes(bytes: &[u8]) -> Result<MailText, String> {
        read(&MailFile { bytes: STANDARD.encode(bytes) })
    }

    #[test]
    fn a_mail_is_read_as_people_read_it_whichever_way_it_is_written() {
        let plain = "From: Ada <Ada@Example.org>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\
            Date: Thu, 26 Nov 2026 10:00:00 +0100\r\n\r\nHello,\r\n\r\nworld.\r\n";
        let html = "From: eve@example.org\nSubject: x\nContent-Type: text/html\n\n<p>One <b>two</b></p><script>no()</script>";
        let mixed = "From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain; charset=iso-8859-1\n\
            Content-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\n--x\nContent-Type: application/pdf; name=a.pdf\n\
            Content-Disposition: attachment; filename=a.pdf\nContent-Transfer-Encoding: base64\n\nAAAA\n--x--\n";
        for (mail, from, subject, text, attached) in [
            (plain, "Ada <Ada@Example.org>", "Grüße", "Hello,\n\nworld.", ""),
            (html, "eve@example.org", "x", "One two", ""),
            (mixed, "a@b.example", "", "Grüße", "a.pdf"),
            ("Subject: a\0b\n\nc\0d\x07", "", "a b", "c d", ""),
        ] {
            let read = read_bytes(mail.as_bytes()).unwrap();
            let found = (&*read.from, &*read.subject, &*read.text, read.attachments.join(","));
            assert_eq!(found, (from, subject, text, attached.to_owned()), "{mail}");
        }
        assert_eq!(read_bytes(plain.as_bytes()).unwrap().senders, ["ada@example.org"]);
    }

    #[test]
    fn of_a_long_mail_the_beginning_is_read_and_that_is_said() {
        let long = format!("Subject: {}\n\n{}", "s".repeat(10_000), "ä".repeat(TEXT));
        let read = read_bytes(long.as_bytes()).unwrap();
        assert!(read.is_cut && read.text.len() <= TEXT && read.subject.len() <= LINE);
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..2000), nested in 0_usize..60) {
            let mut mail = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n".repeat(nested);
            mail.extend(bytes);
            if let Ok(read) = read_bytes(&mail) {
                prop_assert!(read.text.len() <= TEXT && !read.text.contains('\0'));
            }
        }
    }
}
