//! What pages of a server want to reach and to use of the device, and what its person said to that. They reach and use
//! nothing that this one did not allow.

use super::page::Whole;
use crate::error::{Error, Result};
use protocol::view::{AppPermission, McpAppHost};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// Hosts of each kind that a page may name, and those of a server that are kept.
const NAMED: usize = 20;
const MOST_HOSTS: usize = 100;
/// Bytes of one.
const LONGEST: usize = 200;

/// What the person was asked about: hosts, and permissions by their names, which no host has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(in super::super) struct Asked {
    pub(super) allowed: BTreeSet<String>,
    refused: BTreeSet<String>,
}

impl Asked {
    /// What a page names that nobody was asked about.
    pub(super) fn open(&self, page: &Whole) -> Vec<String> {
        let named: BTreeSet<&String> = page.connect.union(&page.load).collect();
        let open =
            named.into_iter().filter(|host| !self.allowed.contains(*host) && !self.refused.contains(*host));
        open.cloned().collect()
    }

    /// What of the device a page names that nobody was asked about.
    pub(super) fn open_permissions(&self, page: &Whole) -> Vec<AppPermission> {
        let is_open = |name: &str| !self.allowed.contains(name) && !self.refused.contains(name);
        page.permissions.iter().copied().filter(|permission| is_open(permission.name())).collect()
    }

    pub(in super::super) fn list(self) -> Vec<McpAppHost> {
        let all = |hosts: BTreeSet<String>, allowed| {
            hosts.into_iter().map(move |host| McpAppHost { host, allowed })
        };
        all(self.allowed, true).chain(all(self.refused, false)).collect()
    }

    pub(super) fn answer(&mut self, hosts: &[String], allow: bool) -> Result<()> {
        let is_known =
            |name: &String| AppPermission::of(name).is_some() || host_of(name).as_ref() == Some(name);
        if !hosts.iter().all(is_known) {
            return Err(Error::invalid("Name hosts like https://api.example.com."));
        }
        let (to, from) = match allow {
            true => (&mut self.allowed, &mut self.refused),
            false => (&mut self.refused, &mut self.allowed),
        };
        for host in hosts {
            from.remove(host);
            to.insert(host.clone());
        }
        if self.allowed.len() + self.refused.len() > MOST_HOSTS {
            return Err(Error::Limit(format!("The pages of a server may name {MOST_HOSTS} hosts in all.")));
        }
        Ok(())
    }
}

/// Those of a list that a policy can name.
pub(super) fn named(list: Option<&Value>) -> BTreeSet<String> {
    let named = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    named.filter_map(host_of).take(NAMED).collect()
}

/// Those of an object that are known here.
pub(super) fn permissions(named: Option<&Value>) -> BTreeSet<AppPermission> {
    let known = AppPermission::ALL.into_iter();
    known.filter(|permission| named.and_then(|named| named.get(permission.name())).is_some()).collect()
}

/// Scheme, host and port, as a policy names them. `None`: it is no such thing, or no connection that is sealed.
fn host_of(named: &str) -> Option<String> {
    let named = named.strip_suffix('/').unwrap_or(named).to_ascii_lowercase();
    let (scheme, rest) = named.split_once("://")?;
    let (host, port) = rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port)));
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let labels = host.strip_prefix("*.").unwrap_or(host);
    let is_host = labels.contains('.') && labels.split('.').all(is_label);
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
    (matches!(scheme, "https" | "wss") && is_host && is_port && named.len() <= LONGEST).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_a_host_gets_into_a_policy() {
        for (named, expected) in [
            ("https://api.example.com", Some("https://api.example.com")),
            ("HTTPS://API.Example.com/", Some("https://api.example.com")),
            ("wss://a.example:8443", Some("wss://a.example:8443")),
            ("https://*.example.com", Some("https://*.example.com")),
            ("http://api.example.com", None),
            ("https://localhost", None),
            ("https://*", None),
            ("*", None),
            ("https:", None),
            ("data:", None),
            ("'unsafe-eval'", None),
            ("https://a.example; script-src *", None),
            ("https://a.example https://b.example", None),
            ("https://a.example/path", None),
            ("https://a.example\n", None),
            ("https://user@a.example", None),
        ] {
            assert_eq!(host_of(named).as_deref(), expected, "{named:?}");
        }
    }
}
