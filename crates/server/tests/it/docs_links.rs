//! Documentation checks: every file that a guide names must exist.

use crate::harness::repository;

/// The guides to the code. Decision records are not checked: a later change may move the files that they name.
const GUIDES: [&str; 13] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/threat-model.md",
    "docs/adding-an-endpoint.md",
    "docs/errors.md",
    "docs/invoices.md",
    "docs/metrics.md",
    "docs/orders-and-refunds.md",
    "docs/performance.md",
    "docs/postgresql.md",
    "docs/scaling.md",
    "docs/shipping.md",
    "docs/stock.md",
];

/// Paths in backticks, such as `crates/app/src/cart/mod.rs` and `web/src/ui/`, but not `/api/docs` or `make test`.
fn named_paths(text: &str) -> Vec<&str> {
    let mut in_listing = false;
    let mut paths = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_listing = !in_listing;
        } else if !in_listing {
            let spans = line.split('`').skip(1).step_by(2);
            let candidates = spans.filter_map(|span| span.split("::").next());
            paths.extend(candidates.filter(|candidate| is_path(candidate)));
        }
    }
    paths
}

fn is_path(span: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || ":*{}<>=@".contains(c);
    span.contains('/') && !span.starts_with('/') && !span.contains(is_odd)
}

#[test]
fn every_file_named_in_a_guide_exists() {
    let root = repository();
    let mut missing = Vec::new();
    for guide in GUIDES {
        let text = std::fs::read_to_string(root.join(guide)).expect(guide);
        let paths = named_paths(&text);
        assert!(!paths.is_empty(), "{guide} names no file");
        let absent = paths.into_iter().filter(|path| !root.join(path).exists());
        missing.extend(absent.map(|path| format!("{guide}: {path}")));
    }
    assert!(missing.is_empty(), "missing files: {missing:#?}");
}

#[test]
fn named_paths_ignores_commands_urls_and_code_blocks() {
    let text = "`make test`, `/api/docs`, `a/b.rs::run`\n```\n`c/d`\n```\n`http://x/y` `web/src/`";
    assert_eq!(named_paths(text), ["a/b.rs", "web/src/"]);
}

/// The threat model names integration tests by file name, without a path.
#[test]
fn every_threat_names_an_existing_test() {
    let root = repository();
    let text = std::fs::read_to_string(root.join("docs/threat-model.md")).unwrap();
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.ends_with("| tested in |"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 3, "{row}");
        let named: Vec<_> = cells[2].split('`').skip(1).step_by(2).collect();
        let bare = named
            .iter()
            .filter(|name| name.ends_with(".rs") && !name.contains('/'));
        for name in bare {
            let file = root.join("crates/server/tests/it").join(name);
            assert!(file.exists(), "{name} does not exist: {row}");
        }
        let has_test_or_says_not_tested = !named.is_empty() || cells[2].contains("**not tested**");
        assert!(has_test_or_says_not_tested, "no test is named: {row}");
        count += 1;
    }
    assert!(count > 40, "{count} rows");
}
