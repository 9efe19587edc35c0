//! Programs of this machine that administrators allow as MCP servers, each as it is written down: whoever adds one
//! chooses it by its name, and fills in what it has to be told.

mod adding;
mod command_line;
mod reach;
mod values;

pub(super) use values::Values;

use super::{McpFailure, McpServers, OwnMcpServers};
use crate::access::Admin;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::files::digest_of;
use crate::store::{FromRow, Json, Row, query};
use crate::terminal::{WayOut, is_own_variable};
use crate::vault::AssociatedData;
use crate::{Hub, network};
use protocol::view::{AuditAction, McpProgram, McpPrograms, McpServerView, McpVariable, STDIO};
use protocol::{McpServerId, UserId};
use reach::HostsOfProgram;
use sqlx::{Any, Executor};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Programs of all, and names of variables of one.
const MOST_PROGRAMS: usize = 50;
const MOST_VARIABLES: usize = 20;
/// Characters of a name, of it or of a variable.
const LONGEST_NAME: usize = 40;
/// With what stands in them a program loads others: whoever fills one in could run what they like.
const LOADERS: [&str; 16] = [
    "BASH_ENV",
    "DOTNET_STARTUP_HOOKS",
    "ENV",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PERL5LIB",
    "PERL5OPT",
    "PYTHONHOME",
    "PYTHONPATH",
    "RUBYLIB",
    "RUBYOPT",
    "_JAVA_OPTIONS",
];
/// The same of all that begin so.
const LOADERS_BEGIN: [&str; 7] = ["DYLD_", "GIT_", "LD_", "NPM_CONFIG_", "PIP_", "PYTHONSTART", "UV_"];
/// For what the values of one are kept.
const VALUES: &str = "mcp_values";

fn values_place<'a>(owner: &'a str, id: &'a McpServerId, program: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: VALUES, server: Some(program) }
}

/// The name of the program that a server with this address is.
pub(super) fn named(url: &str) -> Option<&str> {
    url.strip_prefix(STDIO)
}

/// One as it is started for a server of somebody's.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: String,
    /// It and its arguments.
    pub(super) words: Vec<String>,
    hosts: Vec<String>,
    pub(super) values: Values,
}

impl Program {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (&self.name, &self.words, &self.hosts) == (&other.name, &other.words, &other.hosts)
            && self.values.are_same(&other.values)
    }

    /// None: it reaches nothing.
    pub(super) fn way_out(&self, hub: &Hub) -> Option<WayOut> {
        let gate = || HostsOfProgram { hub: hub.clone(), name: self.name.clone() };
        (!self.hosts.is_empty()).then(|| WayOut::through(Arc::new(gate())))
    }

    /// A text of its own, without what it was given.
    pub(super) fn without_secrets(&self, text: &str) -> String {
        self.values.hide(text).into_owned()
    }
}

/// What a program is for which values are sealed: another one does not get them.
fn sealed_for(program: &McpProgram) -> String {
    let what = serde_json::json!([program.words, program.hosts]).to_string();
    format!("{STDIO}{}#{}", program.name, digest_of(what.as_bytes()))
}

async fn find(db: impl Executor<'_, Database = Any>, name: &str) -> Result<Option<McpProgram>> {
    query("SELECT name, words, hosts, variables FROM mcp_programs WHERE name = $1", (name,))
        .fetch_optional(db)
        .await
}

async fn list(db: impl Executor<'_, Database = Any>) -> Result<Vec<McpProgram>> {
    query("SELECT name, words, hosts, variables FROM mcp_programs ORDER BY name", ()).fetch_all(db).await
}

impl FromRow for McpProgram {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            name: row.get("name")?,
            words: row.get::<Json<_>>("words")?.0,
            hosts: row.get::<Json<_>>("hosts")?.0,
            variables: row.get::<Json<_>>("variables")?.0,
        })
    }
}

impl OwnMcpServers<'_> {
    /// Those that administrators allow.
    pub async fn programs(self) -> Result<McpPrograms> {
        let hub = self.scoped.hub;
        let not_here = hub.terminal().runs_no_programs().await.map(|why| why.to_string());
        Ok(McpPrograms { programs: list(hub.store().read()).await?, not_here })
    }
}

impl McpServers<'_> {
    /// The program that this server of somebody's is, with what was filled in for it.
    pub(super) async fn program(
        self,
        owner: &UserId,
        id: &McpServerId,
        name: &str,
    ) -> std::result::Result<Program, McpFailure> {
        let found = find(self.hub.store().read(), name).await?;
        let program = found.ok_or_else(|| McpFailure::NotAllowed(name.to_owned()))?;
        let (whose, of) = self.sealed_for(owner, id).await?;
        let place = sealed_for(&program);
        let sealed = self.hub.vault().read(self.hub.store(), values_place(&whose.0, &of, &place)).await;
        let sealed = sealed.map_err(|error| {
            tracing::warn!("what was filled in for the program of an MCP server cannot be read: {error:?}");
            McpFailure::NoValues
        })?;
        let values = match sealed {
            Some(sealed) => Values::opened(&sealed).map_err(|_| McpFailure::NoValues)?,
            None => Values::default(),
        };
        let McpProgram { name, words, hosts, .. } = program;
        Ok(Program { name, words, hosts, values })
    }
}

/// What administrators allow.
#[derive(Clone, Copy, Debug)]
pub struct AllowedMcpPrograms<'a> {
    admin: Admin<'a>,
}

impl<'a> Admin<'a> {
    pub fn mcp_programs(&self) -> AllowedMcpPrograms<'a> {
        AllowedMcpPrograms { admin: *self }
    }
}

impl AllowedMcpPrograms<'_> {
    /// Allows a program by its command line, which no shell reads. `hosts` are what it may reach, `variables` the names
    /// of what whoever adds it fills in.
    pub async fn allow(self, name: &str, line: &str, hosts: &str, variables: &str) -> Result<McpProgram> {
        let hub = self.admin.hub;
        let program = McpProgram {
            name: checked_name(name)?.to_owned(),
            words: command_line::words(line)?,
            hosts: network::hosts(hosts.lines())?,
            variables: checked_variables(variables)?,
        };
        let mut tx = hub.store().write().await?;
        let existing = list(&mut *tx).await?;
        if existing.len() >= MOST_PROGRAMS {
            return Err(Error::Limit(format!("There are {MOST_PROGRAMS} programs. Remove one first.")));
        }
        if existing.iter().any(|other| other.name == program.name) {
            let name = &program.name;
            return Err(Error::Conflict(format!(
                "There is a program {name} already. Remove it first, or take another name."
            )));
        }
        query(
            "INSERT INTO mcp_programs (name, words, hosts, variables, created_at) VALUES ($1, $2, $3, $4, $5)",
            (&program.name, Json(&program.words), Json(&program.hosts), Json(&program.variables), hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::McpProgramAllowed, self.admin.viewer)
            .about_nobody()
            .object(&name_and(&program));
        hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(program)
    }

    /// Those that run as it are ended, and nobody's is started any more. Servers that people added stay, and say so.
    pub async fn forbid(self, name: &str) -> Result<()> {
        let hub = self.admin.hub;
        let mut tx = hub.store().write().await?;
        let removed = query("DELETE FROM mcp_programs WHERE name = $1", (name,)).execute(&mut *tx).await?;
        if removed == 0 {
            return Err(Error::NotFound("program"));
        }
        let line = AuditEvent::done(AuditAction::McpProgramForbidden, self.admin.viewer).about_nobody();
        hub.audit().note(&mut tx, line.object(name)).await?;
        tx.commit().await?;
        hub.0.mcp_servers.processes.end_all_of(name);
        Ok(())
    }
}

/// For the audit: what could be started, and what that could reach.
fn name_and(program: &McpProgram) -> String {
    let McpProgram { name, words, hosts, .. } = program;
    let reached = if hosts.is_empty() { "nothing".to_owned() } else { hosts.join(", ") };
    let words = serde_json::json!(words);
    let object = format!("{name}: {words}, reaching {reached}");
    object.chars().take(500).collect()
}

fn checked_name(name: &str) -> Result<&str> {
    let name = name.trim();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    if !begins || name.len() > LONGEST_NAME || !name.bytes().all(is_letter) {
        return Err(Error::invalid(format!(
            "The name of a program has small letters, digits and hyphens, a letter first, and at most {LONGEST_NAME} of \
             them."
        )));
    }
    Ok(name)
}

/// One on each line, or between spaces.
fn checked_variables(names: &str) -> Result<Vec<String>> {
    let names: BTreeSet<&str> = names.split_whitespace().collect();
    if names.len() > MOST_VARIABLES {
        return Err(Error::invalid(format!("A program has at most {MOST_VARIABLES} variables.")));
    }
    for name in &names {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let begins = name.as_bytes().first().is_some_and(|first| !first.is_ascii_digit());
        if !begins || name.len() > LONGEST_NAME || !name.bytes().all(is_letter) {
            return Err(Error::invalid(
                "The name of a variable has letters, digits and underscores, and no digit first, like GITHUB_TOKEN.",
            ));
        }
        let upper = name.to_ascii_uppercase();
        let is_loader =
            LOADERS.contains(&upper.as_str()) || LOADERS_BEGIN.iter().any(|begin| upper.starts_with(begin));
        if is_own_variable(name) || is_loader {
            return Err(Error::invalid(format!(
                "The variable {name} is not one to fill in: it says what a program loads, or how it reaches others."
            )));
        }
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

/// The address of a server that is this program.
fn address_of(program: &McpProgram) -> String {
    format!("{STDIO}{}", program.name)
}

/// What a person filled in for a server that is this program, by their names.
fn checked_values(program: &McpProgram, given: &[McpVariable]) -> Result<Values> {
    let mut values = Values::default();
    for variable in given.iter().filter(|variable| !variable.value.is_empty()) {
        if !program.variables.contains(&variable.name) {
            let name = &program.name;
            return Err(Error::invalid(format!("The program {name} has no such variable.")));
        }
        values.add(&variable.name, &variable.value)?;
    }
    Ok(values)
}

/// Fails unless the server is a program.
fn require_program(server: &McpServerView) -> Result<&str> {
    named(&server.url).ok_or_else(|| Error::invalid("This server is at an address, and has no variables."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_fills_in_loads_nothing_and_changes_no_way_out() {
        for (names, expected) in [
            ("", Some(vec![])),
            ("GITHUB_TOKEN\n  api_key GITHUB_TOKEN\n", Some(vec!["GITHUB_TOKEN", "api_key"])),
            ("2KEY", None),
            ("A-B", None),
            ("LD_PRELOAD", None),
            ("ld_preload", None),
            ("NODE_OPTIONS", None),
            ("PATH", None),
            ("HTTPS_PROXY", None),
            ("no_proxy", None),
            ("npm_config_registry", None),
        ] {
            let names_of = checked_variables(names).ok();
            let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(names_of, expected, "{names:?}");
        }
    }

    #[test]
    fn what_is_sealed_for_a_program_is_for_its_words_and_hosts() {
        let program = |words: &[&str], hosts: &[&str]| McpProgram {
            name: "garden".to_owned(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
            variables: Vec::new(),
        };
        let of = sealed_for(&program(&["a", "b"], &[]));
        for other in
            [program(&["a b"], &[]), program(&["a", "b"], &["moss.example"]), program(&["a"], &["b"])]
        {
            assert_ne!(sealed_for(&other), of, "{other:?}");
        }
        assert_eq!(
            sealed_for(&McpProgram { variables: vec!["KEY".to_owned()], ..program(&["a", "b"], &[]) }),
            of
        );
    }
}
