//! Orders and people by a part of their id, among very many. SQLite keeps an index of all four characters in a row
//! that the ids have; it is filled behind the shoppers' backs, many rows at once, because one by one would cost each
//! order a tenth of its time. What is not in it yet is looked through.
//!
//! PostgreSQL has no such index that every shop may install; there, all ids are looked through.

use mirasa_app::ports::storage::{StoreError, StoreResult};

use crate::engine::Session;
use crate::query::query;
use crate::row::row;

/// Characters of one part.
const LONG: usize = 4;
/// So many rows are entered at once; writers wait that long.
const TOGETHER: i64 = 500;
/// So many are few among a hundred thousand.
pub const FEW: usize = 500;

#[derive(Debug, Clone, Copy)]
pub enum Ids {
    Orders,
    Users,
}

impl Ids {
    const fn table(self) -> &'static str {
        match self {
            Ids::Orders => "orders",
            Ids::Users => "users",
        }
    }
}

row! {
    struct NewRow {
        row: i64,
        id: String,
    }
}

impl Session<'_> {
    /// Enters what is new. Whether there may be more.
    pub(crate) async fn fill_id_parts(&mut self, ids: Ids) -> StoreResult<bool> {
        if self.is_postgres() {
            return Ok(false);
        }
        let table = ids.table();
        let new = format!(
            "select rowid as row, id from {table} where rowid > (select up_to from id_parts_filled where name = '{table}')
             order by rowid limit {TOGETHER}"
        );
        let new: Vec<NewRow> = self.all(query(new)).await?;
        let Some(last) = new.last().map(|new| new.row) else {
            return Ok(false);
        };
        let entries: Vec<_> = new.iter().map(|new| (new.row, parts(&new.id))).collect();
        let entries =
            serde_json::to_string(&entries).map_err(|error| StoreError::Broken(error.into()))?;
        let enter = format!(
            "insert into {table}_id_parts (rowid, parts) select value ->> 0, value ->> 1 from json_each($1)"
        );
        self.run(query(enter).bind(entries)).await?;
        let filled = "update id_parts_filled set up_to = $1 where name = $2";
        self.run(query(filled).bind(last).bind(table)).await?;
        Ok(new.len() as i64 == TOGETHER)
    }

    /// The ids with this part, if an index tells that there are few. None if there are many, and looking through
    /// them in their order is no worse, or if only looking can tell.
    pub(crate) async fn few_with_part(
        &mut self,
        ids: Ids,
        part: &str,
    ) -> StoreResult<Option<Vec<String>>> {
        let table = ids.table();
        let few = FEW + 1;
        let found = match having(part) {
            Some(having) if !self.is_postgres() => {
                let text = format!(
                    "select t.id from {table}_id_parts p join {table} t on t.rowid = p.rowid
                     where {table}_id_parts match $1 and instr(t.id, $2) > 0
                     union all select id from {table} where instr(id, $2) > 0
                     and rowid > (select up_to from id_parts_filled where name = '{table}') limit {few}"
                );
                self.all::<String>(query(text).bind(having).bind(part))
                    .await?
            }
            // There are far fewer people than orders, and an index leads from them to theirs.
            _ if matches!(ids, Ids::Users) => {
                let contains = self.contains();
                let text = format!("select id from users where {contains}(id, $1) > 0 limit {few}");
                self.all::<String>(query(text).bind(part)).await?
            }
            _ => return Ok(None),
        };
        Ok((found.len() <= FEW).then_some(found))
    }
}

/// Letters and digits, one for each character: what the index knows of any text.
fn plain(text: &str) -> Vec<char> {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            'x'
        }
    };
    text.chars().map(plain).collect()
}

fn parts(id: &str) -> String {
    let parts: Vec<String> = plain(id)
        .windows(LONG)
        .map(|part| part.iter().collect())
        .collect();
    parts.join(" ")
}

/// What to ask the index for: ids with all of these parts. Too short a text says nothing.
fn having(part: &str) -> Option<String> {
    let plain = plain(part);
    if plain.len() + 1 == LONG {
        let start: String = plain.iter().collect();
        return Some(format!("\"{start}\"*"));
    }
    let parts: Vec<String> = plain
        .windows(LONG)
        .map(|part| format!("\"{}\"", part.iter().collect::<String>()))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_cut_into_parts_and_asked_for_by_them() {
        assert_eq!(parts("019a-7F"), "019a 19ax 9ax7 ax7f");
        assert_eq!(parts("abc"), "");
        assert_eq!(having("9A-7").as_deref(), Some("\"9ax7\""));
        assert_eq!(having("019a-").as_deref(), Some("\"019a\" AND \"19ax\""));
        assert_eq!(having("bee").as_deref(), Some("\"bee\"*"));
        assert_eq!(having("be"), None);
        assert_eq!(
            having("\"*नमस्ते").as_deref(),
            Some("\"xxxx\" AND \"xxxx\" AND \"xxxx\" AND \"xxxx\" AND \"xxxx\"")
        );
    }
}
