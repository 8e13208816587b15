//! The API description and docs/errors.md list every error code.

use mirasa_app::ErrorCode;
use serde_json::json;

use crate::harness::repository;

#[test]
fn openapi_lists_every_code() {
    let document = serde_json::to_value(mirasa_http::openapi()).unwrap();
    let schemas = &document["components"]["schemas"];
    let listed = schemas["ErrorCode"]["enum"].as_array().unwrap();
    let names: Vec<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(listed, &names);
    let description = schemas["ErrorCode"]["description"].as_str().unwrap();
    for code in ErrorCode::ALL {
        let name = code.as_str();
        assert!(description.contains(&format!("`{name}`")), "{name}");
        assert!(description.contains(code.meaning()), "{name}");
        let is_snake_case = name
            .split('_')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        assert!(is_snake_case, "{name}");
    }
    let error = &schemas["Error"];
    assert_eq!(
        error["properties"]["code"]["$ref"],
        "#/components/schemas/ErrorCode"
    );
    assert_eq!(error["required"], json!(["error", "message", "code"]));
}

#[test]
fn errors_guide_lists_every_code() {
    let guide = std::fs::read_to_string(repository().join("docs/errors.md")).unwrap();
    let document = serde_json::to_value(mirasa_http::openapi()).unwrap();
    let schema = &document["components"]["schemas"]["ErrorCode"];
    // "- `code` (status): meaning"
    let lines = schema["description"].as_str().unwrap().lines();
    let rows = lines.filter_map(|line| {
        let (code, rest) = line.strip_prefix("- ")?.split_once(" (")?;
        let (status, meaning) = rest.split_once("): ")?;
        Some(format!("| {code} | {status} | {meaning} |"))
    });
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), ErrorCode::ALL.len());
    let (_, table) = guide
        .split_once("| code | status | meaning |\n|---|---|---|\n")
        .unwrap();
    let table: Vec<_> = table.lines().collect();
    assert_eq!(
        table,
        rows,
        "docs/errors.md must have these rows:\n{}",
        rows.join("\n")
    );
}
