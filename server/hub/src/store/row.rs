//! What a statement returns.

use super::column::FromColumn;
use crate::error::Result;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use sqlx::{ColumnIndex, Error};

#[derive(Clone)]
pub(crate) struct Row(pub(super) AnyRow);

impl Row {
    /// Fails if there is no such column, or what it holds is no `T`. By name, or by position from 0.
    pub(crate) fn get<T: FromColumn>(&self, column: impl ColumnIndex<AnyRow>) -> Result<T> {
        let stored = self.0.try_get::<T::Stored, _>(&column)?;
        let wrong = |source| Error::ColumnDecode { index: format!("{column:?}"), source };
        Ok(T::from_stored(stored).map_err(wrong)?)
    }

    /// Of a text, in bytes.
    pub(crate) fn len(&self, column: &str) -> Result<usize> {
        Ok(self.0.try_get::<&str, _>(column)?.len())
    }
}

/// What is read from a row: a single column, a tuple of columns by position, or a struct that reads each by name.
pub(crate) trait FromRow: Sized {
    fn from_row(row: &Row) -> Result<Self>;
}

impl FromRow for Row {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(row.clone())
    }
}

impl<T: FromColumn> FromRow for T {
    fn from_row(row: &Row) -> Result<Self> {
        row.get(0)
    }
}
