//! Migrations only add. During an update, instances of the previous version run on the tables of the new one.

use std::fs;

/// Earlier migrations were published before the rule.
const FIRST_CHECKED: u32 = 21;

/// Why a previous version cannot work with the tables after this statement.
fn breaking_change(statement: &str) -> Option<&'static str> {
    let words: Vec<&str> = statement
        .split(|letter: char| letter.is_whitespace() || "(),".contains(letter))
        .filter(|word| !word.is_empty())
        .collect();
    let has = |sequence: &[&str]| words.windows(sequence.len()).any(|part| part == sequence);
    let is_alter = words.starts_with(&["alter", "table"]);
    let drops_column = words.windows(2).any(|pair| {
        pair[0] == "drop" && !["constraint", "not", "index", "trigger"].contains(&pair[1])
    });
    if has(&["drop", "table"]) || has(&["drop", "view"]) || is_alter && drops_column {
        return Some("drops what the previous version uses");
    }
    if is_alter && words.contains(&"rename") {
        return Some("renames what the previous version uses");
    }
    if is_alter && (has(&["set", "not", "null"]) || has(&["drop", "default"])) {
        return Some("rejects rows of the previous version");
    }
    if is_alter && words.contains(&"add") && has(&["not", "null"]) && !words.contains(&"default") {
        return Some("adds a column that the previous version does not fill, without a default");
    }
    if is_alter && words.contains(&"alter") && has(&["type"]) {
        return Some("changes the type of a column that the previous version uses");
    }
    None
}

fn breaking_changes(script: &str) -> Vec<String> {
    let without_comments: Vec<&str> = script
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default())
        .collect();
    let text = without_comments.join("\n").to_lowercase();
    text.split(';')
        .filter_map(|statement| {
            breaking_change(statement).map(|why| format!("{why}: {}", statement.trim()))
        })
        .collect()
}

#[test]
fn new_migrations_only_add() {
    let mut problems = Vec::new();
    for entry in fs::read_dir("migrations").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let number: u32 = name.split('_').next().unwrap().parse().unwrap();
        if number >= FIRST_CHECKED {
            let script = fs::read_to_string(&path).unwrap();
            let found = breaking_changes(&script);
            problems.extend(found.into_iter().map(|problem| format!("{name} {problem}")));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn migrations_that_break_the_previous_version_are_found() {
    for script in [
        "drop table refunds;",
        "create table a (id text);\nDROP TABLE IF EXISTS refunds",
        "alter table orders drop column total",
        "alter table orders drop total",
        "alter table refunds_next rename to refunds",
        "alter table orders rename column total to amount",
        "alter table orders add column heat text not null",
        "alter table orders add column heat\n  text not null -- default 'mild'\n;",
        "alter table orders alter column total set not null",
        "alter table orders alter column total drop default",
        "alter table orders alter column total type numeric",
    ] {
        assert!(!breaking_changes(script).is_empty(), "{script}");
    }
}

#[test]
fn migrations_that_add_are_accepted() {
    for script in [
        "create table heat (id text primary key, level bigint not null);",
        "alter table orders add column heat text;",
        "alter table orders add column heat text not null default 'mild';",
        "-- drop table orders\ncreate index orders_by_heat on orders (heat);",
        "drop index orders_by_heat;",
        "drop trigger if exists orders_heat on orders;",
        "alter table orders alter column heat drop not null;",
        "alter table orders drop constraint orders_heat_check;",
        "update orders set heat = 'mild' where heat is null;",
    ] {
        assert_eq!(breaking_changes(script), Vec::<String>::new(), "{script}");
    }
}
