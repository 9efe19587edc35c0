//! What was spent, as comma-separated values for spreadsheets.

use super::super::day;
use super::read::Read;
use crate::error::Result;
use crate::ledger::{OwnLedger, WholeLedger};
use crate::store::{name_of, query};
use protocol::Micros;
use protocol::view::UsageLine;

/// Days that a sheet has at most.
pub(super) const SHEET_DAYS: i64 = 366;

impl OwnLedger<'_> {
    /// The last year of one's own, a line for each day, agent, provider, model and kind of call.
    pub async fn usage_sheet(self) -> Result<String> {
        let rows: Vec<Read> = query(
            "SELECT s.day, s.model, s.kind, s.provider_id, COALESCE(p.name, '') AS provider,
                    COALESCE(a.name, '') AS name, s.agent_id AS id, s.token_id,
                    COALESCE(t.name, '') AS token,
                    s.calls, s.unpriced, s.input_tokens, s.output_tokens, s.cost
             FROM spending s LEFT JOIN agents a ON a.id = s.agent_id
                             LEFT JOIN tokens t ON t.id = s.token_id
                             LEFT JOIN providers p ON p.id = s.provider_id
             WHERE s.user_id = $1 AND s.day >= $2 ORDER BY s.day, name, s.model, provider, s.kind",
            (self.scoped.owner(), day::before(self.scoped.hub.now(), SHEET_DAYS - 1)),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let mut sheet = Sheet::of(
            "day,agent,agent_id,model,calls,calls_without_price,input_tokens,output_tokens,cost_usd,provider,kind,token,token_id",
        );
        for read in rows {
            let token = [quoted(&read.token), read.token_id.clone()];
            sheet.line(fields(read)?.into_iter().chain(token));
        }
        Ok(sheet.text())
    }
}

impl WholeLedger<'_> {
    /// The last year of everybody, a line for each day, person, provider, model and kind of call. What people
    /// call providers of their own is theirs: only those that are shared have a name here.
    pub async fn usage_sheet(self) -> Result<String> {
        let rows: Vec<Read> = query(
            "SELECT s.day, s.model, s.kind, COALESCE(p.id, '') AS provider_id,
                    COALESCE(p.name, '') AS provider,
                    u.name, s.user_id AS id, '' AS token_id, '' AS token,
                    CAST(SUM(s.calls) AS BIGINT) AS calls,
                    CAST(SUM(s.unpriced) AS BIGINT) AS unpriced,
                    CAST(SUM(s.input_tokens) AS BIGINT) AS input_tokens,
                    CAST(SUM(s.output_tokens) AS BIGINT) AS output_tokens,
                    CAST(SUM(s.cost) AS BIGINT) AS cost
             FROM spending s JOIN users u ON u.id = s.user_id
                             LEFT JOIN shared_providers h ON h.provider_id = s.provider_id
                             LEFT JOIN providers p ON p.id = h.provider_id
             WHERE s.day >= $1 GROUP BY s.day, s.user_id, u.name, s.model, p.id, p.name, s.kind
             ORDER BY s.day, u.name, s.user_id, s.model, provider, s.kind",
            (day::before(self.hub.now(), SHEET_DAYS - 1),),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut sheet = Sheet::of(
            "day,person,person_id,model,calls,calls_without_price,input_tokens,output_tokens,cost_usd,provider,kind",
        );
        for read in rows {
            sheet.line(fields(read)?);
        }
        Ok(sheet.text())
    }
}

/// Lines of comma-separated values.
pub(super) struct Sheet(String);

impl Sheet {
    pub(super) fn of(columns: &str) -> Self {
        Self(format!("{columns}\n"))
    }

    pub(super) fn line(&mut self, fields: impl IntoIterator<Item = String>) {
        for (place, field) in fields.into_iter().enumerate() {
            if place > 0 {
                self.0.push(',');
            }
            self.0.push_str(&field);
        }
        self.0.push('\n');
    }

    pub(super) fn text(self) -> String {
        self.0
    }
}

fn fields(read: Read) -> Result<[String; 11]> {
    let Read { day, name, id, model, kind, provider, line, token: _, token_id: _, provider_id: _ } = read;
    let UsageLine { name: _, calls, unpriced, input_tokens, output_tokens, cost } = line;
    Ok([
        day,
        quoted(&name),
        id,
        quoted(&model),
        calls.to_string(),
        unpriced.to_string(),
        input_tokens.to_string(),
        output_tokens.to_string(),
        dollars(cost),
        quoted(&provider),
        name_of(&kind)?,
    ])
}

/// A text as a field. One that a spreadsheet would take for a formula is kept from being one.
pub(super) fn quoted(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

fn dollars(Micros(micros): Micros) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_never_a_formula() {
        for (text, expected) in [
            ("Ada", "\"Ada\""),
            ("=1+1", "\"'=1+1\""),
            ("a \"b\", c", "\"a \"\"b\"\", c\""),
            ("@x", "\"'@x\""),
        ] {
            assert_eq!(quoted(text), expected);
        }
        assert_eq!(dollars(Micros(1_000_001)), "1.000001");
    }
}
