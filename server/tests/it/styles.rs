//! What `style` gives looks to is on some page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_class_that_has_a_look_is_set_by_some_page() {
    let (mut styles, mut pages) = (String::new(), String::new());
    collect("style", "css", &mut styles);
    collect("app/src", "rs", &mut pages);
    collect("sandbox/shell/src", "rs", &mut pages);
    let set = words(&pages);
    let styled = classes(&styles);
    assert!(styled.len() > 100, "{styled:?}");
    let unused: Vec<_> = styled.difference(&set).collect();
    assert!(unused.is_empty(), "no page sets {unused:?}");
}

#[test]
fn a_class_that_no_page_sets_is_found() {
    let styled = classes("/* .gone */ .card > .card-name:hover, a.left-over { inset: .5rem }");
    assert_eq!(styled, ["card", "card-name", "left-over"].map(str::to_owned).into());
    let set = words(r#"<li class="card own"> <b class="card-name">"left over""#);
    assert_eq!(styled.difference(&set).collect::<Vec<_>>(), ["left-over"]);
}

fn collect(folder: &str, kind: &str, text: &mut String) {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder), kind, text);
}

fn read(folder: &Path, kind: &str, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            read(&path, kind, text);
        } else if path.extension().is_some_and(|extension| extension == kind) {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// The classes that selectors name.
fn classes(styles: &str) -> BTreeSet<String> {
    let uncommented: String =
        styles.split("/*").enumerate().map(|(part, text)| after_comment(part, text)).collect();
    // What stands before a brace and behind the last end of anything else is a selector.
    let selectors = uncommented.split('{').filter_map(|text| text.rsplit(['}', ';']).next());
    let named = selectors.filter(|selector| !selector.trim_start().starts_with('@')).flat_map(|selector| {
        selector.split('.').skip(1).map(|rest| {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
            rest[..end].to_owned()
        })
    });
    named.filter(|name| name.starts_with(|first: char| first.is_ascii_alphabetic())).collect()
}

fn after_comment(part: usize, text: &str) -> &str {
    if part == 0 { text } else { text.split_once("*/").map_or("", |(_, rest)| rest) }
}

/// The words of all texts in quotes.
fn words(sources: &str) -> BTreeSet<String> {
    sources
        .lines()
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}
