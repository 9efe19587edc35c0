//! What was spent, for people to look at and for spreadsheets.

use super::day;
use super::spending::{kind_from, kind_text};
use crate::Hub;
use crate::access::{Admin, Scoped};
use crate::error::Result;
use crate::store::Row;
use protocol::Micros;
use protocol::view::{CallKind, UsageDay, UsageLine, UsageOfKind, UsageView};
use sqlx::Row as _;
use std::collections::BTreeMap;

/// Days that a usage page looks back, today included.
const DAYS: i64 = 30;
/// Days that a spreadsheet has at most.
const SHEET_DAYS: i64 = 366;

impl Scoped<'_> {
    /// Of the last thirty days, what the person's agents used.
    pub async fn usage(&self) -> Result<UsageView> {
        let since = day::before(self.hub.now(), DAYS - 1);
        let rows = sqlx::query(
            "SELECT s.day, s.model, s.kind, s.provider_id, COALESCE(p.name, '') AS provider,
                    COALESCE(a.name, '') AS name, s.agent_id AS id, s.token_id, COALESCE(t.name, '') AS token,
                    s.calls, s.unpriced, s.input_tokens, s.output_tokens, s.cost
             FROM spending s LEFT JOIN agents a ON a.id = s.agent_id
                             LEFT JOIN tokens t ON t.id = s.token_id
                             LEFT JOIN providers p ON p.id = s.provider_id
             WHERE s.user_id = $1 AND s.day >= $2",
        )
        .bind(self.owner())
        .bind(&since)
        .fetch_all(self.hub.store.read())
        .await?;
        view(self.hub, &rows)
    }

    /// The last year as comma-separated values, a line for each day, agent, provider, model and kind of
    /// call.
    pub async fn usage_sheet(&self) -> Result<String> {
        let since = day::before(self.hub.now(), SHEET_DAYS - 1);
        let rows = sqlx::query(
            "SELECT s.day, s.model, s.kind, s.provider_id, COALESCE(p.name, '') AS provider,
                    COALESCE(a.name, '') AS name, s.agent_id AS id, s.token_id, COALESCE(t.name, '') AS token,
                    s.calls, s.unpriced, s.input_tokens, s.output_tokens, s.cost
             FROM spending s LEFT JOIN agents a ON a.id = s.agent_id
                             LEFT JOIN tokens t ON t.id = s.token_id
                             LEFT JOIN providers p ON p.id = s.provider_id
             WHERE s.user_id = $1 AND s.day >= $2 ORDER BY s.day, name, s.model, provider, s.kind",
        )
        .bind(self.owner())
        .bind(&since)
        .fetch_all(self.hub.store.read())
        .await?;
        let mut sheet =
            "day,agent,agent_id,model,calls,calls_without_price,input_tokens,output_tokens,cost_usd,provider,kind,token,token_id\n"
                .to_owned();
        for row in &rows {
            let Read { day, name, id, token, token_id, model, kind, provider, line, .. } = read(row)?;
            let fields = [
                day,
                quoted(&name),
                id,
                quoted(&model),
                line.calls.to_string(),
                line.unpriced.to_string(),
                line.input_tokens.to_string(),
                line.output_tokens.to_string(),
                dollars(line.cost),
                quoted(&provider),
                kind_text(kind).to_owned(),
                quoted(&token),
                token_id,
            ];
            sheet.push_str(&fields.join(","));
            sheet.push('\n');
        }
        Ok(sheet)
    }
}

impl Admin<'_> {
    /// The same for everybody; the lines of `agents` are people. What people call providers of their own is
    /// theirs: only those that are shared have a name here.
    pub async fn usage(&self) -> Result<UsageView> {
        let since = day::before(self.hub.now(), DAYS - 1);
        let rows = sqlx::query(
            "SELECT s.day, s.model, s.kind, COALESCE(p.id, '') AS provider_id, COALESCE(p.name, '') AS provider, u.name,
                    s.user_id AS id, '' AS token_id, '' AS token, s.calls, s.unpriced, s.input_tokens, s.output_tokens, s.cost
             FROM spending s JOIN users u ON u.id = s.user_id
                             LEFT JOIN shared_providers h ON h.provider_id = s.provider_id
                             LEFT JOIN providers p ON p.id = h.provider_id WHERE s.day >= $1",
        )
        .bind(&since)
        .fetch_all(self.hub.store.read())
        .await?;
        view(self.hub, &rows)
    }
}

struct Read {
    day: String,
    id: String,
    name: String,
    model: String,
    kind: CallKind,
    token_id: String,
    token: String,
    provider_id: String,
    provider: String,
    line: UsageLine,
}

fn read(row: &Row) -> Result<Read> {
    let count =
        |column: &str| Ok::<_, sqlx::Error>(u64::try_from(row.try_get::<i64, _>(column)?).unwrap_or(0));
    Ok(Read {
        day: row.try_get("day")?,
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        model: row.try_get("model")?,
        kind: kind_from(&row.try_get::<String, _>("kind")?)?,
        token_id: row.try_get("token_id")?,
        token: row.try_get("token")?,
        provider_id: row.try_get("provider_id")?,
        provider: row.try_get("provider")?,
        line: UsageLine {
            name: String::new(),
            calls: count("calls")?,
            unpriced: count("unpriced")?,
            input_tokens: count("input_tokens")?,
            output_tokens: count("output_tokens")?,
            cost: Micros(row.try_get("cost")?),
        },
    })
}

fn view(hub: &Hub, rows: &[Row]) -> Result<UsageView> {
    let mut days: BTreeMap<String, Micros> =
        (0..DAYS).map(|back| (day::before(hub.now(), back), Micros(0))).collect();
    let mut whose: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut programs: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut models: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut providers: BTreeMap<String, UsageLine> = BTreeMap::new();
    let mut kinds: BTreeMap<CallKind, UsageLine> = BTreeMap::new();
    for row in rows {
        let Read { day, id, name, model, kind, token_id, token, provider_id, provider, line } = read(row)?;
        days.entry(day).or_default().0 += line.cost.0;
        if !id.is_empty() {
            add(whose.entry(id).or_insert_with(|| named(&name)), &line);
        }
        if !token_id.is_empty() {
            add(programs.entry(token_id).or_insert_with(|| named(&token)), &line);
        }
        add(providers.entry(provider_id).or_insert_with(|| named(&provider)), &line);
        add(kinds.entry(kind).or_default(), &line);
        add(models.entry(model.clone()).or_insert_with(|| named(&model)), &line);
    }
    Ok(UsageView {
        days: days.into_iter().map(|(day, cost)| UsageDay { day, cost }).collect(),
        agents: most_first(whose),
        programs: most_first(programs),
        models: most_first(models),
        providers: most_first(providers),
        kinds: kinds.into_iter().map(|(kind, line)| UsageOfKind { kind, line }).collect(),
    })
}

fn named(name: &str) -> UsageLine {
    UsageLine { name: name.to_owned(), ..UsageLine::default() }
}

fn add(to: &mut UsageLine, line: &UsageLine) {
    to.calls += line.calls;
    to.unpriced += line.unpriced;
    to.input_tokens += line.input_tokens;
    to.output_tokens += line.output_tokens;
    to.cost.0 += line.cost.0;
}

fn most_first(lines: BTreeMap<String, UsageLine>) -> Vec<UsageLine> {
    let mut lines: Vec<_> = lines.into_values().collect();
    lines.sort_by_key(|line| (std::cmp::Reverse(line.cost), std::cmp::Reverse(line.calls)));
    lines
}

/// A text as a field. One that a spreadsheet would take for a formula is kept from being one.
fn quoted(text: &str) -> String {
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
