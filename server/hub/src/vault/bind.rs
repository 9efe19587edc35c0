//! Secrets that were sealed before it was sealed in for which server they are.

use super::{AssociatedData, SealedRow, Vault};
use crate::error::Result;
use crate::store::{FromRow, Row, Store, query};

impl Vault {
    /// Seals each anew, for the server that `server_of` says of its provider, whose `kind` and `base_url` are
    /// in the row; there are none where it belongs to no provider. What no key opens stays as it is, and
    /// is good for nothing.
    pub(crate) async fn bind(
        &self,
        store: &Store,
        now: i64,
        server_of: impl Fn(&Row) -> Result<String> + Send,
    ) -> Result<()> {
        let mut tx = store.write().await?;
        let rows = query(
            "SELECT s.user_id, s.provider_id, s.purpose, s.key_id, s.sealed_key, s.sealed_value,
                    p.kind, p.base_url
             FROM secrets s LEFT JOIN providers p ON p.id = s.provider_id AND p.user_id = s.user_id
             WHERE s.server IS NULL",
            (),
        )
        .fetch_all::<Row>(&mut *tx)
        .await?;
        for row in &rows {
            let (user, provider, purpose): (String, String, String) =
                (row.get("user_id")?, row.get("provider_id")?, row.get("purpose")?);
            let before = AssociatedData { user: &user, provider: &provider, purpose: &purpose, server: None };
            let Some(secret) = self.open(before, &SealedRow::from_row(row)?) else { continue };
            let server = server_of(row)?;
            self.put(&mut tx, AssociatedData { server: Some(&server), ..before }, &secret, now).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::{Keyring, LostRoot, Secret};
    use tempfile::TempDir;

    #[tokio::test]
    async fn what_was_sealed_before_is_for_the_server_that_it_goes_to_now() {
        let folder = TempDir::new().unwrap();
        let store = Store::open_folder(folder.path()).await.unwrap();
        let vault = Vault::new(Keyring::from_text(&"07".repeat(32)).unwrap());
        vault.adopt_sealing_key(&store, LostRoot::Refused).await.unwrap();
        let mut tx = store.write().await.unwrap();
        query(
            "INSERT INTO users (id, name, login, password_hash, role, created_at)
             VALUES ('ada', 'Ada', 'ada', '', 'member', 0)",
            (),
        )
        .execute(&mut *tx)
        .await
        .unwrap();
        let before = AssociatedData { user: "ada", provider: "p", purpose: "key", server: None };
        vault.put(&mut tx, before, &Secret::new("sk-canary".to_owned()), 0).await.unwrap();
        tx.commit().await.unwrap();
        let server = |server: &'static str| AssociatedData { server: Some(server), ..before };
        for (here, elsewhere) in [("https://a.example", "https://b.example"); 2] {
            assert!(vault.read(&store, server(elsewhere)).await.is_err());
            vault.bind(&store, 1, |_| Ok(here.to_owned())).await.unwrap();
            let secret = vault.read(&store, server(here)).await.unwrap().unwrap();
            assert_eq!(secret.expose(), "sk-canary");
            assert!(vault.read(&store, server(elsewhere)).await.is_err());
            // A second time nothing is bound anew.
            vault.bind(&store, 2, |_| Ok(elsewhere.to_owned())).await.unwrap();
        }
    }
}
