//! One source of settings over another.

use toml::{Table, Value};

use super::{BadConfig, bad};

pub fn lay_over(under: &mut Table, over: Table) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => lay_over(inner, value),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// Every key of the defaults may come from the environment, read as the type that the default has.
pub fn apply_environment(
    table: &mut Table,
    prefix: &str,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<(), BadConfig> {
    for (key, value) in table.iter_mut() {
        let path = if prefix.is_empty() {
            key.clone()
        } else {
            format!("{prefix}.{key}")
        };
        if let Value::Table(inner) = value {
            apply_environment(inner, &path, environment)?;
            continue;
        }
        let name = if path == "database_url" {
            "DATABASE_URL".to_owned()
        } else {
            format!("MIRASA_{}", path.replace('.', "_").to_uppercase())
        };
        if let Some(text) = environment(&name) {
            *value = read_as(value, &text).ok_or_else(|| {
                bad(
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

fn read_as(like: &Value, text: &str) -> Option<Value> {
    Some(match like {
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
