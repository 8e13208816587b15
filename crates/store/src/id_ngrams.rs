//! Orders and people by a part of their id, among very many. SQLite keeps an index of all four characters in a row
//! that the ids have; it is filled behind the shoppers' backs, many rows at once, because one by one would cost each
//! order a tenth of its time. What is not in it yet is looked through.
//!
//! PostgreSQL has no such index that every shop may install; there, all ids are looked through.

use mirasa_app::repository::{StoreError, StoreResult};

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

/// Characters of one part.
const NGRAM_LENGTH: usize = 4;

/// So many rows are entered at once; writers wait that long.
const INDEX_BATCH: i64 = 500;

/// So many are few among a hundred thousand.
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

/// Letters and digits, one for each character: what the index knows of any text.
fn normalise(text: &str) -> Vec<char> {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            'x'
        }
    };
    text.chars().map(plain).collect()
}

fn ngrams(id: &str) -> String {
    let parts: Vec<String> = normalise(id)
        .windows(NGRAM_LENGTH)
        .map(|part| part.iter().collect())
        .collect();
    parts.join(" ")
}

/// What to ask the index for: ids with all of these parts. Too short a text says nothing.
fn match_expression(part: &str) -> Option<String> {
    let plain = normalise(part);
    if plain.len() + 1 == NGRAM_LENGTH {
        let start: String = plain.iter().collect();
        return Some(format!("\"{start}\"*"));
    }
    let parts: Vec<String> = plain
        .windows(NGRAM_LENGTH)
        .map(|part| format!("\"{}\"", part.iter().collect::<String>()))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

impl SqlRepository<'_> {
    /// Enters what is new. Whether there may be more.
    pub(crate) async fn fill_id_parts(&mut self, ids: IndexedTable) -> StoreResult<bool> {
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
        let enter = format!(
            "insert into {table}_id_parts (rowid, parts) select value ->> 0, value ->> 1 from json_each($1)"
        );
        self.execute(query(enter).bind(entries)).await?;
        let filled = "update id_parts_filled set up_to = $1 where name = $2";
        self.execute(query(filled).bind(last).bind(table)).await?;
        Ok(new.len() as i64 == INDEX_BATCH)
    }

    /// The ids with this part, if an index tells that there are few. None if there are many, and looking through
    /// them in their order is no worse, or if only looking can tell.
    pub(crate) async fn find_by_fragment(
        &mut self,
        ids: IndexedTable,
        part: &str,
    ) -> StoreResult<Option<Vec<String>>> {
        let table = ids.table();
        let few = MAX_CANDIDATES + 1;
        let found = match match_expression(part) {
            Some(having) if !self.is_postgres() => {
                let text = format!(
                    "select t.id from {table}_id_parts p join {table} t on t.rowid = p.rowid
                     where {table}_id_parts match $1 and instr(t.id, $2) > 0
                     union all select id from {table} where instr(id, $2) > 0
                     and rowid > (select up_to from id_parts_filled where name = '{table}') limit {few}"
                );
                self.fetch_all::<String>(query(text).bind(having).bind(part))
                    .await?
            }
            // There are far fewer people than orders, and an index leads from them to theirs.
            _ if matches!(ids, IndexedTable::Users) => {
                let contains = self.position_fn();
                let text = format!("select id from users where {contains}(id, $1) > 0 limit {few}");
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
    fn ids_are_cut_into_parts_and_asked_for_by_them() {
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
