//! What can be said of a setting before its page is opened.

use crate::AppError;
use crate::account::second_factor::api::second_factor;
use crate::mcp_servers::api::list_mcp_servers;
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::reviews::api::list_reviews;
use crate::skills::api::list_skills;
use crate::together::together;
use protocol::view::Reviews;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct States {
    providers: usize,
    skills: usize,
    mcp_servers: usize,
    has_second_factor: bool,
    reviews: Reviews,
}

impl States {
    /// Of most there is nothing to say.
    pub(super) fn told(&self, href: &str) -> Option<String> {
        let waiting = match self.waiting(href) {
            0 => None,
            waiting => Some(plural!(waiting, "{waiting} is waiting", "{waiting} are waiting")),
        };
        match (self.standing(href), waiting) {
            (Some(standing), Some(waiting)) => Some([standing, waiting].join(", ")),
            (standing, waiting) => standing.or(waiting),
        }
    }

    /// What is there for the person to look at.
    fn waiting(&self, href: &str) -> usize {
        let Reviews { memories, disagreeing, skills, mcp_servers } = &self.reviews;
        match href {
            "/memory" => usize::try_from(memories.saturating_add(*disagreeing)).unwrap_or(usize::MAX),
            "/skills" => skills.len(),
            "/mcp-servers" => mcp_servers.len(),
            _ => 0,
        }
    }

    fn standing(&self, href: &str) -> Option<String> {
        match (href, self) {
            ("/providers", Self { providers: 0, .. }) => Some(t("No provider yet").to_owned()),
            ("/providers", Self { providers: count, .. }) => {
                Some(plural!(*count, "{count} provider", "{count} providers"))
            }
            ("/skills", Self { skills: count @ 1.., .. }) => {
                Some(plural!(*count, "{count} skill", "{count} skills"))
            }
            ("/mcp-servers", Self { mcp_servers: count @ 1.., .. }) => {
                Some(plural!(*count, "{count} server", "{count} servers"))
            }
            ("/account/second-factor", Self { has_second_factor, .. }) => {
                Some(t(if *has_second_factor { "On" } else { "Off" }).to_owned())
            }
            _ => None,
        }
    }
}

pub(super) async fn states() -> Result<States, AppError> {
    let (providers, skills, servers, factor, reviews) =
        together!(list_providers(), list_skills(), list_mcp_servers(), second_factor(), list_reviews());
    Ok(States {
        providers: providers.len(),
        skills: skills.skills.len(),
        mcp_servers: servers.len(),
        has_second_factor: factor.since.is_some(),
        reviews,
    })
}
