//! Where the two databases differ.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// The database's own name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    /// What makes the full-text index beside `search_documents`, if it is not there yet. Words come as they are to
    /// be found, with a space between them.
    pub(crate) fn full_text(self) -> &'static [&'static str] {
        match self {
            // Its rows are named by `number`, and go with those of the table.
            Self::Sqlite => &[
                "CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING fts5(
                     words, content='', contentless_delete=1, detail=none, tokenize='ascii')",
                "CREATE TRIGGER IF NOT EXISTS search_documents_gone AFTER DELETE ON search_documents
                 BEGIN DELETE FROM search_index WHERE rowid = old.number; END",
            ],
            Self::Postgres => &[
                "ALTER TABLE search_documents ADD COLUMN IF NOT EXISTS words tsvector",
                "CREATE INDEX IF NOT EXISTS search_documents_words ON search_documents USING gin (words)",
            ],
        }
    }
}
