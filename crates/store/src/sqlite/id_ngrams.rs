//! Search for orders and users by a part of their id. SQLite has an index of the 4-grams of the ids. A worker fills it in
//! batches, because indexing each id on insert would take a tenth of the time of an order. Ids that are not indexed yet
//! are scanned.
//!
//! PostgreSQL has `trigram_indexes` instead.

use mirasa_app::repository::{StoreError, StoreResult};

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

const NGRAM_LENGTH: usize = 4;

/// Rows that are indexed in one transaction. Other writes wait for it.
const INDEX_BATCH: i64 = 500;

/// The index is used only if it finds at most this number of ids.
pub const MAX_CANDIDATES: usize = 500;

#[derive(Debug, Clone, Copy)]
pub enum IndexedTable {
    Orders,
    Users,
}

impl IndexedTable {
    const fn table(self) -> &'static str {
        match self {
            IndexedTable::Orders => "orders",
            IndexedTable::Users => "users",
        }
    }
}

row! {
    struct NewRow {
        row: i64,
        id: String,
    }
}

/// One lower-case letter or digit for each character, `x` for all others. The index contains nothing else.
fn normalise(text: &str) -> Vec<char> {
    let normal = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            'x'
        }
    };
    text.chars().map(normal).collect()
}

fn ngrams(id: &str) -> String {
    let parts: Vec<String> = normalise(id)
        .windows(NGRAM_LENGTH)
        .map(|part| part.iter().collect())
        .collect();
    parts.join(" ")
}

/// The query of the index for ids with all 4-grams of the part. None if the part is too short.
fn match_expression(part: &str) -> Option<String> {
    let chars = normalise(part);
    if chars.len() + 1 == NGRAM_LENGTH {
        let start: String = chars.iter().collect();
        return Some(format!("\"{start}\"*"));
    }
    let parts: Vec<String> = chars
        .windows(NGRAM_LENGTH)
        .map(|part| format!("\"{}\"", part.iter().collect::<String>()))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

impl SqlRepository<'_> {
    /// Enters what is new. Whether there may be more.
    pub(crate) async fn index_batch(&mut self, ids: IndexedTable) -> StoreResult<bool> {
        if self.is_postgres() {
            return Ok(false);
        }
        let table = ids.table();
        let new = format!(
            "select rowid as row, id from {table} where rowid > (select up_to from id_parts_filled where name = '{table}')
             order by rowid limit {INDEX_BATCH}"
        );
        let new: Vec<NewRow> = self.fetch_all(query(new)).await?;
        let Some(last) = new.last().map(|new| new.row) else {
            return Ok(false);
        };
        let entries: Vec<_> = new.iter().map(|new| (new.row, ngrams(&new.id))).collect();
        let entries =
            serde_json::to_string(&entries).map_err(|error| StoreError::Broken(error.into()))?;
        let insert = format!(
            "insert into {table}_id_parts (rowid, parts) select value ->> 0, value ->> 1 from json_each($1)"
        );
        self.execute(query(insert).bind(entries)).await?;
        let filled = "update id_parts_filled set up_to = $1 where name = $2";
        self.execute(query(filled).bind(last).bind(table)).await?;
        Ok(new.len() as i64 == INDEX_BATCH)
    }

    /// The ids that contain this part, if an index finds at most `MAX_CANDIDATES`. None if there are more, in which case
    /// a scan in list order is as fast, or if there is no index. For SQLite.
    pub(crate) async fn find_by_fragment(
        &mut self,
        ids: IndexedTable,
        part: &str,
    ) -> StoreResult<Option<Vec<String>>> {
        let table = ids.table();
        let limit = MAX_CANDIDATES + 1;
        let found = match match_expression(part) {
            Some(expression) => {
                let text = format!(
                    "select t.id from {table}_id_parts p join {table} t on t.rowid = p.rowid
                     where {table}_id_parts match $1 and instr(t.id, $2) > 0
                     union all select id from {table} where instr(id, $2) > 0
                     and rowid > (select up_to from id_parts_filled where name = '{table}') limit {limit}"
                );
                self.fetch_all::<String>(query(text).bind(expression).bind(part))
                    .await?
            }
            // There are far fewer users than orders, and orders have an index by user.
            _ if matches!(ids, IndexedTable::Users) => {
                let text = format!("select id from users where instr(id, $1) > 0 limit {limit}");
                self.fetch_all::<String>(query(text).bind(part)).await?
            }
            _ => return Ok(None),
        };
        Ok((found.len() <= MAX_CANDIDATES).then_some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_expression_finds_the_ngrams_of_an_id() {
        assert_eq!(ngrams("019a-7F"), "019a 19ax 9ax7 ax7f");
        assert_eq!(ngrams("abc"), "");
        assert_eq!(match_expression("9A-7").as_deref(), Some("\"9ax7\""));
        assert_eq!(
            match_expression("019a-").as_deref(),
            Some("\"019a\" AND \"19ax\"")
        );
        assert_eq!(match_expression("bee").as_deref(), Some("\"bee\"*"));
        assert_eq!(match_expression("be"), None);
        assert_eq!(
            match_expression("\"*नमस्ते").as_deref(),
            Some("\"xxxx\" AND \"xxxx\" AND \"xxxx\" AND \"xxxx\" AND \"xxxx\"")
        );
    }
}
