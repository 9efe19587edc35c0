use super::blocks::{Blocks, blocks};
use super::cite::Cited;
use super::math::delimited;
use super::render::{plain, render};
use crate::prelude::*;
use crate::ui::CopyCode;

#[test]
fn blocks_are_cut_where_top_level_blocks_start() {
    let table: &[(&str, &[&str])] = &[
        ("", &[]),
        ("\n\n", &["\n\n"]),
        ("one\n\ntwo", &["one\n\n", "two"]),
        ("# A\ntext\n---\n- x\n- y\n", &["# A\n", "text\n---\n", "- x\n- y\n"]),
        ("a\n\n***\n\nb", &["a\n\n", "***\n\n", "b"]),
        ("```\na\n\nb\n```\nc", &["```\na\n\nb\n```\n", "c"]),
        ("```js\nstill open\n\n# not a heading", &["```js\nstill open\n\n# not a heading"]),
        ("- a\n\n- b\n\n    code of b\n\nafter", &["- a\n\n- b\n\n    code of b\n\n", "after"]),
        ("x\n\n    indented\n\ny", &["x\n\n", "    indented\n\n", "y"]),
        ("[a]: https://a.example\n\ntext", &["[a]: https://a.example\n\ntext"]),
        ("| a | b |\n|---|--:|\n| 1 | 2 |\n\nafter", &["| a | b |\n|---|--:|\n| 1 | 2 |\n\n", "after"]),
        ("\\[\na\n- b\n\\]\n\nafter", &["\\[\na\n- b\n\\]\n\n", "after"]),
        ("a[^1]\n\n[^1]: note", &["a[^1]\n\n", "[^1]: note"]),
        ("é\r\n\r\nü", &["é\r\n\r\n", "ü"]),
    ];
    for (source, expected) in table {
        assert_eq!(blocks(source), *expected, "{source:?}");
    }
}

#[test]
fn blocks_make_up_the_whole_text_and_growing_gives_the_same_blocks_as_reading_at_once() {
    let mut growing = Blocks::default();
    let mut source = String::new();
    for character in LONG.chars() {
        source.push(character);
        let grown: Vec<String> = growing.update(&source).iter().map(|block| block.text.to_string()).collect();
        assert_eq!(grown.concat(), source);
        assert_eq!(grown, blocks(&source), "{source:?}");
    }
}

#[test]
fn a_block_keeps_its_version_while_later_ones_grow() {
    let mut growing = Blocks::default();
    let before = growing.update("first\n\nsecond\n\nthi");
    let after = growing.update("first\n\nsecond\n\nthird");
    assert_eq!(before[..2], after[..2]);
    assert_ne!(before[2].version, after[2].version);
}

#[test]
fn a_text_that_is_replaced_is_read_anew() {
    let mut growing = Blocks::default();
    growing.update("1. a\n\nx\n\ny\n\nz");
    let texts: Vec<String> =
        growing.update("1. a\n\n2. b").iter().map(|block| block.text.to_string()).collect();
    assert_eq!(texts, ["1. a\n\n2. b"]);
    assert_eq!(growing.update(""), []);
}

#[test]
fn code_keeps_its_lines_and_has_a_button_that_copies_it() {
    let source = "```rust\nlet a = 1 < 2;\n```";
    let code = "<pre tabindex=\"0\" data-language=\"rust\"><code>let a = 1 &lt; 2;\n</code></pre>";
    assert_eq!(html_of(source), format!("<div class=\"code-block\">{code}</div>"));
    assert!(render(source, &Cited::default()).to_html().contains("Copy this code"));
}

#[test]
fn markdown_becomes_elements() {
    let table = [
        ("# A *b*", "<h3>A <em>b</em></h3>"),
        ("a **b** `c<d`", "<p>a <strong>b</strong> <code>c&lt;d</code></p>"),
        ("3. x", "<ol start=\"3\"><li>x</li></ol>"),
        ("> q", "<blockquote><p>q</p></blockquote>"),
        ("---", "<hr>"),
        ("a $x^2$ b", "<p>a <span data-math=\"inline\" class=\"math\">x^2</span> b</p>"),
        ("$$\na\n- b\n$$", "<p><span data-math=\"display\" tabindex=\"0\" class=\"math\">a - b</span></p>"),
        (r"(\(x\))", "<p>(<span data-math=\"inline\" class=\"math\">x</span>)</p>"),
        ("a[^n].", "<p>a<sup>n</sup>.</p>"),
        ("[^n]: *note*", "<div class=\"footnote\"><sup>n</sup><p><em>note</em></p></div>"),
        (
            "[x](https://a.example/?q=1&r=2)",
            "<p><a role=\"link\" tabindex=\"0\" title=\"https://a.example/?q=1&amp;r=2\" data-address=\"https://a.example/?q=1&amp;r=2\" class=\"link-out\">x</a></p>",
        ),
        ("[Providers](/providers)", "<p><a href=\"/providers\">Providers</a></p>"),
        (
            "<me@a.example>",
            "<p><a href=\"mailto:me@a.example\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">me@a.example</a></p>",
        ),
        (
            "![a cat](https://a.example/cat.png)",
            "<p><a role=\"link\" tabindex=\"0\" title=\"https://a.example/cat.png\" data-address=\"https://a.example/cat.png\" class=\"link-out\">a cat</a></p>",
        ),
        (
            "| a | b |\n|---|--:|\n| 1 | 2 |",
            "<table tabindex=\"0\"><thead><tr><th scope=\"col\">a</th><th scope=\"col\" style=\"text-align:end;\">b</th></tr></thead>\
             <tbody><tr><td>1</td><td style=\"text-align:end;\">2</td></tr></tbody></table>",
        ),
    ];
    for (source, html) in table {
        assert_eq!(html_of(source), html, "{source:?}");
    }
}

#[test]
fn formulas_are_told_from_money_and_variables_and_code() {
    for (source, expected) in [
        (r"so \( a_1 \), and", "so ··$a_1$··, and"),
        (r"so \(a\)", "so ·$a$·"),
        ("\\[\n\\frac{a}{b}\n+ c\n\\]", "$$ \\frac{a}{b} + c $$"),
        (r"\(é\) \[ü\]", "·$é$· $$ü$$"),
        (r"`\(a\)` ``\(`b`\)``", r"`\(a\)` ``\(`b`\)``"),
        ("```tex\n\\(a\\)\n```\n\\(b\\)", "```tex\n\\(a\\)\n```\n·$b$·"),
        ("~~~\n\\(a\\)", "~~~\n\\(a\\)"),
        (r"\\(a\\)", r"\\(a\\)"),
        (r"\(open", r"\(open"),
        (r"\( \)", r"\( \)"),
        ("\\[a\n\nb\\]", "\\[a\n\nb\\]"),
        (r"\(costs $5\)", r"\(costs $5\)"),
        ("\\", "\\"),
    ] {
        assert_eq!(delimited(source).replace('\u{2}', "·"), expected, "{source:?}");
        assert_eq!(delimited(source).len(), source.len(), "{source:?}");
    }
    let endless = format!(r"\({}\)", "é+".repeat(4_000));
    assert_eq!(delimited(&endless), endless);
    for source in ["$5 and $6", "$5-$10", "$HOME/$USER", "${A}-${B}", "5 $ und 6 $", "a$b$c1$"] {
        assert_eq!(html_of(source), format!("<p>{source}</p>"));
    }
}

#[test]
fn plain_words_are_those_that_markdown_shows() {
    for (source, expected) in [
        ("## **Water** the [moss](https://a.example) `now`", "Water the moss now"),
        ("- one\n- two\n\nthree\nfour", "one two three four"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"),
        ("a < b & <b>c</b>", "a < b & <b>c</b>"),
        ("**cut sho", "**cut sho"),
        ("", ""),
    ] {
        assert_eq!(plain(source), expected, "{source:?}");
    }
}

#[test]
fn hostile_markdown_stays_text() {
    let corpus = [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<svg/onload=alert(1)>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java\tscript:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](&#x0a;javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
        "[x](vbscript:msgbox)",
        "[x](//a.example/no-scheme)",
        "[x](/api/agents/delete)",
        "[x](/providers?saved=words)",
        "[x](/providers#words)",
        "[x](/providers/)",
        "[x](/agents/new/../edit)",
        "[x](//providers)",
        "[x](/\\providers)",
        "<javascript:alert(1)>",
        "<data:text/html,x>",
        "![x](javascript:alert(1))",
        "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
        "[x][r]\n\n[r]: javascript:alert(1)",
        "[x](<javascript:alert(1)>)",
        "```\"><script>alert(1)</script>\nx\n```",
        "```x\"onmouseover=\"alert(1)\nx\n```",
        "`</code><script>alert(1)</script>`",
        "# <b onclick=alert(1)>h</b>",
        "| <script>alert(1)</script> |\n|---|\n| <img onerror=alert(1)> |",
    ];
    for source in corpus {
        let html = html_of(source);
        for forbidden in ["<script", "<img", "<svg", "<iframe", "<b ", "href", "data-address", " src"] {
            let found = outside_text(&html).contains(forbidden);
            assert!(!found, "{source:?} gave {forbidden:?} in {html}");
        }
    }
}

#[test]
fn an_attribute_cannot_be_left() {
    let html = html_of("[x](<https://a.example/\"onmouseover=\"alert(1)>)");
    assert!(html.contains("data-address=\"https://a.example/&quot;onmouseover=&quot;alert(1)\""), "{html}");
    let html = html_of("```a\"onmouseover=\"b\nx\n```");
    assert!(html.contains("data-language=\"a&quot;onmouseover=&quot;b\""), "{html}");
}

#[test]
fn hostile_nesting_does_not_use_up_the_stack() {
    let quotes = format!("{} deep", "> ".repeat(20_000));
    assert!(html_of(&quotes).contains("deep"));
    let emphasis = format!("{}deep{}", "*a ".repeat(5_000), " a*".repeat(5_000));
    assert!(html_of(&emphasis).contains("deep"));
}

/// Without the button that each block of code gets from us.
fn html_of(source: &str) -> String {
    without_marks(render(source, &Cited::default()).to_html())
        .replace(&without_marks(CopyCode().to_html()), "")
}

fn without_marks(html: String) -> String {
    html.replace("<!>", "").replace("<!---->", "")
}

/// The tags of a document, without what stands between them and without attribute values.
fn outside_text(html: &str) -> String {
    let mut tags = String::new();
    let mut in_tag = false;
    let mut in_value = false;
    for character in html.chars() {
        match character {
            '<' if !in_value => in_tag = true,
            '"' if in_tag => in_value = !in_value,
            '>' if in_tag && !in_value => {
                in_tag = false;
                tags.push('>');
            }
            _ => {}
        }
        if in_tag && !in_value {
            tags.push(character);
        }
    }
    tags
}

const LONG: &str = "# Title\n\nSome *text* with `code`.\nAnd more.\n\n1. one\n\n2. two\n   - nested\n\n   para\n\n```js\nlet a;\n\n# no\n```\n\n> quote\n> more\n\n- a\n- b\n\n* c\n\n--\n\nTitle\n===\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n    indented\n\n    more\n\n<div>\nraw\n</div>\n\n[ref]: https://a.example\n\nlast é line\n***\nend";
