//! Compares every response that a test receives with the API description.

use std::collections::HashMap;
use std::sync::LazyLock;

use http::Method;

/// A path of the description, with the statuses that it lists by method.
struct DescribedPath {
    segments: Vec<String>,
    /// Such as `404` and `5XX`.
    statuses: HashMap<Method, Vec<String>>,
}

static PATHS: LazyLock<Vec<DescribedPath>> = LazyLock::new(|| {
    let description = serde_json::to_value(mirasa_http::openapi()).unwrap();
    let paths = description["paths"].as_object().unwrap().iter();
    paths
        .map(|(path, operations)| DescribedPath {
            segments: path.split('/').map(str::to_owned).collect(),
            statuses: operations
                .as_object()
                .unwrap()
                .iter()
                .map(|(method, operation)| {
                    let responses = operation["responses"].as_object().unwrap();
                    let statuses = responses.keys().cloned().collect();
                    (method.to_uppercase().parse().unwrap(), statuses)
                })
                .collect(),
        })
        .collect()
});

impl DescribedPath {
    /// The number of parameters in the path, if it matches.
    fn match_path(&self, path: &str) -> Option<usize> {
        let segments: Vec<_> = path.split('/').collect();
        let is_parameter = |segment: &str| segment.starts_with('{');
        let matches = segments.len() == self.segments.len()
            && segments
                .iter()
                .zip(&self.segments)
                .all(|(segment, own)| is_parameter(own) || segment == own);
        matches.then(|| self.segments.iter().filter(|own| is_parameter(own)).count())
    }
}

/// Fails if the description of the operation does not list the status. Pages, files and methods that a path does not have
/// are no operations.
#[track_caller]
pub fn expect_described(method: &Method, path: &str, status: u16) {
    let matching = PATHS
        .iter()
        .filter_map(|described| Some((described.match_path(path)?, described)));
    let Some((_, described)) = matching.min_by_key(|(parameters, _)| *parameters) else {
        return;
    };
    let method = if method == Method::HEAD {
        &Method::GET
    } else {
        method
    };
    let Some(statuses) = described.statuses.get(method) else {
        return;
    };
    let is_listed =
        |listed: &String| *listed == status.to_string() || (status >= 500 && listed == "5XX");
    // 304 is the response to a conditional request for anything that has an ETag.
    assert!(
        status == 304 || statuses.iter().any(is_listed),
        "api/openapi.json does not list {status} for {method} {}; see `errors` in crates/http/src/routes/",
        described.segments.join("/")
    );
}
