//! What one `robots.txt` says to one program (RFC 9309): the longest rule that fits an address decides.

use percent_encoding::percent_decode_str;
use url::Url;

/// Rules that are read, and bytes of each; what is longer is no rule.
const MOST_RULES: usize = 500;
const LONGEST: usize = 200;

/// Without a rule everything is allowed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rules(Vec<Rule>);

#[derive(Debug, PartialEq, Eq)]
struct Rule {
    allows: bool,
    pattern: Vec<u8>,
}

/// What one line says.
enum Line<'a> {
    Agent(&'a str),
    Rule { allows: bool, path: &'a str },
    Other,
}

impl Rules {
    /// Those that name the program, else those for all.
    pub(super) fn parse(text: &str, program: &str) -> Self {
        let (mut own, mut of_all) = (None::<Vec<Rule>>, Vec::new());
        // Whom the rules that follow are for, and whether more names may still come.
        let (mut for_own, mut for_all, mut is_naming) = (false, false, false);
        for line in text.trim_start_matches('\u{feff}').lines() {
            match Line::of(line) {
                Line::Agent(name) => {
                    if !is_naming {
                        (for_own, for_all) = (false, false);
                    }
                    is_naming = true;
                    for_all |= name == "*";
                    if product(name).eq_ignore_ascii_case(program) {
                        for_own = true;
                        own.get_or_insert_default();
                    }
                }
                Line::Rule { allows, path } => {
                    is_naming = false;
                    if path.is_empty() || path.len() > LONGEST {
                        continue;
                    }
                    let rule = || Rule { allows, pattern: normal(path) };
                    if for_own && let Some(own) = own.as_mut().filter(|own| own.len() < MOST_RULES) {
                        own.push(rule());
                    }
                    if for_all && of_all.len() < MOST_RULES {
                        of_all.push(rule());
                    }
                }
                Line::Other => {}
            }
        }
        Self(own.unwrap_or(of_all))
    }

    pub(super) fn allow(&self, url: &Url) -> bool {
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        // In an address they are no signs of a pattern.
        let path = format!("{}{query}", url.path()).replace('*', "%2A").replace('$', "%24");
        let path = normal(&path);
        if path == b"/robots.txt" {
            return true;
        }
        let fitting = self.0.iter().filter(|rule| fits(&rule.pattern, &path));
        fitting.max_by_key(|rule| (rule.pattern.len(), rule.allows)).is_none_or(|rule| rule.allows)
    }
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let line = line.split('#').next().unwrap_or_default();
        let Some((name, value)) = line.split_once(':') else { return Self::Other };
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "user-agent" => Self::Agent(value),
            "allow" => Self::Rule { allows: true, path: value },
            "disallow" => Self::Rule { allows: false, path: value },
            _ => Self::Other,
        }
    }
}

/// The name without a version.
fn product(name: &str) -> &str {
    let end = name.find(|char: char| !(char.is_ascii_alphabetic() || "-_".contains(char)));
    &name[..end.unwrap_or(name.len())]
}

/// The bytes that a path stands for, so that what is written in two ways is the same. An encoded `*` or `$` stays
/// encoded: it is no sign of a pattern.
fn normal(path: &str) -> Vec<u8> {
    let kept = path.replace("%2A", "%252A").replace("%2a", "%252A").replace("%24", "%2524");
    percent_decode_str(&kept).collect()
}

/// Whether the path begins as the pattern says. `*` is anything, and `$` at its end is the end.
fn fits(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, is_whole) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split(|byte| *byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let parts: Vec<&[u8]> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return !is_whole || rest.is_empty() };
    for part in between {
        let Some(at) = memchr::memmem::find(rest, part) else { return false };
        rest = &rest[at + part.len()..];
    }
    if is_whole { rest.ends_with(last) } else { memchr::memmem::find(rest, last).is_some() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(robots: &str, path: &str, expected: bool) {
        let url = Url::parse("https://moss.example").unwrap().join(path).unwrap();
        let allowed = Rules::parse(robots, "vivarium").allow(&url);
        assert_eq!(allowed, expected, "{path} by\n{robots}");
    }

    #[test]
    fn the_rules_for_this_program_count_and_without_them_those_for_all() {
        let robots = "User-agent: *\nDisallow: /private\n\nUser-Agent: other\nUser-agent: Vivarium/1.0\nDisallow: /own # mine\nAllow: /own/open\nSitemap: x\n";
        for (path, expected) in [
            ("/", true),
            ("/private", true),
            ("/own", false),
            ("/ownership", false),
            ("/own/open/a", true),
            ("/robots.txt", true),
        ] {
            check(robots, path, expected);
        }
        let of_all = "\u{feff}user-agent : *\r\ndisallow :/private\r\nDisallow:\r\n";
        for (path, expected) in [("/private/a?b", false), ("/Private", true), ("/", true)] {
            check(of_all, path, expected);
        }
        check("User-agent: vivarium\n\nUser-agent: *\nDisallow: /", "/a", false);
        check("User-agent: vivarium\nDisallow:\nUser-agent: *\nDisallow: /", "/a", true);
        check("Disallow: /", "/a", true);
        check("<html>not found", "/a", true);
    }

    /// The examples of RFC 9309, section 2.2.2 and 2.2.3, and those of Google's description of the format.
    #[test]
    fn the_longest_rule_that_fits_decides() {
        for (rules, path, expected) in [
            ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/", true),
            (
                "Allow: /example/page/\nDisallow: /example/page/disallowed.gif",
                "/example/page/disallowed.gif",
                false,
            ),
            ("Disallow: /*.gif$", "/a/b.gif", false),
            ("Disallow: /*.gif$", "/a/b.gif?c", true),
            ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-%2A.html", false),
            ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-xyz.html", true),
            ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", false),
            ("Disallow: /path/foo-%24", "/path/foo-$", false),
            ("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", false),
            ("Disallow: /foo/bar/%E3%83%84", "/foo/bar/ツ", false),
            ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false),
            ("Allow: /p\nDisallow: /", "/page", true),
            ("Allow: /folder\nDisallow: /folder", "/folder/page", true),
            ("Allow: /page\nDisallow: /*.htm", "/page.htm", false),
            ("Allow: /$\nDisallow: /", "/", true),
            ("Allow: /$\nDisallow: /", "/page.htm", false),
            ("Disallow: /fish*.php", "/fishheads/catfish.php?parameters", false),
            ("Disallow: /fish*.php", "/Fish.PHP", true),
            ("Disallow: *", "/a", false),
            ("Disallow: /a**b*$", "/axxbyy", false),
        ] {
            check(&format!("User-agent: *\n{rules}\n"), path, expected);
        }
    }

    #[test]
    fn what_is_made_to_be_long_is_read_to_its_limit() {
        let many =
            format!("User-agent: *\n{}Disallow: /last\n", "Disallow: /*a*a*a*a*a*a*a*b\n".repeat(5000));
        let rules = Rules::parse(&many, "vivarium");
        assert_eq!(rules.0.len(), MOST_RULES);
        assert!(rules.allow(&Url::parse(&format!("https://moss.example/{}", "a".repeat(2000))).unwrap()));
        let long = format!("User-agent: *\nDisallow: /{}\n", "a".repeat(LONGEST));
        assert_eq!(Rules::parse(&long, "vivarium"), Rules::default());
    }
}
