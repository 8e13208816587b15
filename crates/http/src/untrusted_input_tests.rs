//! Property tests: the parsers of this crate accept or reject any header, query and body without a panic.
//! `PROPTEST_CASES=100000 cargo test` runs more cases.

use std::net::IpAddr;

use axum::extract::Query;
use http::{HeaderMap, HeaderValue, Uri, header};
use mirasa_app::catalogue::FORMULA_PREFIXES;
use mirasa_app::ports::images::Format;
use proptest::prelude::*;
use serde_json::Value;

use crate::api::cart::types::{AddToCartRequest, UpdateCartRequest};
use crate::api::catalogue::admin::ProductsQuery;
use crate::api::catalogue::admin_types::ProductRequest;
use crate::api::customers::address_types::AddressRequest;
use crate::api::customers::auth::{LoginQuery, parse_cart_item};
use crate::api::customers::types::ProfileRequest;
use crate::api::orders::admin::OrdersQuery;
use crate::api::orders::csv::escape_cell;
use crate::api::orders::request_types::CheckoutRequest;
use crate::api::types::Rupees;
use crate::assets::images::{ImageQuery, accepted_formats};
use crate::assets::precompressed::{Encoding, preferred_encoding};
use crate::extract::client_ip::client_ip;
use crate::extract::cookies;
use crate::extract::json::parse;
use crate::pages::page_routes::tests::snapshot;
use crate::pages::page_routes::{PageMatch, match_page};

/// Any bytes that are valid in a header.
fn header_value() -> impl Strategy<Value = HeaderValue> {
    let bytes = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        "[ -~]{0,80}".prop_map(String::into_bytes),
        "(mirasa_session|a|)=?[;=\" ,a-z]{0,20}".prop_map(String::into_bytes),
    ];
    bytes.prop_filter_map("not a header", |bytes| HeaderValue::from_bytes(&bytes).ok())
}

fn headers(name: header::HeaderName) -> impl Strategy<Value = HeaderMap> {
    proptest::collection::vec(header_value(), 0..4).prop_map(move |values| {
        let lines = values.into_iter().map(|value| (name.clone(), value));
        lines.collect()
    })
}

/// Random JSON with the field names of our request bodies.
fn json() -> impl Strategy<Value = Value> {
    let names = "productId|qty_50g|quantity|addressId|expectedTotal|name|phone|mrp|net_wt|unit|value|category|images|trendingRank|version|x";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 8, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((names, inner), 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn cookie_is_found_among_any_others(
        junk in headers(header::COOKIE),
        value in "[A-Za-z0-9_-]{43}",
        before in any::<bool>(),
    ) {
        let name = "mirasa_session";
        if let Some(secret) = cookies::find(&junk, name) {
            prop_assert!((1..=100).contains(&secret.expose().len()));
            prop_assert!(!secret.expose().contains(';'));
        }
        let none_of_ours = junk.values().all(|line| {
            !String::from_utf8_lossy(line.as_bytes()).contains(name)
        });
        let mut all = HeaderMap::new();
        let ours: HeaderValue = format!("{name}={value}").parse().unwrap();
        if before {
            all.append(header::COOKIE, ours.clone());
        }
        for line in junk.values() {
            all.append(header::COOKIE, line.clone());
        }
        if !before {
            all.append(header::COOKIE, ours);
        }
        if none_of_ours || before {
            let found = cookies::find(&all, name);
            prop_assert_eq!(found.as_ref().map(|secret| secret.expose()), Some(value.as_str()));
        }
    }

    #[test]
    fn accepted_formats_end_with_jpeg(accept in headers(header::ACCEPT)) {
        let formats = accepted_formats(&accept);
        prop_assert_eq!(formats.last(), Some(&Format::Jpeg));
        prop_assert!(formats.len() <= 3);
    }

    #[test]
    fn only_accepted_encodings_are_used(accept in headers(header::ACCEPT_ENCODING)) {
        let text = accept.get(header::ACCEPT_ENCODING).map(|value| value.as_bytes().to_ascii_lowercase());
        let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
        let named = match preferred_encoding(&accept) {
            Encoding::Brotli => text.contains("br"),
            Encoding::Gzip => text.contains("gzip"),
            Encoding::Plain => true,
        };
        prop_assert!(named, "{}", text);
    }

    #[test]
    fn forwarded_header_is_ignored_without_a_trusted_proxy(forwarded in headers(header::HeaderName::from_static("x-forwarded-for")), peer: IpAddr) {
        prop_assert_eq!(client_ip(peer, &forwarded, &[]), peer.to_canonical());
        let all = ["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()];
        client_ip(peer, &forwarded, &all);
    }

    #[test]
    fn csv_cells_are_read_back_and_are_no_formulas(
        texts in proptest::collection::vec(
            prop_oneof![any::<String>(), "[=+@\\-\t\r\n\"',; a＝＋－＠]{0,12}"], 2..6),
    ) {
        let cells: Vec<_> = texts.iter().map(|text| escape_cell(text)).collect();
        let file = format!("{}\r\n", cells.join(","));
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file.as_bytes());
        let rows: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(rows.len(), 1, "{:?}", file);
        prop_assert_eq!(rows[0].len(), texts.len(), "{:?}", file);
        for (read, text) in rows[0].iter().zip(&texts) {
            prop_assert!(!read.starts_with(FORMULA_PREFIXES), "{:?}", read);
            prop_assert_eq!(read.strip_prefix('\'').unwrap_or(read), text.strip_prefix('\'').unwrap_or(text));
        }
    }

    #[test]
    fn any_query_is_parsed_or_rejected(
        query in prop_oneof![
            "[!-~]{0,120}",
            "(status|orderId|userId|from|to|page|limit|search|w|v|returnTo|add|login_hint)=[!-~]{0,40}(&(from|to|page|limit|w)=[-+0-9TZ:.]{0,30}){0,3}",
        ],
    ) {
        let Ok(uri) = format!("/x?{query}").parse::<Uri>() else { return Ok(()) };
        if let Ok(Query(orders)) = Query::<OrdersQuery>::try_from_uri(&uri) {
            let _ = orders.filter(0);
        }
        let _ = Query::<ProductsQuery>::try_from_uri(&uri);
        let _ = Query::<ImageQuery>::try_from_uri(&uri);
        let _ = Query::<LoginQuery>::try_from_uri(&uri);
    }

    #[test]
    fn any_date_is_parsed_or_rejected(
        from in prop_oneof!["[-+]?[0-9]{1,6}-[0-9]{2}-[0-9]{2}", "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,12})?(Z|[-+][0-9]{2}:[0-9]{2})", any::<String>()],
    ) {
        let query = OrdersQuery { to: from.clone(), from, ..OrdersQuery::default() };
        if let Ok(filter) = query.filter(0) {
            prop_assert_eq!(filter.from_ms.is_some(), filter.to_ms.is_some());
            prop_assert!(filter.from_ms <= filter.to_ms);
        }
    }

    #[test]
    fn parsed_cart_item_has_a_product_and_packs(text in prop_oneof![any::<String>(), "[a-z:]{0,5}:-?[0-9]{0,12}:-?[0-9]{0,12}"]) {
        if let Some((product, packs)) = parse_cart_item(&text) {
            prop_assert!(!packs.is_empty());
            prop_assert!(text.starts_with(&product.0));
        }
    }

    #[test]
    fn any_bytes_are_parsed_or_rejected(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse::<Value>(&bytes);
        let _ = parse::<ProductRequest>(&bytes);
    }

    #[test]
    fn any_json_is_parsed_or_rejected(json in json()) {
        let text = json.to_string();
        let bytes = text.as_bytes();
        if let Ok(body) = parse::<AddToCartRequest>(bytes) {
            let _ = body.parse();
        }
        if let Ok(body) = parse::<UpdateCartRequest>(bytes) {
            let _ = body.parse();
        }
        if let Ok(body) = parse::<ProductRequest>(bytes) {
            let _ = body.into_new();
        }
        let _ = parse::<CheckoutRequest>(bytes);
        let _ = parse::<AddressRequest>(bytes);
        let _ = parse::<ProfileRequest>(bytes);
    }

    #[test]
    fn amount_is_exact_or_rejected(number in prop_oneof![any::<f64>().prop_map(|n| n.to_string()), "-?[0-9]{1,20}(\\.[0-9]{1,4})?(e-?[0-9]{1,3})?"]) {
        if let Ok(rupees) = parse::<Rupees>(number.as_bytes()) {
            prop_assert!(rupees.0.get() >= 0);
            let again = serde_json::to_string(&rupees).unwrap();
            prop_assert_eq!(parse::<Rupees>(again.as_bytes()).ok(), Some(rupees));
        }
    }

    #[test]
    fn cache_key_of_a_page_is_a_path_with_the_same_key(
        url in prop_oneof![
            "/[!-~]{0,60}(\\?(q|search|category|utm)=[!-~]{0,40})?",
            "/(search|sub-products|products|product/goda-masala|About-us)/?\\?((q|search|category|utm)=[!-~]{0,40}&?){0,4}",
        ],
    ) {
        let Ok(uri) = url.parse::<Uri>() else { return Ok(()) };
        let snapshot = snapshot();
        let found = match_page(&uri, &snapshot);
        let name = match &found {
            PageMatch::Typed(name) => name.as_str(),
            found => found.cache_key().unwrap_or("/404"),
        };
        prop_assert!(name.starts_with('/'), "{:?}", name);
        let again: Uri = name.parse().unwrap();
        prop_assert!(found == PageMatch::Long || match_page(&again, &snapshot) == found, "{:?}", name);
    }
}

#[test]
fn deeply_nested_body_is_rejected() {
    for deep in ["[".repeat(200_000), "{\"a\":".repeat(40_000)] {
        assert!(parse::<Value>(deep.as_bytes()).is_err());
        assert!(parse::<ProductRequest>(deep.as_bytes()).is_err());
    }
}
