//! Folders of repositories, by the address of the page that shows them: where the archive of that repository is, and
//! which folder of it is meant. GitHub, GitLab, and Gitea with those that came of it are told apart by their paths.

use url::Url;

/// Where a branch's name may end whose slashes stand in the address like those of folders.
const NAMES: usize = 3;
/// What the branch may be called that a repository shows by itself.
const FIRST: [&str; 3] = ["HEAD", "main", "master"];
/// Where an address of owner and name alone is that of a repository.
const GITHUB: [&str; 1] = ["github.com"];
const GITEA: [&str; 2] = ["codeberg.org", "gitea.com"];
const GITLAB: [&str; 1] = ["gitlab.com"];

/// Where a folder may be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Of a zip, in which everything stands below one folder.
    pub(super) archive: String,
    /// Below that one. Empty: all of it.
    pub(super) folder: String,
}

/// The places where the folder of this address may be, the likeliest first. None: it is no folder of a repository.
pub(super) fn places(url: &Url) -> Vec<Place> {
    let host = url.host_str().unwrap_or_default();
    let parts: Vec<&str> = url.path().trim_matches('/').split('/').collect();
    let origin = url.origin().ascii_serialization();
    if let Some((project, "tree", rest)) = of_gitlab(&parts) {
        return named(rest, |branch| gitlab(&origin, project, branch));
    }
    match parts.as_slice() {
        [owner, name, "src", "branch" | "tag" | "commit", rest @ ..] if !rest.is_empty() => {
            named(rest, |branch| github(&origin, owner, name, branch))
        }
        [owner, name, "tree", rest @ ..] if !rest.is_empty() => {
            named(rest, |branch| github(&origin, owner, name, branch))
        }
        [owner, name] if GITHUB.contains(&host) || GITEA.contains(&host) => {
            let name = name.strip_suffix(".git").unwrap_or(name);
            whole(|branch| github(&origin, owner, name, branch))
        }
        project if GITLAB.contains(&host) && project.len() > 1 && !project.contains(&"-") => {
            whole(|branch| gitlab(&origin, project, branch))
        }
        _ => Vec::new(),
    }
}

/// The file itself, where the address is that of a page about it.
pub(super) fn raw(url: &Url) -> Option<String> {
    let parts: Vec<&str> = url.path().trim_matches('/').split('/').collect();
    let origin = url.origin().ascii_serialization();
    if let Some((project, "blob", rest)) = of_gitlab(&parts) {
        return Some(format!("{origin}/{}/-/raw/{}", project.join("/"), rest.join("/")));
    }
    match parts.as_slice() {
        [owner, name, "blob" | "raw", rest @ ..] if url.host_str() == Some("github.com") => {
            Some(format!("https://raw.githubusercontent.com/{owner}/{name}/{}", rest.join("/")))
        }
        [owner, name, "src", kind @ ("branch" | "tag" | "commit"), rest @ ..]
            if rest.last().is_some_and(|last| last.to_ascii_lowercase().ends_with(".md")) =>
        {
            Some(format!("{origin}/{owner}/{name}/raw/{kind}/{}", rest.join("/")))
        }
        _ => None,
    }
}

/// The project, what is shown of it, and the rest.
fn of_gitlab<'a>(parts: &'a [&'a str]) -> Option<(&'a [&'a str], &'a str, &'a [&'a str])> {
    let at = parts.iter().position(|part| *part == "-").filter(|at| *at > 1)?;
    let (project, rest) = (&parts[..at], &parts[at + 1..]);
    let (kind, rest) = rest.split_first()?;
    (!rest.is_empty()).then_some((project, *kind, rest))
}

fn named(rest: &[&str], archive: impl Fn(&str) -> String) -> Vec<Place> {
    let place = |length: usize| {
        let (branch, folder) = rest.split_at(length);
        Place { archive: archive(&branch.join("/")), folder: decoded(&folder.join("/")) }
    };
    (1..=rest.len().min(NAMES)).map(place).collect()
}

fn whole(archive: impl Fn(&str) -> String) -> Vec<Place> {
    FIRST.iter().map(|branch| Place { archive: archive(branch), folder: String::new() }).collect()
}

fn github(origin: &str, owner: &str, name: &str, branch: &str) -> String {
    format!("{origin}/{owner}/{name}/archive/{branch}.zip")
}

fn gitlab(origin: &str, project: &[&str], branch: &str) -> String {
    let name = project.last().copied().unwrap_or_default();
    let project = project.join("/");
    format!("{origin}/{project}/-/archive/{branch}/{name}-{}.zip", branch.replace('/', "-"))
}

fn decoded(path: &str) -> String {
    percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_folder_leads_to_the_archive_of_its_repository() {
        for (url, expected) in [
            (
                "https://github.com/moss/skills/tree/main/a/fern",
                vec![
                    ("https://github.com/moss/skills/archive/main.zip", "a/fern"),
                    ("https://github.com/moss/skills/archive/main/a.zip", "fern"),
                    ("https://github.com/moss/skills/archive/main/a/fern.zip", ""),
                ],
            ),
            (
                "https://gitlab.com/moss/group/skills/-/tree/v1",
                vec![("https://gitlab.com/moss/group/skills/-/archive/v1/skills-v1.zip", "")],
            ),
            (
                "https://codeberg.org/moss/skills/src/branch/main/fern%20care/",
                vec![
                    ("https://codeberg.org/moss/skills/archive/main.zip", "fern care"),
                    ("https://codeberg.org/moss/skills/archive/main/fern%20care.zip", ""),
                ],
            ),
            (
                "https://github.com/moss/skills.git",
                vec![
                    ("https://github.com/moss/skills/archive/HEAD.zip", ""),
                    ("https://github.com/moss/skills/archive/main.zip", ""),
                    ("https://github.com/moss/skills/archive/master.zip", ""),
                ],
            ),
            ("https://moss.example/moss/skills", vec![]),
            ("https://moss.example/SKILL.md", vec![]),
            ("https://github.com/moss", vec![]),
        ] {
            let places = places(&Url::parse(url).expect(url));
            let read: Vec<(&str, &str)> =
                places.iter().map(|place| (place.archive.as_str(), place.folder.as_str())).collect();
            assert_eq!(read, expected, "{url}");
        }
    }

    #[test]
    fn the_page_of_a_file_leads_to_the_file() {
        for (url, expected) in [
            (
                "https://github.com/moss/skills/blob/main/a/SKILL.md",
                Some("https://raw.githubusercontent.com/moss/skills/main/a/SKILL.md"),
            ),
            (
                "https://gitlab.com/moss/skills/-/blob/main/SKILL.md",
                Some("https://gitlab.com/moss/skills/-/raw/main/SKILL.md"),
            ),
            (
                "https://codeberg.org/moss/skills/src/branch/main/a/SKILL.md",
                Some("https://codeberg.org/moss/skills/raw/branch/main/a/SKILL.md"),
            ),
            ("https://codeberg.org/moss/skills/src/branch/main/a", None),
            ("https://moss.example/SKILL.md", None),
        ] {
            assert_eq!(raw(&Url::parse(url).expect(url)).as_deref(), expected, "{url}");
        }
    }
}
