//! What a person may enter for a job service.

use crate::error::{Error, Result};
use crate::outbound::{Reach, Target};
use crate::vault::Secret;
use protocol::view::{JobServiceKind, OfferedJob};

/// Characters of the name of a service, and of what is named at it.
const LONGEST_NAME: usize = 20;
const LONGEST_WORD: usize = 100;
/// Bytes of a token.
const LONGEST_TOKEN: usize = 4 * 1024;
const MOST_JOBS: usize = 30;

pub(super) fn name(name: &str) -> Result<&str> {
    let name = name.trim();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    if !begins || name.len() > LONGEST_NAME || !name.bytes().all(is_letter) {
        return Err(Error::invalid(format!(
            "A name has small letters, digits and hyphens, a letter first, and at most {LONGEST_NAME} of them. Your \
             agents name the service by it."
        )));
    }
    Ok(name)
}

/// Without a slash at its end.
pub(super) fn url(url: &str, reach: Reach) -> Result<String> {
    let target = Target::parse(url).and_then(|target| target.check(reach).map(|()| target));
    let target = target.map_err(|error| Error::invalid(error.to_string()))?;
    if target.url().query().is_some() {
        return Err(Error::invalid(
            "Leave out of the address what follows the question mark. A token has a field of its own.",
        ));
    }
    Ok(target.url().as_str().trim_end_matches('/').to_owned())
}

/// Scheme, host and port, if any are given.
pub(super) fn log_url(text: &str, reach: Reach) -> Result<String> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    let url = url(text, reach)?;
    let target = Target::parse(&url).map_err(|error| Error::invalid(error.to_string()))?;
    Ok(target.place())
}

/// Owner and name of a repository; nothing for a service that has none.
pub(super) fn repository(kind: JobServiceKind, text: &str) -> Result<String> {
    let text = text.trim();
    match kind {
        JobServiceKind::Http => Ok(String::new()),
        JobServiceKind::Github => match text.split_once('/') {
            Some((owner, name)) if is_word(owner) && is_word(name) => Ok(text.to_owned()),
            _ => Err(Error::invalid("Write the repository like owner/name.")),
        },
    }
}

/// One a line: its name, and of GitHub its branch and the input that takes an id.
pub(super) fn jobs(kind: JobServiceKind, text: &str) -> Result<Vec<OfferedJob>> {
    let mut jobs: Vec<OfferedJob> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let job = match (kind, words.as_slice()) {
            (JobServiceKind::Http, [name]) if is_word(name) => {
                OfferedJob { name: (*name).to_owned(), ..OfferedJob::default() }
            }
            (JobServiceKind::Github, [name, rest @ ..]) if is_word(name) && rest.len() <= 2 => {
                let branch = rest.first().copied().unwrap_or("main");
                let id_input = rest.get(1).copied().unwrap_or_default();
                if !branch.split('/').all(is_word) || !(id_input.is_empty() || is_word(id_input)) {
                    return Err(not_a_job(line));
                }
                OfferedJob {
                    name: (*name).to_owned(),
                    branch: branch.to_owned(),
                    id_input: id_input.to_owned(),
                }
            }
            _ => return Err(not_a_job(line)),
        };
        if !jobs.iter().any(|known| known.name == job.name) {
            jobs.push(job);
        }
    }
    if jobs.len() > MOST_JOBS {
        return Err(Error::Limit(format!("A service has at most {MOST_JOBS} jobs for agents.")));
    }
    Ok(jobs)
}

pub(super) fn token(token: &str) -> Result<Option<Secret>> {
    let token = token.trim();
    if token.is_empty() {
        return Ok(None);
    }
    if token.len() > LONGEST_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::invalid("A token is one word of letters, digits and signs. Copy it once more."));
    }
    Ok(Some(Secret::new(token.to_owned())))
}

/// A part of an address that means nothing there but itself.
fn is_word(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !text.is_empty()
        && text.len() <= LONGEST_WORD
        && text.bytes().all(is_letter)
        && !text.bytes().all(|byte| byte == b'.')
}

fn not_a_job(line: &str) -> Error {
    let line: String = line.chars().take(LONGEST_WORD).collect();
    Error::invalid(format!(
        "\"{line}\" is not a job. Write one a line: its name; of GitHub the file of the workflow, and if you want its \
         branch and the input that takes an id."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_entered_leads_nowhere_else() {
        for (text, expected) in [
            ("a/b", true),
            (" octo-org/my.repo_1 ", true),
            ("a", false),
            ("a/..", false),
            ("a/b/c", false),
            ("a/b?c", false),
            ("", false),
        ] {
            assert_eq!(repository(JobServiceKind::Github, text).is_ok(), expected, "{text}");
        }
        for (kind, text, expected) in [
            (JobServiceKind::Github, "build.yml\n\n deploy.yml release/1 job_id ", Some(2)),
            (JobServiceKind::Github, "build.yml main\nbuild.yml other", Some(1)),
            (JobServiceKind::Github, "../secrets", None),
            (JobServiceKind::Github, "a.yml b c d", None),
            (JobServiceKind::Github, "a.yml ../b", None),
            (JobServiceKind::Http, "render\nencode", Some(2)),
            (JobServiceKind::Http, "render main", None),
            (JobServiceKind::Http, "", Some(0)),
        ] {
            assert_eq!(jobs(kind, text).ok().map(|jobs| jobs.len()), expected, "{text:?}");
        }
        let one = &jobs(JobServiceKind::Github, "deploy.yml release/1 job_id").expect("a job")[0];
        assert_eq!((&*one.branch, &*one.id_input), ("release/1", "job_id"));
        for (text, expected) in [
            ("https://api.github.com/", Some("https://api.github.com")),
            ("https://github.example/api/v3", Some("https://github.example/api/v3")),
            ("https://api.github.com/?token=1", None),
            ("http://127.0.0.1:3001/", None),
        ] {
            assert_eq!(url(text, Reach::default()).ok().as_deref(), expected, "{text}");
        }
        assert_eq!(
            log_url("https://logs.example/a/b", Reach::default()).ok().as_deref(),
            Some("https://logs.example")
        );
    }
}
