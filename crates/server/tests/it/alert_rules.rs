//! The alerts and the dashboard in `deploy/` use only metrics and labels that a running server exports.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::harness::repository;
use crate::metric_names::{EXPORTED, base_name};

fn prometheus(file: &str) -> PathBuf {
    repository().join("deploy/prometheus").join(file)
}

/// The rules of the file, each as its lines.
fn alert_rules() -> Vec<String> {
    let text = fs::read_to_string(prometheus("alerts.yml")).unwrap();
    text.split("- alert: ").skip(1).map(str::to_owned).collect()
}

/// The expression of a rule: on one line, or on the lines below `expr: >`, which are indented further.
fn expression(rule: &str) -> String {
    let mut lines = rule
        .lines()
        .skip_while(|line| !line.trim_start().starts_with("expr:"));
    let first = lines.next().expect("an expression").trim();
    let first = first.strip_prefix("expr:").unwrap().trim();
    if first != ">" {
        return first.to_owned();
    }
    let rest: Vec<_> = lines
        .take_while(|line| line.starts_with("          "))
        .collect();
    rest.join("\n")
}

fn dashboard_expressions(json: &Value, found: &mut Vec<String>) {
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "expr" => found.push(text.clone()),
                    value => dashboard_expressions(value, found),
                }
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| dashboard_expressions(value, found)),
        _ => {}
    }
}

/// A metric in an expression, with the label, the operator and the value of each condition.
#[derive(Debug, PartialEq, Eq)]
struct Selector {
    metric: String,
    conditions: Vec<(String, String, String)>,
}

const KEYWORDS: [&str; 20] = [
    "and",
    "or",
    "unless",
    "by",
    "without",
    "on",
    "ignoring",
    "group_left",
    "group_right",
    "bool",
    "offset",
    "sum",
    "min",
    "max",
    "avg",
    "count",
    "topk",
    "bottomk",
    "quantile",
    "stddev",
];
/// They are followed by labels in parentheses.
const BEFORE_LABELS: [&str; 6] = [
    "by",
    "without",
    "on",
    "ignoring",
    "group_left",
    "group_right",
];

/// The selectors of a PromQL expression. Functions, operators, durations and numbers are skipped.
fn selectors(expression: &str) -> Vec<Selector> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let mut found = Vec::new();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        if first == '[' {
            rest = &rest[rest.find(']').expect("the end of a duration")..];
            continue;
        }
        if !is_name(first) {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after.trim_start();
        if BEFORE_LABELS.contains(&name) {
            rest = &rest[rest.find(')').expect("the end of the labels")..];
        }
        let is_number = first.is_ascii_digit();
        if is_number || KEYWORDS.contains(&name) || rest.starts_with('(') {
            continue;
        }
        let mut conditions = Vec::new();
        if let Some(inner) = rest.strip_prefix('{') {
            let (inner, after) = inner.split_once('}').expect("the end of a selector");
            rest = after;
            for condition in inner.split("\",").filter(|one| !one.trim().is_empty()) {
                let (label, value) = condition.trim().split_once(['=', '!']).unwrap();
                let operator = &condition.trim()[label.len()..];
                let operator = &operator[..operator.find('"').unwrap()];
                let value = value.split_once('"').unwrap().1.trim_end_matches('"');
                conditions.push((label.into(), operator.into(), value.into()));
            }
        }
        found.push(Selector {
            metric: name.to_owned(),
            conditions,
        });
    }
    found
}

/// What is wrong with an expression: metrics, labels and values that the server does not export.
fn problems(expression: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for Selector { metric, conditions } in selectors(expression) {
        if metric == "up" {
            // Of Prometheus itself.
            continue;
        }
        let Some(exported) = EXPORTED.get(base_name(&metric, &EXPORTED)) else {
            problems.push(format!("{metric} is not exported"));
            continue;
        };
        for (label, operator, value) in conditions {
            if ["job", "instance"].contains(&label.as_str()) {
                // Added by Prometheus.
                continue;
            }
            let known: Vec<_> = exported
                .series
                .iter()
                .filter_map(|one| one.get(&label))
                .collect();
            if known.is_empty() {
                problems.push(format!("{metric} has no label {label}"));
            }
            let is_list = operator.ends_with('~') && value.chars().all(|c| c != '.');
            if is_list || !operator.ends_with('~') {
                let unknown = value
                    .split('|')
                    .filter(|value| !known.iter().any(|one| one == value));
                problems.extend(unknown.map(|value| format!("{metric} has no {label} {value}")));
            }
        }
    }
    problems
}

#[test]
fn checker_finds_unknown_metrics_labels_and_values() {
    let good = r#"sum by (instance, le) (rate(db_pool_wait_seconds_bucket{job="$job"}[5m])) > 0.5
        and on (instance) up == 0 or payments_total{result=~"late|declined"} offset 5m"#;
    let names: Vec<_> = selectors(good).into_iter().map(|one| one.metric).collect();
    assert_eq!(
        names,
        ["db_pool_wait_seconds_bucket", "up", "payments_total"]
    );
    assert_eq!(problems(good), Vec::<String>::new());
    for (bad, problem) in [
        (
            "rate(payment_total[5m]) > 0",
            "payment_total is not exported",
        ),
        (
            "pages_rendered_total_count",
            "pages_rendered_total_count is not exported",
        ),
        (
            r#"payments_total{outcome="late"}"#,
            "payments_total has no label outcome",
        ),
        (
            r#"refunds_total{result!="late"}"#,
            "refunds_total has no result late",
        ),
        (
            r#"refunds_total{result=~"failed|lost"}"#,
            "refunds_total has no result lost",
        ),
    ] {
        assert_eq!(problems(bad)[0], problem);
    }
}

#[test]
fn alerts_use_exported_metrics_and_say_what_to_do() {
    let rules = alert_rules();
    assert!(rules.len() >= 10, "{}", rules.len());
    for rule in rules {
        assert_eq!(problems(&expression(&rule)), Vec::<String>::new(), "{rule}");
        for part in ["severity: ", "summary: ", "description: "] {
            assert!(rule.contains(part), "{part} {rule}");
        }
    }
}

#[test]
fn dashboard_uses_exported_metrics() {
    let text = fs::read_to_string(repository().join("deploy/grafana/mirasa.json")).unwrap();
    let mut expressions = Vec::new();
    dashboard_expressions(&serde_json::from_str(&text).unwrap(), &mut expressions);
    assert!(expressions.len() >= 20, "{}", expressions.len());
    for expression in expressions {
        assert_eq!(problems(&expression), Vec::<String>::new(), "{expression}");
    }
}

/// Prometheus' own check, where its tool is installed.
#[test]
fn promtool_accepts_the_alerts() {
    for arguments in [
        ["check", "rules", "alerts.yml"],
        ["test", "rules", "alerts_test.yml"],
    ] {
        let folder = repository().join("deploy/prometheus");
        let output = Command::new("promtool")
            .args(arguments)
            .current_dir(folder)
            .output();
        let Ok(output) = output else {
            eprintln!("promtool is not installed");
            return;
        };
        assert!(output.status.success(), "{output:?}");
    }
}
