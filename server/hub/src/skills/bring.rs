//! Skills from elsewhere: a `SKILL.md`, an archive, a folder of a repository, what a site lists of its own, or what an
//! MCP server has. They are asked when their person says so, and never by themselves.

use super::archive::{Archive, Contents};
use super::forge::{self, Place};
use super::index::{self, Listed, Parts};
use super::parcel::{Parcel, TOTAL};
use super::take_in::{Material, Outcome};
use crate::error::{Error, Result};
use crate::fair_queue::QueueFull;
use crate::outbound::{Answer, OutboundError, Target};
use crate::skills::OwnSkills;
use crate::zip::LARGEST_ARCHIVE;
use protocol::SkillId;
use protocol::view::{BroughtSkill, FoundSkills, Right, SkillSource};
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(30);
const REDIRECTS: usize = 5;

/// What was asked for, once it was looked for.
pub(super) enum Looked {
    One(Material),
    Several(FoundSkills),
}

/// What an address answers.
enum Came {
    Bytes {
        target: Target,
        bytes: Vec<u8>,
        is_page: bool,
    },
    /// There is nothing there.
    Nothing,
}

impl OwnSkills<'_> {
    /// Takes in the skill at this address. `within`: the one that is meant where there are several. Where there are
    /// and none is named, none is taken.
    pub async fn bring(self, url: &str, within: &str) -> Result<BroughtSkill> {
        let url = url.split('#').next().unwrap_or_default().trim().to_owned();
        self.bring_from(SkillSource::Address { url, within: within.to_owned() }).await
    }

    pub(super) async fn bring_from(self, source: SkillSource) -> Result<BroughtSkill> {
        match self.look(&source).await? {
            Looked::One(material) => {
                Ok(BroughtSkill::Skill { id: self.take_in(material, source).await?.taken()? })
            }
            Looked::Several(found) => {
                self.scoped.hub.0.skills.found.keep(&self.scoped.viewer.me.id, found.clone());
                Ok(BroughtSkill::Several(found))
            }
        }
    }

    /// Asks where the skill came from whether there is another version. One that is waits like any update, and
    /// nothing of it is in place of what was accepted. False: there is none.
    pub async fn look_again(self, id: &SkillId) -> Result<bool> {
        let skill = self.get(id).await?.skill;
        if !skill.source.is_elsewhere() {
            return Err(Error::invalid(
                "It came from here or in a file, so there is nowhere to look. Bring in a newer one yourself.",
            ));
        }
        let Looked::One(material) = self.look(&skill.source).await? else {
            return Err(Error::Conflict(
                "There are several skills by now where it came from. Bring in the one that you mean."
                    .to_owned(),
            ));
        };
        match self.update(&skill, material).await? {
            Outcome::Waits(_) => Ok(true),
            Outcome::Same(_) => Ok(false),
        }
    }

    async fn look(self, source: &SkillSource) -> Result<Looked> {
        if let SkillSource::Lent { skill, .. } = source {
            return self.look_at_lent(skill).await;
        }
        self.scoped.require(Right::SaveProviders)?;
        let person = &self.scoped.viewer.me.id;
        let _place = self.scoped.hub.0.skills.loading.enter(person).await.map_err(|QueueFull| {
            Error::Limit("Too many of your skills are on their way. Try again in a moment.".to_owned())
        })?;
        let looking = async {
            match source {
                SkillSource::Address { url, within } => self.look_at(url, within).await,
                SkillSource::McpServer { server, name, uri } => self.look_in(server, name, uri).await,
                SkillSource::File { .. }
                | SkillSource::Lent { .. }
                | SkillSource::Form
                | SkillSource::Agent { .. } => Err(Error::invalid("It came from nowhere else.")),
            }
        };
        let late = || Error::Upstream("It took longer than 30 seconds and was given up.".to_owned());
        timeout(LIMIT, looking).await.map_err(|_| late())?
    }

    async fn look_at(self, address: &str, within: &str) -> Result<Looked> {
        let target = Target::parse(address).map_err(refused)?;
        let url = target.url();
        let places = forge::places(url);
        if !places.is_empty() {
            return self.look_into(places, target, within).await;
        }
        let is_site = url.path() == "/" && url.query().is_none();
        let asked: Vec<Target> = match forge::raw(url) {
            Some(raw) => vec![Target::parse(&raw).map_err(refused)?],
            None if is_site => index::ADDRESSES
                .iter()
                .map(|path| target.join(path))
                .collect::<std::result::Result<_, _>>()
                .map_err(refused)?,
            None => vec![target.clone()],
        };
        for asked in asked {
            if let Came::Bytes { target: from, bytes, is_page } = self.load(asked.clone()).await? {
                return self.read(address, within, &from, bytes, is_page).await;
            }
        }
        Err(Error::Upstream(match is_site {
            true => format!(
                "{} lists no skills at {}. Enter the address of a SKILL.md, of an archive, or of a folder in a repository.",
                target.place(),
                index::ADDRESSES[0]
            ),
            false => format!("{} has nothing there (status 404). Check the address.", target.place()),
        }))
    }

    /// The folder of a repository.
    async fn look_into(self, places: Vec<Place>, target: Target, within: &str) -> Result<Looked> {
        for Place { archive, folder } in places {
            let archive = Target::parse(&archive).map_err(refused)?;
            if let Came::Bytes { bytes, .. } = self.load(archive).await? {
                let folder = if within.is_empty() { folder } else { within.to_owned() };
                let contents = self.unpacked(bytes, move |bytes| Archive::Repository(bytes).find(&folder));
                return Ok(looked(contents.await?, target.url().as_str()));
            }
        }
        Err(Error::Upstream(format!(
            "{} has no archive of this repository (status 404). Check the address and the name of the branch; what is not public cannot be loaded.",
            target.place()
        )))
    }

    async fn read(
        self,
        address: &str,
        within: &str,
        from: &Target,
        bytes: Vec<u8>,
        is_page: bool,
    ) -> Result<Looked> {
        if let Some(list) = index::read(&bytes) {
            return self.choose_from(list, address, within, from).await;
        }
        if is_page && !bytes.starts_with(b"---") {
            return Err(Error::invalid(format!(
                "At {} is a page for people and no skill. Enter the address of the SKILL.md itself, of an archive, or of the folder in its repository.",
                from.place()
            )));
        }
        let folder = within.to_owned();
        let contents = self.unpacked(bytes, move |bytes| match Archive::of(bytes)? {
            Some(archive) => archive.find(&folder),
            None => Parcel::alone(bytes).map(Contents::One),
        });
        Ok(looked(contents.await?, address))
    }

    /// The skill of this name, or all that are listed.
    async fn choose_from(
        self,
        list: Vec<Listed>,
        address: &str,
        within: &str,
        from: &Target,
    ) -> Result<Looked> {
        if list.is_empty() {
            return Err(Error::Upstream(format!(
                "The list of {} has no skill that can be had.",
                from.place()
            )));
        }
        if within.is_empty() {
            let source = SkillSource::Address { url: address.to_owned(), within: String::new() };
            return Ok(Looked::Several(FoundSkills { source, skills: index::found(list) }));
        }
        let listed = list.into_iter().find(|listed| listed.name == within);
        let gone = || Error::Upstream(format!("The list of {} does not name {within}.", from.place()));
        match listed.ok_or_else(gone)?.parts {
            Parts::Whole { url, digest } => {
                let target = from.join(&url).map_err(refused)?;
                if digest.is_none() && target.place() != from.place() {
                    return Err(Error::Upstream(format!(
                        "The list sends to {} and does not say what is there: without a digest it may only name skills of its own site.",
                        target.place()
                    )));
                }
                let bytes = self.loaded(target, digest.as_deref()).await?;
                Ok(Looked::One(Material::Bytes(bytes)))
            }
            Parts::Files(paths) => {
                let (mut files, mut total) = (BTreeMap::new(), 0);
                for path in paths {
                    let target = from.join(&format!("{within}/{path}")).map_err(refused)?;
                    let bytes = self.loaded(target, None).await?;
                    total += bytes.len();
                    if total > TOTAL {
                        return Err(Error::Limit(
                            "The skill is too large: it may have 2 MB in all.".to_owned(),
                        ));
                    }
                    files.insert(path, bytes);
                }
                Ok(Looked::One(Material::Files(files)))
            }
        }
    }

    /// What a list names. What it does not pin has to be where it says.
    async fn loaded(self, target: Target, digest: Option<&str>) -> Result<Vec<u8>> {
        let place = target.place();
        match self.load(target).await? {
            Came::Bytes { target, .. } if digest.is_none() && target.place() != place => {
                Err(Error::Upstream(format!(
                    "{place} sends on to {}, and its list does not say what is there: without a digest it may only name skills of its own site.",
                    target.place()
                )))
            }
            Came::Bytes { bytes, .. } => {
                index::check_digest(digest, &bytes)?;
                Ok(bytes)
            }
            Came::Nothing => Err(Error::Upstream(format!(
                "{place} has nothing where its list says that there is (status 404)."
            ))),
        }
    }

    async fn load(self, mut target: Target) -> Result<Came> {
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
            if matches!(answer.status(), 404 | 410) {
                return Ok(Came::Nothing);
            }
            if !answer.is_success() {
                return Err(Error::Upstream(format!(
                    "{} answered with status {}. Check the address.",
                    target.place(),
                    answer.status()
                )));
            }
            let is_page = answer.header(CONTENT_TYPE).is_some_and(|kind| kind.starts_with("text/html"));
            let bytes = whole(answer).await?;
            return Ok(Came::Bytes { target, bytes, is_page });
        }
        Err(Error::Upstream(format!("It was sent on more than {REDIRECTS} times and given up.")))
    }
}

fn looked(contents: Contents, address: &str) -> Looked {
    match contents {
        Contents::One(parcel) => Looked::One(Material::Files(parcel.0)),
        Contents::Several(skills) => {
            let source = SkillSource::Address { url: address.to_owned(), within: String::new() };
            Looked::Several(FoundSkills { source, skills })
        }
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
