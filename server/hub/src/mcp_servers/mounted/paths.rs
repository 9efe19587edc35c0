//! Where resources lie below their server. Their addresses and names are a stranger's words: paths are made of them
//! that stay there, and that no two of them share.

use super::MountedFile;
use crate::files::FilePath;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a part of a path, and of all of it.
const PART: usize = 120;
const WHOLE: usize = 400;
const PARTS: usize = 16;
/// Where nothing of an address or a name can stand in a path.
const UNNAMED: &str = "resource";
/// Hexadecimal digits that tell those apart that would have the same path.
const OF_DIGEST: usize = 8;

/// Each with its path, by path. Whichever comes first, each has the same one.
pub(super) fn laid_out(listed: &[Value]) -> Vec<MountedFile> {
    let mut wished = BTreeMap::new();
    for resource in listed {
        let text = |field: &str| resource.get(field).and_then(Value::as_str).unwrap_or_default();
        let size = resource.get("size").and_then(Value::as_u64);
        wished.entry(text("uri")).or_insert_with(|| (wish(text("uri"), text("name")), size));
    }
    let (mut claims, mut folders) = (BTreeMap::<&str, usize>::new(), BTreeSet::new());
    for (path, _) in wished.values() {
        *claims.entry(path.as_str()).or_default() += 1;
        folders.extend(path.as_str().match_indices('/').map(|(end, _)| &path.as_str()[..end]));
    }
    let is_free = |path: &FilePath| claims.get(path.as_str()) == Some(&1) && !folders.contains(path.as_str());
    let mut files = BTreeMap::new();
    for (uri, (path, size)) in &wished {
        let path = if is_free(path) { path.clone() } else { apart(path, uri) };
        let file = MountedFile { path: path.clone(), uri: (*uri).to_owned(), size: *size };
        files.entry(path).or_insert(file);
    }
    files.into_values().collect()
}

/// The folders of its address, and the last part of it or, where that has no ending, its name.
fn wish(uri: &str, name: &str) -> FilePath {
    let mut parts = parts_of(uri);
    let has_ending = parts.last().is_some_and(|last| last.trim_start_matches('.').contains('.'));
    if let Some(name) = part(name).filter(|_| !has_ending) {
        parts.pop();
        parts.push(name);
    }
    let first = parts.len().saturating_sub(PARTS);
    let whole = parts[first..].join("/");
    let short = if whole.len() <= WHOLE { &whole } else { parts.last().unwrap_or(&whole) };
    FilePath::seen(short).unwrap_or_else(|_| unnamed())
}

/// Without its scheme, without who signs in there, and without what follows a question mark.
fn parts_of(uri: &str) -> Vec<String> {
    let address = uri.split(['?', '#']).next().unwrap_or_default();
    let (_, below) = address.split_once(':').unwrap_or(("", address));
    let below = match below.strip_prefix("//") {
        Some(place) => {
            let host = place.find('/').unwrap_or(place.len());
            place[..host].rfind('@').map_or(place, |at| &place[at + 1..])
        }
        None => below,
    };
    below.split('/').filter_map(|piece| part(&percent_decode_str(piece).decode_utf8_lossy())).collect()
}

/// `None`: nothing of it can be a part of a path.
fn part(piece: &str) -> Option<String> {
    let plain = |char: char| if char.is_control() || matches!(char, '/' | '\\' | ':') { '-' } else { char };
    let plain: String = piece.trim().chars().map(plain).collect();
    let cut = plain[..plain.floor_char_boundary(PART)].trim();
    (!cut.trim_matches('.').is_empty()).then(|| cut.to_owned())
}

/// The same path with a few digits of its address before the ending.
fn apart(path: &FilePath, uri: &str) -> FilePath {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(uri));
    let digits = &digest[..OF_DIGEST];
    let path = path.as_str();
    let name = path.rfind('/').map_or(0, |end| end + 1);
    let ending = path[name..].rfind('.').filter(|at| *at > 0).map_or(path.len(), |at| name + at);
    let apart = format!("{}-{digits}{}", &path[..ending], &path[ending..]);
    FilePath::check(&apart).unwrap_or_else(|_| unnamed())
}

fn unnamed() -> FilePath {
    FilePath::check(UNNAMED).expect("it is a path")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn paths(listed: &[(&str, &str)]) -> Vec<(String, String)> {
        let listed: Vec<Value> =
            listed.iter().map(|(uri, name)| json!({ "uri": uri, "name": name })).collect();
        laid_out(&listed).into_iter().map(|file| (file.path.to_string(), file.uri)).collect()
    }

    #[test]
    fn a_resource_lies_where_its_address_and_its_name_say_and_never_elsewhere() {
        for (uri, name, expected) in [
            ("file:///project/src/main.rs", "The main file", "project/src/main.rs"),
            ("garden://beds/north", "north", "beds/north"),
            ("garden://beds/north", "", "beds/north"),
            ("drive:///1a2b", "Budget.xlsx", "Budget.xlsx"),
            ("drive:///1a2b", "a/../../b", "a-..-..-b"),
            ("a:1", "", "1"),
            ("urn:isbn:978", "", "isbn-978"),
            ("postgres://ada:moss@host/beds/schema", "", "host/beds/schema"),
            ("file:///a%20b/%C3%A4.md", "", "a b/ä.md"),
            ("file:///../../etc/passwd.txt", "", "etc/passwd.txt"),
            ("file:///a/%2e%2e%2fb.md", "", "a/..-b.md"),
            ("file:///a/./b.md?version=2#top", "", "a/b.md"),
            ("file:///a\u{202e}b.md", "", "ab.md"),
            ("x://", "", "resource"),
            ("x://", "\u{200b}", "resource"),
            ("no address", "a\nb", "a-b"),
        ] {
            assert_eq!(paths(&[(uri, name)]), [(expected.to_owned(), uri.to_owned())], "{uri:?} {name:?}");
        }
        let long = format!("file:///{}/{}.md", "deep/".repeat(60), "x".repeat(1000));
        let path = &paths(&[(&long, "")])[0].0;
        assert!(path.len() <= WHOLE && path.split('/').count() <= PARTS, "{path}");
    }

    #[test]
    fn no_two_resources_share_a_path_however_they_are_listed() {
        let listed = [
            ("a://notes.md", ""),
            ("b://notes.md", ""),
            ("c://list?page=1", ""),
            ("c://list?page=2", ""),
            ("d://beds", ""),
            ("d://beds/north", ""),
            ("d://beds/north", "twice"),
        ];
        let found = paths(&listed);
        let unique: BTreeSet<&String> = found.iter().map(|(path, _)| path).collect();
        assert_eq!((found.len(), unique.len()), (6, 6), "{found:?}");
        let plain: Vec<&str> =
            unique.iter().map(|path| path.as_str()).filter(|path| !path.contains('-')).collect();
        assert_eq!(plain, ["beds/north"], "{found:?}");
        assert!(unique.iter().any(|path| path.starts_with("notes-") && path.ends_with(".md")), "{found:?}");
        let mut reversed = listed;
        reversed[..5].reverse();
        assert_eq!(paths(&reversed), found);
    }
}
