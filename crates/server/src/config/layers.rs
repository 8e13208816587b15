//! The sources of settings: a file and environment variables over the defaults.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use toml::{Table, Value};

use super::{ConfigError, config_error};

/// A syntax error is reported with its position only: the parser's message quotes the line, which may contain a secret.
pub fn read_file(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("line {line}, column {column}: {}", error.message())
    })
}

pub fn merge(settings: &mut Table, overrides: Table) {
    for (key, value) in overrides {
        match (settings.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => merge(inner, value),
            (_, value) => {
                settings.insert(key, value);
            }
        }
    }
}

const PREFIX: &str = "MIRASA_";

/// Variables that are not settings: of the server itself, and of scripts and tests that pass on their environment.
const NOT_SETTINGS: [&str; 9] = [
    "MIRASA_CONFIG",
    "MIRASA_FAILPOINT",
    "MIRASA_PROGRAM",
    "MIRASA_CHROMIUM",
    "MIRASA_E2E_URL",
    "MIRASA_POSTGRES_DURABLE",
    "MIRASA_TEST_POSTGRES",
    "MIRASA_TEST_POSTGRES_CA",
    "MIRASA_TEST_POSTGRES_PID",
];

/// The variables of the shop. A value that is not valid UTF-8 is rejected: ignoring it would leave the default in place.
pub fn read_environment(
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<BTreeMap<String, String>, ConfigError> {
    let mut environment = BTreeMap::new();
    for (name, value) in variables {
        let Ok(name) = name.into_string() else {
            continue;
        };
        if name.starts_with(PREFIX) || name == "DATABASE_URL" {
            let not_utf8 = |_| ConfigError(format!("the variable {name} is not valid UTF-8"));
            let value = value.into_string().map_err(not_utf8)?;
            environment.insert(name, value);
        }
    }
    Ok(environment)
}

/// A misspelled variable would otherwise leave its setting at the default, which may be unsafe.
pub fn reject_unknown_variables(
    defaults: &Table,
    environment: &BTreeMap<String, String>,
) -> Result<(), ConfigError> {
    let mut known = BTreeSet::from(NOT_SETTINGS.map(str::to_owned));
    add_variables(defaults, "", &mut known);
    let is_unknown = |name: &&String| name.starts_with(PREFIX) && !known.contains(*name);
    match environment.keys().find(is_unknown) {
        Some(name) => Err(ConfigError(format!(
            "the variable {name} is not known; mirasa.toml has every setting"
        ))),
        None => Ok(()),
    }
}

fn add_variables(table: &Table, prefix: &str, known: &mut BTreeSet<String>) {
    for (key, value) in table {
        let path = path_of(prefix, key);
        match value {
            Value::Table(inner) => add_variables(inner, &path, known),
            _ => {
                known.insert(variable_of(&path));
            }
        }
    }
}

fn path_of(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        key.to_owned()
    } else {
        format!("{prefix}.{key}")
    }
}

fn variable_of(path: &str) -> String {
    if path == "database_url" {
        "DATABASE_URL".to_owned()
    } else {
        format!("{PREFIX}{}", path.replace('.', "_").to_uppercase())
    }
}

/// Every key of the defaults can be set by a variable, which is parsed as the type of the default.
pub fn apply_environment(
    table: &mut Table,
    prefix: &str,
    environment: &BTreeMap<String, String>,
) -> Result<(), ConfigError> {
    for (key, value) in table.iter_mut() {
        let path = path_of(prefix, key);
        if let Value::Table(inner) = value {
            apply_environment(inner, &path, environment)?;
            continue;
        }
        let name = variable_of(&path);
        if let Some(text) = environment.get(&name) {
            *value = parse_like(value, text).ok_or_else(|| {
                config_error(
                    &path,
                    format!(
                        "the variable {name} has {text:?}, which is not a {}",
                        value.type_str()
                    ),
                )
            })?;
        }
    }
    Ok(())
}

fn parse_like(default: &Value, text: &str) -> Option<Value> {
    Some(match default {
        Value::Boolean(_) => match text {
            "true" | "1" | "on" | "yes" => Value::Boolean(true),
            "false" | "0" | "off" | "no" | "" => Value::Boolean(false),
            _ => return None,
        },
        Value::Integer(_) => Value::Integer(text.parse().ok()?),
        Value::Float(_) => Value::Float(text.parse().ok()?),
        Value::Array(_) => {
            let entries = text
                .split(',')
                .map(str::trim)
                .filter(|entry| !entry.is_empty());
            Value::Array(
                entries
                    .map(|entry| Value::String(entry.to_owned()))
                    .collect(),
            )
        }
        _ => Value::String(text.to_owned()),
    })
}
