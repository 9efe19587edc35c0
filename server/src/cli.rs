//! The command line: what a person at the machine can do beside a running hub.

use crate::assets;
use crate::config::{self, Config};
use crate::open::{self, open_beside};
use crate::remote;
use crate::site::Site;
use crate::startup_error::StartupError;
use crate::takeout;
use crate::update::Update;
use clap::{Parser, Subcommand};
use protocol::view::Role;
use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Debug, Parser)]
#[command(name = "vivarium", version, about = "A self-hosted home for AI agents that live in web pages.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the hub (what happens without a command).
    Serve,
    /// People.
    User {
        #[command(subcommand)]
        command: UserCommand,
    },
    /// A way in for a person who lost theirs.
    Account {
        #[command(subcommand)]
        command: AccountCommand,
    },
    /// Personal API tokens.
    Token {
        #[command(subcommand)]
        command: TokenCommand,
    },
    /// The master key.
    Key {
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Write all that the hub keeps into one file, also while it runs.
    Backup {
        /// The new file, or a bucket like s3://bucket/prefix.
        #[arg(long)]
        to: PathBuf,
        /// Put the master key in as well, sealed with the passphrase in this file.
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
    },
    /// Look through a backup, and put it where no database is yet.
    Restore {
        /// The file, one in a bucket, or a bucket, whose newest is meant: s3://bucket/prefix.
        file: PathBuf,
        /// Only look through it.
        #[arg(long)]
        check: bool,
        /// Take the master key out of it with the passphrase in this file.
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
    },
    /// Copy the database of a hub that is stopped to another place, from SQLite to PostgreSQL or back.
    Move {
        /// As DATABASE_URL names it; nothing may be there yet.
        #[arg(long)]
        to: String,
    },
    /// Ask an agent of a hub one question, from any machine.
    Ask(remote::Ask),
    /// Start a pipeline of a hub and follow it to its end, from any machine.
    Run(remote::Run),
    /// Look for problems with the data folder, the key, the database and the address.
    Doctor {
        /// Put right what can be: stop the hub first.
        #[arg(long)]
        repair: bool,
    },
    /// Say what is set and where, or all that is wrong with it.
    Config,
    /// Put another program in the place of this one and start the hub with it. If it does not become ready,
    /// everything is as it was.
    Update(Update),
    /// Write a copy of this program that carries the files of its pages, and so runs from any folder.
    Pack {
        /// The new program.
        to: PathBuf,
        /// What `cargo leptos build` made.
        #[arg(long, default_value = "target/site")]
        site: PathBuf,
    },
    /// Perform one command to a page that is not open: the hub starts this for itself.
    #[command(hide = true)]
    Engine,
    /// Become a command of an agent: the hub starts this for itself, in a room.
    #[command(hide = true)]
    Room {
        #[arg(long)]
        session: bool,
        #[arg(long)]
        way_out: bool,
        #[arg(long)]
        shared_user: bool,
        /// The words are a program with its arguments, and no command for a shell.
        #[arg(long)]
        program: bool,
        /// What it may have, if that is not usual.
        #[arg(long)]
        most: Option<hub::terminal::Most>,
        #[arg(required = true, last = true)]
        words: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a person; the first one is the administrator.
    Add {
        name: String,
        /// Read the password from standard input.
        #[arg(long)]
        password_stdin: bool,
        /// Make this person an administrator.
        #[arg(long)]
        admin: bool,
    },
    /// Write everything of a person into a zip file, also while the hub runs. Keys are not in it.
    Export {
        name: String,
        /// The file, which is not there yet.
        to: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Print a link with which a person chooses a new password, within a day.
    ResetPassword { name: String },
    /// Take a person's second factor away: their password is enough then.
    DropSecondFactor { name: String },
}

#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a personal API token and print it: it is not shown again.
    Create {
        /// Whose token it is.
        #[arg(long)]
        user: String,
        /// What it is for.
        #[arg(long, default_value = "command line")]
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Make a new master key and seal everything with it, also while the hub runs.
    Rotate,
    /// Go on with another master key where the right one is lost for good. What was sealed has to be entered
    /// anew. Stop the hub first.
    BeginAnew,
}

pub async fn user(config: &Config, command: UserCommand) -> Result<(), StartupError> {
    let (name, password_stdin, admin) = match command {
        UserCommand::Add { name, password_stdin, admin } => (name, password_stdin, admin),
        UserCommand::Export { name, to } => {
            let bytes = takeout::save(&open_beside(config).await?, &name, &to).await?;
            println!("{} has everything of {name}: {} KB.", to.display(), bytes.div_ceil(1024));
            return Ok(());
        }
    };
    if !password_stdin {
        return Err(StartupError(
            "Pipe the password in and pass --password-stdin, so that no shell history keeps it.".to_owned(),
        ));
    }
    let mut password = String::new();
    std::io::stdin()
        .read_to_string(&mut password)
        .map_err(|error| StartupError(format!("The password cannot be read from standard input: {error}")))?;
    let hub = open_beside(config).await?;
    let role = if admin { Role::Admin } else { Role::Member };
    let me = hub.accounts().add_user(&name, password.trim_end_matches(['\r', '\n']), role).await?;
    let role = match me.role {
        Role::Admin => "administrator",
        Role::Member => "member",
        Role::Guest => "guest",
    };
    println!("Added {} ({role}).", me.name);
    Ok(())
}

pub async fn account(config: &Config, command: AccountCommand) -> Result<(), StartupError> {
    let hub = open_beside(config).await?;
    match command {
        AccountCommand::ResetPassword { name } => {
            let reset = hub.accounts().reset_password_of(&name).await?;
            let door = Site::new(config, config.addr.port()).front_door();
            println!("{door}{}", reset.path);
        }
        AccountCommand::DropSecondFactor { name } => {
            hub.accounts().drop_second_factor_of(&name).await?;
            println!("{} signs in with the password alone now.", name.trim());
        }
    }
    Ok(())
}

pub async fn token(config: &Config, command: TokenCommand) -> Result<(), StartupError> {
    let TokenCommand::Create { user, name } = command;
    let hub = open_beside(config).await?;
    let viewer = hub
        .accounts()
        .viewer_named(&user)
        .await?
        .ok_or_else(|| StartupError(format!("Nobody here is called {user}.")))?;
    let made = hub.for_viewer(&viewer).account().create_token(&name).await?;
    println!("{}", made.token);
    Ok(())
}

pub async fn key(config: &Config, command: KeyCommand) -> Result<(), StartupError> {
    match command {
        KeyCommand::Rotate => {
            let mut rotation = open_beside(config).await?.secrets().rotate_master_key().await?;
            while let Some(step) = rotation.step().await? {
                println!("{step}");
            }
        }
        KeyCommand::BeginAnew => {
            let _claim = open::alone(&open::place(config)?).await?;
            open_beside(config).await?.secrets().begin_anew().await?;
            println!(
                "The hub goes on with this master key. Enter the keys of providers, secrets of webhooks and second factors anew."
            );
        }
    }
    Ok(())
}

pub fn config() -> Result<(), StartupError> {
    print!("{}", config::show());
    Ok(())
}

pub fn pack(site: &Path, to: &Path) -> Result<(), StartupError> {
    let program = env::current_exe()
        .map_err(|error| StartupError(format!("The program does not find itself: {error}.")))?;
    let bytes = assets::pack(&program, site, to)?;
    println!("{} is all of Vivarium: {} MB.", to.display(), bytes.div_ceil(1 << 20));
    Ok(())
}
