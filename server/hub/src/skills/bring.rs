//! Skills from elsewhere on the web: a `SKILL.md`, an archive, or what a site lists of its own. It is asked when its
//! person says so, and never by itself.

use crate::error::{Error, Result};
use crate::outbound::{Answer, OutboundError, Target};
use crate::skills::OwnSkills;
use crate::zip::LARGEST_ARCHIVE;
use protocol::SkillId;
use protocol::view::{Right, SkillSource};
use reqwest::Method;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue, LOCATION};
use std::time::Duration;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(30);
const REDIRECTS: usize = 5;

impl OwnSkills<'_> {
    /// Takes in the skill at this address.
    pub async fn bring(self, url: &str) -> Result<SkillId> {
        self.scoped.require(Right::SaveProviders)?;
        let target = Target::parse_without_fragment(url).map_err(refused)?;
        let asked = timeout(LIMIT, self.load(raw(target)?));
        let late = || Error::Upstream("It took longer than 30 seconds and was given up.".to_owned());
        let (target, bytes) = asked.await.map_err(|_| late())??;
        self.take_in(bytes, SkillSource::Address { url: target.url().to_string() }).await
    }

    async fn load(self, mut target: Target) -> Result<(Target, Vec<u8>)> {
        for _ in 0..=REDIRECTS {
            check(&target)?;
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static("text/markdown, application/zip, */*;q=0.5"));
            let answer = self.scoped.hub.web().send(Method::GET, &target, headers, Vec::new()).await;
            let answer = answer.map_err(refused)?;
            if let Some(location) = leads(&answer) {
                target = target.join(location).map_err(refused)?;
                continue;
            }
            if !answer.is_success() {
                return Err(Error::Upstream(format!(
                    "{} answered with status {}. Check the address.",
                    target.place(),
                    answer.status()
                )));
            }
            return Ok((target, whole(answer).await?));
        }
        Err(Error::Upstream(format!("It was sent on more than {REDIRECTS} times and given up.")))
    }
}

fn leads(answer: &Answer) -> Option<&str> {
    if matches!(answer.status(), 301 | 302 | 303 | 307 | 308) { answer.header(LOCATION) } else { None }
}

/// What comes without a seal on the way, somebody else may have written.
fn check(target: &Target) -> Result<()> {
    if target.url().scheme() == "https" || target.is_local() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "{} is not sealed on the way. Use an address that begins with https://.",
        target.place()
    )))
}

async fn whole(mut answer: Answer) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(bytes) = answer.next().await.map_err(refused)? {
        if body.len() + bytes.len() > LARGEST_ARCHIVE {
            return Err(Error::Limit("It is larger than 20 MB.".to_owned()));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

/// The file itself, where the address is that of a page about it.
fn raw(target: Target) -> Result<Target> {
    let url = target.url();
    if url.host_str() != Some("github.com") {
        return Ok(target);
    }
    let parts: Vec<&str> = url.path().trim_matches('/').split('/').collect();
    let [owner, repository, "blob" | "raw", rest @ ..] = parts.as_slice() else { return Ok(target) };
    let raw = format!("https://raw.githubusercontent.com/{owner}/{repository}/{}", rest.join("/"));
    Target::parse(&raw).map_err(refused)
}

fn refused(error: OutboundError) -> Error {
    match error {
        OutboundError::NotAllowed { place } => {
            Error::invalid(format!("{place} is not a public address. Only those can be reached."))
        }
        OutboundError::Url(why) => Error::invalid(format!("This is no address of a skill: {why}.")),
        other => Error::Upstream(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_about_a_file_leads_to_the_file() {
        for (url, expected) in [
            (
                "https://github.com/moss/skills/blob/main/a/SKILL.md",
                "https://raw.githubusercontent.com/moss/skills/main/a/SKILL.md",
            ),
            ("https://github.com/moss/skills", "https://github.com/moss/skills"),
            ("https://moss.example/SKILL.md", "https://moss.example/SKILL.md"),
        ] {
            let target = Target::parse(url).ok().and_then(|target| raw(target).ok());
            assert_eq!(target.map(|target| target.url().to_string()).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_not_sealed_on_the_way_is_not_asked() {
        for (url, expected) in [
            ("https://moss.example/", true),
            ("http://moss.example/", false),
            ("http://127.0.0.1:8000/", true),
        ] {
            let target = Target::parse(url).expect(url);
            assert_eq!(check(&target).is_ok(), expected, "{url}");
        }
    }
}
