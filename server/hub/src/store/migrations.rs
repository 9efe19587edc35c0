//! The migrations that this program has, as its build found them.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use std::sync::LazyLock;

/// Number, name, text.
const FILES: &[(i64, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let migrations = FILES.iter().map(|&(number, name, text)| {
        Migration::new(number, name.into(), MigrationType::Simple, SqlStr::from_static(text), false)
    });
    Migrator::with_migrations(migrations.collect())
});
