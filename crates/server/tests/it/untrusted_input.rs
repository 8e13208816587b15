//! Property tests: random input to the HTTP endpoints and the configuration. Every response is a documented error or
//! success, never 500.

use std::fmt::Debug;

use http::{HeaderValue, Method, header};
use mirasa_server::cli::Flags;
use mirasa_server::config::Config;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use serde_json::json;

use crate::harness::{TestResponse, for_each_engine, png, repository, temporary_folder};

/// `PROPTEST_CASES` test cases, or `default_cases` if the variable is not set.
fn cases(default_cases: u32) -> TestRunner {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig {
            cases: default_cases,
            ..config
        },
    })
}

/// Proptest calls synchronous functions; this runs the asynchronous test in the current runtime.
fn for_any<T: Debug>(
    default_cases: u32,
    strategy: &impl Strategy<Value = T>,
    test: impl AsyncFn(T) -> Result<(), TestCaseError>,
) {
    let outcome = cases(default_cases).run(strategy, |value| {
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(test(value)))
    });
    if let Err(TestError::Fail(why, value)) = outcome {
        panic!("{why}\n{value:#?}");
    }
}

fn check_response(response: &TestResponse, allowed: &[u16]) -> Result<(), TestCaseError> {
    prop_assert!(allowed.contains(&response.status), "{:?}", response);
    if response.status >= 400 {
        response.error_text();
    }
    Ok(())
}

/// Multipart bodies: valid ones and malformed ones.
fn form() -> impl Strategy<Value = (String, Vec<u8>)> {
    let boundary = prop_oneof![
        Just("b".to_owned()),
        "[a-z'()+_,./:=?-]{1,20}",
        "[ -~]{0,80}"
    ];
    let head = prop_oneof![
        Just("Content-Disposition: form-data; name=\"images\"; filename=\"x.png\"".to_owned()),
        "Content-Disposition: form-data; name=\"?(images|x)\"?; filename[*]?=[!-~]{0,30}",
        "[ -~]{0,60}",
        any::<String>(),
    ];
    let body = prop_oneof![
        Just(png(20, 20, 9)),
        (0..60_usize).prop_map(|end| png(20, 20, 9)[..end].to_vec()),
        proptest::collection::vec(any::<u8>(), 0..200),
    ];
    let parts = proptest::collection::vec((head, body), 0..4);
    let line_end = prop_oneof![4 => Just("\r\n"), 1 => Just("\n"), 1 => Just("")];
    (boundary, parts, line_end, any::<bool>()).prop_map(|(boundary, parts, line_end, ended)| {
        let mut form = Vec::new();
        for (head, body) in parts {
            form.extend_from_slice(
                format!("--{boundary}{line_end}{head}{line_end}{line_end}").as_bytes(),
            );
            form.extend_from_slice(&body);
            form.extend_from_slice(line_end.as_bytes());
        }
        if ended {
            form.extend_from_slice(format!("--{boundary}--{line_end}").as_bytes());
        }
        (boundary, form)
    })
}

#[test]
fn any_multipart_body_is_accepted_or_rejected() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        for_any(48, &form(), async |(boundary, body)| {
            let kind = format!("multipart/form-data; boundary={boundary}");
            let Ok(kind) = HeaderValue::from_str(&kind) else {
                return Ok(());
            };
            let request = admin
                .request(Method::POST, "/api/admin/upload-images")
                .header(header::CONTENT_TYPE, kind)
                .body(body);
            check_response(&admin.send(request).await, &[200, 400, 413, 415])
        });
    });
}

#[test]
fn any_webhook_without_the_secret_is_rejected() {
    for_each_engine(async |shop| {
        let visitor = shop.visitor();
        let header_bytes = proptest::collection::vec(any::<u8>(), 0..100);
        let body = proptest::collection::vec(any::<u8>(), 0..300);
        for_any(64, &(header_bytes, body), async |(secret, body)| {
            let mut request = visitor.request(Method::POST, "/api/payment/webhook/phonepe");
            if let Ok(secret) = HeaderValue::from_bytes(&secret) {
                request = request.header(header::AUTHORIZATION, secret);
            }
            check_response(&visitor.send(request.body(body)).await, &[401])
        });
    });
}

#[test]
fn any_idempotency_key_is_accepted_or_rejected() {
    for_each_engine(async |shop| {
        let customer = shop.customer("random-keys").await;
        let address = customer.home().await;
        let key = prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..260),
            "[ -~]{0,220}".prop_map(String::into_bytes),
        ];
        for_any(48, &key, async |key| {
            let Ok(key) = HeaderValue::from_bytes(&key) else {
                return Ok(());
            };
            let request = customer
                .request(Method::POST, "/api/cart/checkout")
                .header("idempotency-key", key)
                .json(&json!({ "addressId": address }));
            // A valid key leads to the error for an empty cart.
            check_response(&customer.send(request).await, &[400, 409])
        });
    });
}

#[test]
fn any_query_is_accepted_or_rejected() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let path = prop::sample::select(vec![
            "/api/admin/orders",
            "/api/admin/orders/export.csv",
            "/api/admin/products",
            "/api/admin/users",
            "/api/admin/customers",
            "/api/admin/search",
            "/api/admin/audit",
            "/api/api/products/search",
            "/images/products/x.webp",
        ]);
        let name = "status|orderId|userId|from|to|page|limit|search|about|sort|q|w|v";
        let value = prop_oneof![
            any::<String>(),
            any::<i64>().prop_map(|number| number.to_string()),
            "[-+]?[0-9]{1,6}-[0-9]{2}-[0-9]{2}(T[0-9:.]{0,12}Z)?",
            "[%_'\\\\\"]{1,6}",
        ];
        let pairs = proptest::collection::vec((name, value), 0..4);
        for_any(64, &(path, pairs), async |(path, pairs)| {
            let query: String = url::form_urlencoded::Serializer::new(String::new())
                .extend_pairs(pairs)
                .finish();
            let response = admin.get(&format!("{path}?{query}")).await;
            check_response(&response, &[200, 400, 404])
        });
    });
}

/// Random text, and `mirasa.toml` with some values replaced.
fn settings() -> impl Strategy<Value = String> {
    let own = std::fs::read_to_string(repository().join("mirasa.toml")).unwrap();
    let lines: Vec<String> = own.lines().map(str::to_owned).collect();
    let value = prop_oneof![
        Just("\"\"".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| format!("{number:?}")),
        any::<String>().prop_map(|text| toml::Value::from(text).to_string()),
        Just("[]".to_owned()),
        Just("[1, \"x\", []]".to_owned()),
        Just("{ a = 1 }".to_owned()),
        Just("true".to_owned()),
        "[ -~]{0,20}",
    ];
    let changed = proptest::collection::vec((any::<prop::sample::Index>(), value), 1..4);
    let changed = changed.prop_map(move |changes| {
        let mut lines = lines.clone();
        for (at, value) in changes {
            let line = at.get(&lines);
            let at = lines.iter().position(|other| other == line).unwrap();
            let key = line.split_once(" = ").map(|(key, _)| key.to_owned());
            lines[at] = key.map_or_else(|| value.clone(), |key| format!("{key} = {value}"));
        }
        lines.join("\n")
    });
    prop_oneof![4 => changed, 1 => any::<String>()]
}

#[test]
fn any_configuration_is_accepted_or_rejected_with_a_reason() {
    let folder = temporary_folder();
    let file = folder.path().join("shop.toml");
    let flags = Flags {
        config: Some(file.clone()),
        ..Flags::default()
    };
    let outcome = cases(128).run(&settings(), |text| {
        std::fs::write(&file, &text).unwrap();
        if let Err(refusal) = Config::load(&flags) {
            let refusal = refusal.to_string();
            let says_where = refusal.starts_with("configuration ");
            prop_assert!(says_where, "{}", refusal);
        }
        Ok(())
    });
    outcome.unwrap();
}
