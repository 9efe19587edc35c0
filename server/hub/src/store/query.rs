//! A statement with its values: one text for both databases, written where it is needed.

use super::row::{FromRow, Row};
use super::slow::Watch;
use super::values::Values;
use crate::error::Result;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use sqlx::any::AnyArguments;
use sqlx::error::BoxDynError;
use sqlx::{Any, AssertSqlSafe, Executor, SqlSafeStr, SqlStr};

/// A statement that has its values. `$1` is the first of them.
pub(crate) fn query(text: impl Text, values: impl Values) -> Query {
    let mut arguments = AnyArguments::default();
    let arguments = values.add_to(&mut arguments).map(|()| arguments);
    Query { text: text.into_sql(), arguments }
}

#[must_use]
pub(crate) struct Query {
    text: SqlStr,
    arguments: std::result::Result<AnyArguments, BoxDynError>,
}

impl Query {
    /// How many rows it wrote.
    pub(crate) async fn execute(self, db: impl Executor<'_, Database = Any>) -> Result<u64> {
        let _watch = Watch::over(&self.text);
        Ok(self.prepare()?.execute(db).await?.rows_affected())
    }

    /// Fails if there is none.
    pub(crate) async fn fetch_one<T: FromRow>(self, db: impl Executor<'_, Database = Any>) -> Result<T> {
        let _watch = Watch::over(&self.text);
        T::from_row(&Row(self.prepare()?.fetch_one(db).await?))
    }

    pub(crate) async fn fetch_optional<T: FromRow>(
        self,
        db: impl Executor<'_, Database = Any>,
    ) -> Result<Option<T>> {
        let _watch = Watch::over(&self.text);
        self.prepare()?.fetch_optional(db).await?.map(|row| T::from_row(&Row(row))).transpose()
    }

    pub(crate) async fn fetch_all<T: FromRow>(self, db: impl Executor<'_, Database = Any>) -> Result<Vec<T>> {
        let _watch = Watch::over(&self.text);
        self.prepare()?.fetch_all(db).await?.into_iter().map(|row| T::from_row(&Row(row))).collect()
    }

    /// One after the other, for more than should be in memory.
    pub(crate) fn fetch<'e, T: FromRow + 'e>(
        self,
        db: impl Executor<'e, Database = Any> + 'e,
    ) -> Result<BoxStream<'e, Result<T>>> {
        Ok(self.prepare()?.fetch(db).map(|row| T::from_row(&Row(row?))).boxed())
    }

    /// Whether there is such a row.
    pub(crate) async fn exists(self, db: impl Executor<'_, Database = Any>) -> Result<bool> {
        let _watch = Watch::over(&self.text);
        Ok(self.prepare()?.fetch_optional(db).await?.is_some())
    }

    fn prepare(self) -> Result<sqlx::query::Query<'static, Any, AnyArguments>> {
        let arguments = self.arguments.map_err(sqlx::Error::Encode)?;
        Ok(sqlx::query_with(self.text, arguments))
    }
}

/// Text that the program holds, and nobody sent: one literal, or several with a space between them where
/// statements share a part.
pub(crate) trait Text {
    fn into_sql(self) -> SqlStr;
}

impl Text for &'static str {
    fn into_sql(self) -> SqlStr {
        SqlStr::from_static(self)
    }
}

impl<const PARTS: usize> Text for [&'static str; PARTS] {
    fn into_sql(self) -> SqlStr {
        AssertSqlSafe(self.join(" ")).into_sql_str()
    }
}

/// Text that the program makes from nothing that was sent, with as many numbers as there are values.
impl Text for AssertSqlSafe<String> {
    fn into_sql(self) -> SqlStr {
        self.into_sql_str()
    }
}
