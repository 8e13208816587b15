//! The search: what it finds, how it was read, suggestions.

use serde_json::json;

use crate::harness::for_each_engine_fresh;
use crate::products::ids;

#[test]
fn other_spellings_are_found_and_the_response_says_so() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            let search = async |words: &str| {
                let path = format!("/api/api/products/search?q={words}");
                let response = browser.get(&path).await;
                let found = response.expect_ok();
                let found: Vec<_> = ids(&found).into_iter().map(str::to_owned).collect();
                (found, response.header("x-corrected-to").to_owned())
            };
            let all = ["chai-masala", "goda-masala", "rasam-powder"].map(String::from);
            for (words, expected, corrected) in [
                ("godaa", &all[1..2], "goda+masala"),
                ("chay", &all[..1], "chai"),
                ("%E0%A4%9A%E0%A4%BE%E0%A4%AF", &all[..1], "chai"),
                ("rassam+pawder", &all[2..], "rasam+powder"),
                ("dhaniya", &all[..], "coriander"),
                ("maharastrian", &all[1..2], "maharashtrian"),
                ("goda", &all[1..2], ""),
                ("hiden", &[], ""),
                ("hiddn+masala+x", &[], ""),
                ("goda+laptop", &all[1..2], ""),
                ("laptop", &[], ""),
            ] {
                // Twice: the second response comes from the cache.
                for _ in 0..2 {
                    let (found, header) = search(words).await;
                    assert_eq!(
                        (&found[..], header.as_str()),
                        (expected, corrected),
                        "{words}"
                    );
                }
            }
            for path in ["/api/products", "/api/products/api/productInfo"] {
                let list =
                    async |query: &str| browser.get(&format!("{path}?{query}")).await.expect_ok();
                let found = list("search=godaa").await;
                assert_eq!(
                    (ids(&found["products"]), &found["total"]),
                    (vec!["goda-masala"], &json!(1))
                );
                assert_eq!(found["correctedTo"], "goda masala");
                let literal = list("search=goda").await;
                assert_eq!(
                    literal.as_object().unwrap().len(),
                    2,
                    "as the specification has it"
                );
                assert_eq!(list("search=godaa&category=Beverages").await["total"], 0);
                let partial = list("search=godaa+laptop").await;
                assert_eq!(ids(&partial["products"]), ["goda-masala"]);
                assert_eq!(
                    partial["partialMatch"],
                    json!({ "found": ["goda masala"], "leftOut": ["laptop"] })
                );
                assert_eq!(partial.get("correctedTo"), None);
                let guess = list("search=kothimbr").await;
                assert_eq!(
                    (&guess["total"], &guess["correctedTo"]),
                    (&json!(0), &json!("coriander"))
                );
                let by_name = list("search=dhaniya&sort=name&limit=1&page=2").await;
                assert_eq!(ids(&by_name["products"]), ["goda-masala"]);
                assert_eq!(by_name["total"], 3);
            }
        },
    );
}

#[test]
fn suggestions_have_a_picture_and_a_price() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            let suggest = async |words: &str| {
                let path = format!("/api/products/api/suggestions?q={words}");
                browser.get(&path).await.expect_ok()["suggestions"].clone()
            };
            for (words, found) in [
                ("masala", &["goda-masala", "chai-masala"][..]),
                ("godaa", &["goda-masala"]),
                ("hidden", &[]),
                ("laptop", &[]),
                ("", &[]),
            ] {
                assert_eq!(ids(&suggest(words).await), found, "{words}");
            }
            let goda = json!({
                "_id": "goda-masala", "name": "Goda Masala", "image": "", "price": 65.5
            });
            assert_eq!(suggest("goda").await[0], goda);
            let twice = "/api/products/api/suggestions?q=a&q=b";
            browser
                .get(twice)
                .await
                .expect_error(400, "q must be given once");
        },
    );
}

#[test]
fn search_returns_an_array_by_name_and_category() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            for (words, found) in [
                ("masala", vec!["goda-masala", "chai-masala"]),
                ("%20GODA%20", vec!["goda-masala"]),
                ("south", vec!["rasam-powder"]),
                ("veg", vec!["goda-masala", "rasam-powder"]),
                ("hidden", vec![]),
                ("secret", vec![]),
                ("", vec![]),
                ("%25", vec![]),
                ("%27%20or%201=1", vec![]),
                ("%F0%9F%8C%B6", vec![]),
            ] {
                let response = browser
                    .get(&format!("/api/api/products/search?q={words}"))
                    .await
                    .expect_ok();
                assert_eq!(ids(&response), found, "{words}");
            }
            let one = &browser
                .get("/api/api/products/search?q=goda")
                .await
                .expect_ok()[0];
            assert_eq!(
                one,
                &json!({ "_id": "goda-masala", "name": "Goda Masala", "image": "" })
            );
            assert_eq!(
                browser.get("/api/api/products/search").await.expect_ok(),
                json!([])
            );
        },
    );
}
