//! The metrics have the names of Prometheus' conventions, and the table in `deploy/README.md` lists them all.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The metrics of all `.rs` files below this folder: the macro, and the name.
fn recorded(folder: &Path, found: &mut BTreeSet<(&'static str, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            recorded(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            for kind in ["counter", "gauge", "histogram"] {
                let call = format!("metrics::{kind}!(\"");
                let calls = text.split(&call).skip(1);
                let names = calls.map(|rest| rest.split('"').next().unwrap().to_owned());
                found.extend(names.map(|name| (kind, name)));
            }
        }
    }
}

#[test]
fn metrics_follow_the_conventions_and_are_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut metrics = BTreeSet::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        recorded(&entry.unwrap().path().join("src"), &mut metrics);
    }
    for (kind, name) in &metrics {
        assert_eq!(*kind == "counter", name.ends_with("_total"), "{name}");
        assert!(*kind != "histogram" || name.ends_with("_seconds"), "{name}");
    }

    let guide = fs::read_to_string(root.join("deploy/README.md")).unwrap();
    let (_, table) = guide.split_once("| metric |").expect("a table of metrics");
    let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
    let documented: BTreeSet<_> = rows
        .filter_map(|row| row.split('`').nth(1))
        .map(str::to_owned)
        .collect();
    let names: BTreeSet<_> = metrics.into_iter().map(|(_, name)| name).collect();
    assert_eq!(documented, names);
}
