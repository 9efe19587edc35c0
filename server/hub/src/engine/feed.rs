//! What is in a feed: RSS, Atom or JSON Feed, each entry in a few words of plain text.

use super::job::{FeedEntries, FeedEntry, FeedFile};
use super::mail::printable;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use dom_query::Document;
use feed_rs::model::Entry;
use feed_rs::parser::Builder;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Entries that are read, the first ones.
const ENTRIES: usize = 300;
/// Characters of a title, of a link, and of how an entry begins.
const TITLE: usize = 300;
const LINK: usize = 1000;
const TEXT: usize = 500;
/// Bytes of HTML that are looked at for that.
const HTML: usize = 16 * 1024;
/// Bytes of a digest by which an entry is known again.
const KEY: usize = 12;

/// Fails with what its reader said of it.
pub(super) fn read(file: &FeedFile) -> Result<FeedEntries, String> {
    let bytes = STANDARD.decode(&file.bytes).map_err(|error| error.to_string())?;
    let gave_up = |_| Err("its reader gave up".to_owned());
    catch_unwind(AssertUnwindSafe(|| of(&bytes, &file.url))).unwrap_or_else(gave_up)
}

fn of(bytes: &[u8], url: &str) -> Result<FeedEntries, String> {
    // One that was made up would be another one at each look.
    let parser = Builder::new().base_uri(Some(url)).id_generator(|_, _, _| String::new()).build();
    let feed = parser.parse(bytes).map_err(|error| line(&error.to_string(), TITLE))?;
    let mut known = HashSet::new();
    let entries = feed.entries.into_iter().take(ENTRIES).map(told);
    Ok(FeedEntries {
        title: feed.title.map(|title| text_of(&title.content, TITLE)).unwrap_or_default(),
        entries: entries.filter(|entry| known.insert(entry.key.clone())).collect(),
    })
}

fn told(entry: Entry) -> FeedEntry {
    let is_page = |rel: &Option<String>| rel.as_deref().is_none_or(|rel| rel == "alternate");
    let link = entry.links.iter().find(|link| is_page(&link.rel)).or(entry.links.first());
    let link = link.map(|link| line(&link.href, LINK)).unwrap_or_default();
    let title = entry.title.map(|title| text_of(&title.content, TITLE)).unwrap_or_default();
    let date = entry.published.or(entry.updated).map(|at| at.to_rfc3339()).unwrap_or_default();
    let summary = entry.summary.map(|summary| summary.content).filter(|text| !text.trim().is_empty());
    let text = summary.or_else(|| entry.content.and_then(|content| content.body));
    let text = text.map(|text| text_of(&text, TEXT)).unwrap_or_default();
    let name = match entry.id.as_str() {
        "" if link.is_empty() => format!("{title}\n{text}"),
        "" => format!("{link}\n{title}"),
        id => id.to_owned(),
    };
    let key = URL_SAFE_NO_PAD.encode(&Sha256::digest(name)[..KEY]);
    FeedEntry { key, title, link, date, text }
}

/// What HTML says, in one line.
fn text_of(html: &str, most: usize) -> String {
    let document = Document::from(&html[..html.floor_char_boundary(HTML.min(html.len()))]);
    document.select("script, style, noscript, template").remove();
    line(&document.select("body").text(), most)
}

/// In one line, as long as it may be.
fn line(text: &str, most: usize) -> String {
    let line = printable(text, false).split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.char_indices().nth(most).map(|(end, _)| end);
    match end {
        Some(end) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_bytes(bytes: &[u8]) -> Result<FeedEntries, String> {
        read(&FeedFile { bytes: STANDARD.encode(bytes), url: "https://example.org/feeds/all.xml".to_owned() })
    }

    #[test]
    fn a_feed_of_each_kind_is_its_entries_with_title_link_date_and_how_they_begin() {
        let rss = "<?xml version='1.0'?><rss version='2.0'><channel><title>Moss &amp; fern</title><item>\
            <title>First</title><link>https://example.org/1</link><guid>one</guid>\
            <pubDate>Thu, 26 Nov 2026 10:00:00 +0100</pubDate>\
            <description>&lt;p&gt;It &lt;b&gt;rains&lt;/b&gt;.&lt;script&gt;no()&lt;/script&gt;&lt;/p&gt;</description>\
            </item></channel></rss>";
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Moss &amp; fern</title><id>all</id>\
            <updated>2026-11-26T09:00:00Z</updated><entry><id>one</id><title>First</title>\
            <link rel='enclosure' href='https://example.org/1.mp3'/><link href='https://example.org/1'/>\
            <published>2026-11-26T09:00:00Z</published><updated>2026-11-27T09:00:00Z</updated>\
            <content type='html'>&lt;p&gt;It rains.&lt;/p&gt;</content></entry></feed>";
        let json = r#"{ "version": "https://jsonfeed.org/version/1.1", "title": "Moss & fern", "items": [
            { "id": "one", "url": "https://example.org/1", "title": "First", "content_text": "It rains.",
              "date_published": "2026-11-26T09:00:00Z" } ] }"#;
        let keys = [rss, atom, json].map(|feed| {
            let FeedEntries { title, entries } = read_bytes(feed.as_bytes()).unwrap();
            let [entry] = &entries[..] else { panic!("{entries:?}") };
            assert_eq!(
                (&*title, &*entry.title, &*entry.text),
                ("Moss & fern", "First", "It rains."),
                "{feed}"
            );
            assert_eq!(
                (&*entry.link, &*entry.date),
                ("https://example.org/1", "2026-11-26T09:00:00+00:00"),
                "{feed}"
            );
            entry.key.clone()
        });
        assert_eq!(keys[0], keys[1]);
        assert_eq!(keys[0], keys[2]);
    }

    #[test]
    fn an_entry_without_a_name_is_the_same_at_each_look_and_two_that_say_otherwise_are_two() {
        let item = |text: &str| format!("<item><description>{text}</description></item>");
        let feed = |items: &str| {
            let feed = format!("<rss version='2.0'><channel><title>x</title>{items}</channel></rss>");
            let entries = read_bytes(feed.as_bytes()).unwrap().entries;
            entries.into_iter().map(|entry| entry.key).collect::<Vec<_>>()
        };
        let both = feed(&(item("one") + &item("two") + &item("one")));
        assert_eq!(both.len(), 2);
        assert_eq!(both[1..], feed(&item("two")));
    }

    #[test]
    fn what_is_no_feed_is_refused_and_of_a_long_one_the_beginning_is_read() {
        for wrong in ["", "<html><body><p>Closed today.</p></body></html>", "{}", "<rss version='2.0'>", "no"]
        {
            let read = read_bytes(wrong.as_bytes());
            assert!(read.as_ref().is_err() || read.is_ok_and(|feed| feed.entries.is_empty()), "{wrong}");
        }
        let item =
            |at: usize| format!("<item><guid>{at}</guid><title>{}</title></item>", "ä\u{202e}".repeat(1000));
        let items: String = (0..ENTRIES + 10).map(item).collect();
        let feed = format!("<rss version='2.0'><channel><title>x</title>{items}</channel></rss>");
        let entries = read_bytes(feed.as_bytes()).unwrap().entries;
        assert_eq!(entries.len(), ENTRIES);
        assert!(entries.iter().all(|entry| entry.title.chars().count() <= TITLE + 1));
        assert!(!entries[0].title.contains('\u{202e}'));
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..500), nested in 0_usize..60) {
            let mut feed = b"<rss version='2.0'><channel>".to_vec();
            feed.extend(b"<item><description>".repeat(nested));
            feed.extend(bytes);
            if let Ok(read) = read_bytes(&feed) {
                prop_assert!(read.entries.iter().all(|entry| !entry.text.contains('\0')));
            }
        }
    }
}
