//! The metrics have the names of Prometheus' conventions, and `docs/metrics.md` lists exactly those that a running
//! server exports, with their types and labels.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{METRICS_TOKEN, repository, temporary_folder};

/// A metric as `/metrics` shows it.
#[derive(Debug, Default)]
pub struct Exported {
    /// counter, gauge or histogram.
    pub kind: String,
    /// The labels of each series, without the `le` of a histogram's buckets.
    pub series: Vec<BTreeMap<String, String>>,
}

/// All metrics of a server that has just started and served a few pages.
pub static EXPORTED: LazyLock<BTreeMap<String, Exported>> = LazyLock::new(|| {
    let folder = temporary_folder();
    let folder = folder.path();
    small_catalogue(folder);
    expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
    let served = Served::start_with(folder, &[], &[("MIRASA_METRICS_TOKEN", METRICS_TOKEN)]);
    for path in ["/", "/search?q=goda", "/api/products", "/no/such/page"] {
        served.get(path).unwrap();
    }
    // The gauges are set by the first run of their worker.
    let began = Instant::now();
    loop {
        let authorization = format!("Authorization: Bearer {METRICS_TOKEN}\r\n");
        let (status, text) = served.get_with("/metrics", &authorization).unwrap();
        assert_eq!(status, 200);
        if text.contains("\ndue_work_lag_seconds{") {
            assert!(text.contains("\nserver_ready 1\n"), "{text}");
            return parse(&text);
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{text}");
        std::thread::sleep(Duration::from_millis(100));
    }
});

fn parse(text: &str) -> BTreeMap<String, Exported> {
    let mut metrics: BTreeMap<String, Exported> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(declared) = line.strip_prefix("# TYPE ") {
            let (name, kind) = declared.split_once(' ').unwrap();
            metrics.entry(name.to_owned()).or_default().kind = kind.to_owned();
        } else if !line.starts_with('#') {
            let (series, _) = line.rsplit_once(' ').unwrap();
            let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
            let name = base_name(name, &metrics).to_owned();
            let labels = labels.trim_end_matches('}');
            let labels = labels.split("\",").filter(|pair| !pair.is_empty());
            let labels = labels.map(|pair| {
                let (label, value) = pair.split_once("=\"").unwrap();
                (label.to_owned(), value.trim_end_matches('"').to_owned())
            });
            let labels = labels.filter(|(label, _)| label != "le").collect();
            metrics.get_mut(&name).unwrap().series.push(labels);
        }
    }
    metrics
}

/// The metric that a series belongs to: a histogram has series with endings.
pub fn base_name<'n>(series: &'n str, metrics: &BTreeMap<String, Exported>) -> &'n str {
    let bases = ["_bucket", "_sum", "_count"].map(|ending| series.strip_suffix(ending));
    let histogram = |name: &&str| {
        let metric = metrics.get(*name);
        metric.is_some_and(|metric| metric.kind == "histogram")
    };
    bases
        .into_iter()
        .flatten()
        .find(histogram)
        .unwrap_or(series)
}

/// The rows of the table in `docs/metrics.md`: name, type and labels.
fn documented() -> BTreeMap<String, (String, BTreeSet<String>)> {
    let guide = fs::read_to_string(repository().join("docs/metrics.md")).unwrap();
    let (_, table) = guide.split_once("| metric |").expect("a table of metrics");
    let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
    let parse = |row: &str| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let quoted = |cell: &str| {
            cell.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect()
        };
        let labels: BTreeSet<String> = quoted(cells[3]);
        (
            cells[1].trim_matches('`').to_owned(),
            (cells[2].to_owned(), labels),
        )
    };
    rows.map(parse).collect()
}

#[test]
fn exported_metrics_are_those_of_the_documentation() {
    let labels = |metric: &Exported| {
        metric
            .series
            .iter()
            .flat_map(BTreeMap::keys)
            .cloned()
            .collect()
    };
    let exported: BTreeMap<_, (String, BTreeSet<String>)> = EXPORTED
        .iter()
        .map(|(name, metric)| (name.clone(), (metric.kind.clone(), labels(metric))))
        .collect();
    assert_eq!(documented(), exported);
}

/// The metrics of all `.rs` files below this folder: the macro, and the name.
fn recorded(folder: &Path, found: &mut BTreeSet<(&'static str, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            recorded(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            for kind in ["counter", "gauge", "histogram"] {
                let call = format!("metrics::{kind}!(");
                let calls = text.split(&call).skip(1);
                let names = calls.filter_map(|rest| rest.trim_start().strip_prefix('"'));
                let names = names.map(|rest| rest.split('"').next().unwrap().to_owned());
                found.extend(names.map(|name| (kind, name)));
            }
        }
    }
}

#[test]
fn recorded_metrics_follow_the_conventions_and_are_exported() {
    let mut metrics = BTreeSet::new();
    for entry in fs::read_dir(repository().join("crates")).unwrap() {
        recorded(&entry.unwrap().path().join("src"), &mut metrics);
    }
    for (kind, name) in &metrics {
        assert_eq!(*kind == "counter", name.ends_with("_total"), "{name}");
        assert!(*kind != "histogram" || name.ends_with("_seconds"), "{name}");
        let exported = EXPORTED.get(name).map(|metric| metric.kind.as_str());
        assert_eq!(exported, Some(*kind), "{name} at the start");
    }
    assert_eq!(metrics.len(), EXPORTED.len());
}
