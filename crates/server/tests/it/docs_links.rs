//! The guides keep up with the code: a file that they name is there.

use std::path::Path;

/// What leads a reader through the code. The records in docs/decisions speak of their own day.
const GUIDES: [&str; 5] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/threat-model.md",
    "docs/adding-an-endpoint.md",
    "docs/errors.md",
];

/// `crates/app/src/cart.rs` and `web/src/ui/`, but neither `/api/docs` nor `make test`.
fn named_paths(text: &str) -> Vec<&str> {
    let mut in_listing = false;
    let mut paths = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_listing = !in_listing;
        } else if !in_listing {
            let spans = line.split('`').skip(1).step_by(2);
            let places = spans.filter_map(|span| span.split("::").next());
            paths.extend(places.filter(|place| is_path(place)));
        }
    }
    paths
}

fn is_path(span: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || ":*{}<>=@".contains(c);
    span.contains('/') && !span.starts_with('/') && !span.contains(is_odd)
}

#[test]
fn every_file_that_a_guide_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut missing = Vec::new();
    for guide in GUIDES {
        let text = std::fs::read_to_string(root.join(guide)).expect(guide);
        let paths = named_paths(&text);
        assert!(!paths.is_empty(), "{guide} names no file");
        let gone = paths.into_iter().filter(|path| !root.join(path).exists());
        missing.extend(gone.map(|path| format!("{guide}: {path}")));
    }
    assert!(missing.is_empty(), "not there: {missing:#?}");
}

#[test]
fn what_is_no_path_is_left_alone() {
    let text = "`make test`, `/api/docs`, `a/b.rs::run`\n```\n`c/d`\n```\n`http://x/y` `web/src/`";
    assert_eq!(named_paths(text), ["a/b.rs", "web/src/"]);
}

/// In the threat model a test of the whole program goes by its bare name.
#[test]
fn every_threat_names_a_test_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
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
            assert!(file.exists(), "{name} is not there: {row}");
        }
        let is_honest = !named.is_empty() || cells[2].contains("**not tested**");
        assert!(is_honest, "who would notice? {row}");
        count += 1;
    }
    assert!(count > 40, "{count} rows");
}
