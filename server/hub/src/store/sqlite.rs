//! A connection to SQLite whose statements run on the thread that asks for them: handed to a thread of the
//! connection's own and back each would cost two wake-ups, which take several times as long as most statements do.
//! Who has the connection sees to it that what takes long, or waits for the disk, is asked for where nobody else
//! waits for the thread.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, OpenFlags, Row};
use sqlx::any::AnyArguments;
use sqlx::error::{DatabaseError, ErrorKind};
use sqlx::{Any, Execute, SqlStr};
use sqlx_core::any::{AnyColumn, AnyRow, AnyTypeInfo, AnyTypeInfoKind, AnyValue, AnyValueKind};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::error::Error as StdError;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Statements that are kept prepared. The program has about so many.
const MAX_PREPARED: usize = 512;
/// What other processes may take with the file while it is opened.
const OPENING: Duration = Duration::from_secs(5);
/// A statement that took longer is long.
const LONG: Duration = Duration::from_millis(2);
/// Steps of SQLite between two looks at how long a statement takes: some microseconds.
const STEPS: i32 = 1_000;
/// Bytes of values with which a statement is long in any case.
const LARGE: usize = 256 * 1024;

pub(super) struct Sqlite {
    connection: rusqlite::Connection,
    columns: HashMap<String, Columns>,
    /// Texts of statements that were short the last time.
    short: HashSet<String>,
    /// Counts statements.
    statements: u64,
}

/// A text, and what stands for `$1` and those that follow.
pub(super) struct Statement {
    text: SqlStr,
    values: Vec<AnyValueKind>,
}

/// What a statement came to.
pub(super) struct Outcome {
    pub(super) rows: Vec<AnyRow>,
    pub(super) changed: u64,
}

/// What the rows of a statement have in common: one without values.
#[derive(Clone)]
struct Columns(AnyRow);

impl Statement {
    pub(super) fn of<'q>(mut query: impl Execute<'q, Any>) -> Result<Self, sqlx::Error> {
        let arguments = query.take_arguments().map_err(sqlx::Error::Encode)?;
        let values = arguments.map(|arguments| arguments.values.0).unwrap_or_default();
        Ok(Self { text: query.sql(), values })
    }

    pub(super) fn text(&self) -> &str {
        self.text.as_str()
    }

    pub(super) fn into_parts(self) -> (SqlStr, AnyArguments) {
        let mut arguments = AnyArguments::default();
        arguments.values.0 = self.values;
        (self.text, arguments)
    }

    fn is_large(&self) -> bool {
        let bytes = self.values.iter().map(|value| match value {
            AnyValueKind::Text(text) => text.len(),
            AnyValueKind::Blob(bytes) => bytes.len(),
            _ => 0,
        });
        bytes.sum::<usize>() > LARGE
    }
}

/// Until when a statement may run.
#[derive(Debug, Default)]
pub(super) struct Deadline(Arc<Mutex<Option<Instant>>>);

impl Deadline {
    pub(super) fn set(&self, until: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }
}

/// Whether it is that a statement was broken off.
pub(super) fn is_broken_off(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse().ok());
    code == Some(rusqlite::ffi::SQLITE_INTERRUPT)
}

impl std::fmt::Debug for Sqlite {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Sqlite").field("statements", &self.statements).finish_non_exhaustive()
    }
}

impl Sqlite {
    /// Opens a file that is there and up to date.
    pub(super) fn open(file: &Path, pragmas: &[&str]) -> Result<Self, sqlx::Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = rusqlite::Connection::open_with_flags(file, flags)?;
            connection.set_prepared_statement_cache_capacity(MAX_PREPARED);
            connection.busy_timeout(OPENING)?;
            for pragma in pragmas.iter().chain(&["foreign_keys=ON"]) {
                connection.execute_batch(&format!("PRAGMA {pragma}"))?;
            }
            // Whoever asks waits, and not the thread.
            connection.busy_timeout(Duration::ZERO)?;
            Ok(connection)
        };
        let connection = open().map_err(said)?;
        Ok(Self { connection, columns: HashMap::new(), short: HashSet::new(), statements: 0 })
    }

    /// Opens one whose statements are broken off when they take long. For reading: they can be made again elsewhere.
    pub(super) fn open_for_short(file: &Path, pragmas: &[&str]) -> Result<(Self, Deadline), sqlx::Error> {
        let opened = Self::open(file, pragmas)?;
        let deadline = Deadline::default();
        let until = Arc::clone(&deadline.0);
        let is_over = move || {
            let until = *until.lock().unwrap_or_else(PoisonError::into_inner);
            until.is_some_and(|until| Instant::now() > until)
        };
        opened.connection.progress_handler(STEPS, Some(is_over)).map_err(said)?;
        Ok((opened, deadline))
    }

    /// Whether it is better run where nobody else waits for the thread.
    pub(super) fn is_long(&self, statement: &Statement) -> bool {
        !self.short.contains(statement.text.as_str()) || statement.is_large()
    }

    /// Runs it, and gives so many rows at most.
    pub(super) fn run(&mut self, statement: &Statement, most: usize) -> Result<Outcome, sqlx::Error> {
        self.statements += 1;
        let (text, began) = (statement.text.as_str(), Instant::now());
        let mut prepared = self.connection.prepare_cached(text).map_err(said)?;
        bind(&mut prepared, &statement.values).map_err(said)?;
        let columns = match self.columns.get(text) {
            Some(columns) => columns.clone(),
            None => {
                let columns = Columns::of(&prepared);
                if self.columns.len() >= MAX_PREPARED {
                    self.columns.clear();
                }
                self.columns.insert(text.to_owned(), columns.clone());
                columns
            }
        };
        let mut found = Vec::new();
        let mut rows = prepared.raw_query();
        while found.len() < most {
            let Some(row) = rows.next().map_err(said)? else { break };
            found.push(columns.row(row)?);
        }
        drop(rows);
        drop(prepared);
        self.note(text, began.elapsed());
        Ok(Outcome { rows: found, changed: self.connection.changes() })
    }

    fn note(&mut self, text: &str, took: Duration) {
        if took > LONG {
            self.short.remove(text);
        } else if !self.short.contains(text) {
            if self.short.len() >= MAX_PREPARED {
                self.short.clear();
            }
            self.short.insert(text.to_owned());
        }
    }

    /// Runs a statement that is about the transaction.
    pub(super) fn say(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        self.statements += 1;
        self.connection.prepare_cached(statement).and_then(|mut it| it.raw_execute()).map_err(said)?;
        Ok(())
    }

    pub(super) fn file(&self) -> Option<&Path> {
        self.connection.path().map(Path::new)
    }

    pub(super) fn statements(&self) -> u64 {
        self.statements
    }
}

/// SQLite numbers `$1` and the others in the order in which they stand in the text.
fn bind(prepared: &mut CachedStatement<'_>, values: &[AnyValueKind]) -> rusqlite::Result<()> {
    for at in 1..=prepared.parameter_count() {
        let number = prepared.parameter_name(at).and_then(|name| name.get(1..)?.parse().ok()).unwrap_or(at);
        // What is not given is null.
        if let Some(value) = values.get(number - 1) {
            prepared.raw_bind_parameter(at, stored(value))?;
        }
    }
    Ok(())
}

fn stored(value: &AnyValueKind) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(match value {
        AnyValueKind::Bool(value) => ValueRef::Integer(i64::from(*value)),
        AnyValueKind::SmallInt(value) => ValueRef::Integer(i64::from(*value)),
        AnyValueKind::Integer(value) => ValueRef::Integer(i64::from(*value)),
        AnyValueKind::BigInt(value) => ValueRef::Integer(*value),
        AnyValueKind::Real(value) => ValueRef::Real(f64::from(*value)),
        AnyValueKind::Double(value) => ValueRef::Real(*value),
        AnyValueKind::Text(text) => ValueRef::Text(text.as_bytes()),
        AnyValueKind::TextSlice(text) => ValueRef::Text(text.as_bytes()),
        AnyValueKind::Blob(bytes) => ValueRef::Blob(bytes),
        _ => ValueRef::Null,
    })
}

impl Columns {
    fn of(prepared: &CachedStatement<'_>) -> Self {
        let names = prepared.column_names();
        let columns = names.iter().enumerate().map(|(ordinal, name)| {
            // What a value is says the value.
            let type_info = AnyTypeInfo { kind: AnyTypeInfoKind::Null };
            AnyColumn { ordinal, name: (*name).to_owned().into(), type_info }
        });
        let columns: Vec<AnyColumn> = columns.collect();
        let by_name = columns.iter().map(|column| (column.name.clone(), column.ordinal)).collect();
        Self(AnyRow { column_names: Arc::new(by_name), columns, values: Vec::new() })
    }

    fn row(&self, row: &Row<'_>) -> Result<AnyRow, sqlx::Error> {
        let Self(AnyRow { column_names, columns, values: _ }) = self;
        let values = (0..columns.len()).map(|at| value(row, at)).collect::<Result<_, _>>()?;
        Ok(AnyRow { column_names: Arc::clone(column_names), columns: columns.clone(), values })
    }
}

fn value(row: &Row<'_>, at: usize) -> Result<AnyValue, sqlx::Error> {
    let kind = match row.get_ref(at).map_err(said)? {
        ValueRef::Null => AnyValueKind::Null(AnyTypeInfoKind::Null),
        ValueRef::Integer(value) => AnyValueKind::BigInt(value),
        ValueRef::Real(value) => AnyValueKind::Double(value),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).map_err(|error| sqlx::Error::Decode(error.into()))?;
            AnyValueKind::Text(Arc::new(text.to_owned()))
        }
        ValueRef::Blob(bytes) => AnyValueKind::Blob(Arc::new(bytes.to_owned())),
    };
    Ok(AnyValue { kind })
}

/// An error as sqlx has those of SQLite.
#[derive(Debug, Error)]
#[error("(code: {code}) {message}")]
struct SqliteError {
    /// The extended one.
    code: i32,
    message: String,
}

fn said(error: rusqlite::Error) -> sqlx::Error {
    match error {
        rusqlite::Error::SqliteFailure(error, message) => {
            let message = message.unwrap_or_else(|| error.to_string());
            sqlx::Error::Database(Box::new(SqliteError { code: error.extended_code, message }))
        }
        error => sqlx::Error::Decode(error.into()),
    }
}

impl DatabaseError for SqliteError {
    fn message(&self) -> &str {
        &self.message
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.code.to_string().into())
    }

    fn as_error(&self) -> &(dyn StdError + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn StdError + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        match self.code {
            rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE | rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                ErrorKind::UniqueViolation
            }
            rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY => ErrorKind::ForeignKeyViolation,
            rusqlite::ffi::SQLITE_CONSTRAINT_NOTNULL => ErrorKind::NotNullViolation,
            rusqlite::ffi::SQLITE_CONSTRAINT_CHECK => ErrorKind::CheckViolation,
            _ => ErrorKind::Other,
        }
    }
}
