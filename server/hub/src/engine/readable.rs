//! What a page of the web says, as Markdown: its main text, without what stands around it.

use super::job::{HtmlPage, Readable};
use dom_query::Document;
use dom_smoothie::{Article, Config, Readability, TextMode};

/// Bytes of a main text below which the whole page says more.
const LEAST: usize = 200;

pub(super) fn read(HtmlPage { html, url }: &HtmlPage) -> Readable {
    let config = Config { text_mode: TextMode::Markdown, ..Config::default() };
    let article = Readability::new(html.as_str(), Some(url), Some(config)).and_then(|mut page| page.parse());
    match article {
        Ok(article) if article.text_content.trim().len() >= LEAST => of_article(article),
        Ok(article) => Readable { markdown: whole(html), ..of_article(article) },
        Err(_) => Readable { markdown: whole(html), ..Readable::default() },
    }
}

fn of_article(article: Article) -> Readable {
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    Readable {
        title: filled(Some(article.title)),
        author: filled(article.byline),
        published: filled(article.published_time),
        site: filled(article.site_name),
        markdown: article.text_content.trim().to_owned(),
    }
}

/// All that the page says, links of its menus among it.
pub(super) fn whole(html: &str) -> String {
    let document = Document::from(html);
    document.select("script, style, noscript, template, svg, head").remove();
    document.md(None).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, has: &[&str], lacks: &[&str]) -> Readable {
        let page = HtmlPage { html: html.to_owned(), url: "https://example.org/moss/".to_owned() };
        let readable = read(&page);
        for part in has {
            assert!(readable.markdown.contains(part), "{part:?} is not in {}", readable.markdown);
        }
        for part in lacks {
            assert!(!readable.markdown.contains(part), "{part:?} is in {}", readable.markdown);
        }
        readable
    }

    #[test]
    fn a_page_is_its_main_text_with_who_wrote_it() {
        let words = "Moss grows where it is damp, and where nobody walks on it for a while. ".repeat(8);
        let html = format!(
            "<html><head><title>On moss</title><meta name='author' content='Ada'>\
             <meta property='article:published_time' content='2026-03-01T10:00:00Z'></head>\
             <body><nav><a href='/'>Home</a></nav><article><h1>On moss</h1><h2>Where</h2><p>{words}</p>\
             <ul><li>shade</li></ul><p><a href='fern'>Ferns</a> {words}</p><table><tr><th>kind</th></tr>\
             <tr><td>star moss</td></tr></table><script>alert(1)</script></article>\
             <footer>All rights reserved</footer></body></html>"
        );
        let has = ["## Where", "Moss grows", "shade", "](https://example.org/moss/fern)", "star moss"];
        let readable = check(&html, &has, &["Home", "alert", "All rights reserved"]);
        assert_eq!(readable.title.as_deref(), Some("On moss"));
        assert_eq!(readable.author.as_deref(), Some("Ada"));
        assert_eq!(readable.published.as_deref(), Some("2026-03-01T10:00:00Z"));
    }

    #[test]
    fn a_page_without_a_main_text_is_all_that_it_says() {
        check("<body><p>Closed today.</p><script>alert(1)</script></body>", &["Closed today."], &["alert"]);
        check("", &[], &["<"]);
        check("no HTML at all", &["no HTML at all"], &[]);
    }
}
