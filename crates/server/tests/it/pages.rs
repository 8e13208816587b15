//! Server-rendered pages, as a client without JavaScript gets them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::harness::{
    TestClient, TestResponse, client, eventually, for_each_engine, for_each_engine_fresh,
    on_sqlite_fresh,
};

/// All texts between two markers.
fn between<'t>(text: &'t str, from: &'t str, to: &'t str) -> Vec<&'t str> {
    let pieces = text.split(from).skip(1);
    pieces.map(|rest| rest.split_once(to).unwrap().0).collect()
}

fn html(response: &TestResponse, status: u16) -> &str {
    assert_eq!(response.status, status, "{response:?}");
    assert_eq!(response.header("content-type"), "text/html; charset=utf-8");
    response.text()
}

/// The rendered HTML without the scripts.
fn body(page: &str) -> &str {
    between(
        page,
        "<div id=\"root\">",
        "<script type=\"application/json\"",
    )[0]
}

#[test]
fn public_pages_contain_their_content() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            for (path, texts) in [
                (
                    "/",
                    vec!["Trending Masalas", "Chai Masala", "Goda Masala", "₹65.50"],
                ),
                (
                    "/products",
                    vec![
                        "Our Products",
                        "Goda Masala",
                        "Rasam Powder",
                        "Coriander seed",
                    ],
                ),
                (
                    "/sub-products",
                    vec!["Products", "Goda Masala", "Chai Masala"],
                ),
                (
                    "/product/goda-masala",
                    vec!["Goda Masala", "₹65.50", "₹120", "Roast.", "12 Months"],
                ),
                ("/about-us", vec!["Mirasa"]),
                ("/privacy-policy", vec!["Privacy"]),
                ("/contact-us", vec!["care@mirasa.example"]),
            ] {
                let response = browser.get(path).await;
                let page = html(&response, 200);
                for text in texts {
                    assert!(body(page).contains(text), "{path} does not contain {text}");
                }
                assert!(
                    !body(page).contains("Hidden Masala") && !body(page).contains("Deleted Masala"),
                    "{path}"
                );
                let titles = between(page, "<title>", "</title>");
                assert!(
                    titles.len() == 1 && titles[0].contains("Mirasa"),
                    "{path}: {titles:?}"
                );
                let canonical = format!("rel=\"canonical\" href=\"{}{}\"", shop.base, path);
                assert!(page.contains(&canonical), "{path} has no {canonical}");
            }
        },
    );
}

#[test]
fn payment_return_paths_are_pages() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in ["/payment/status", "/api/payment/redirect"] {
            for query in ["", "?merchantOrderId=nothing"] {
                html(&browser.get(&format!("{path}{query}")).await, 200);
            }
        }
    });
}

#[test]
fn product_page_has_json_ld() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let response = browser.get("/product/goda-masala").await;
        let page = html(&response, 200);
        assert!(between(page, "<title>", "</title>")[0].contains("Goda Masala"));
        let scripts = between(page, "<script type=\"application/ld+json\">", "</script>");
        let described: Vec<Value> = scripts
            .iter()
            .map(|text| serde_json::from_str(text).unwrap())
            .collect();
        let product = described
            .iter()
            .find(|json| json["@type"] == "Product")
            .expect("a Product in JSON-LD");
        assert_eq!(product["name"], "Goda Masala");
        assert!(product["offers"].to_string().contains("INR"), "{product}");
        assert!(product["offers"].to_string().contains("65.5"), "{product}");
    });
}

#[test]
fn unknown_and_hidden_paths_are_404() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in [
            "/product/no-such-masala",
            "/product/hidden-masala",
            "/product/deleted-masala",
            "/no/such/page",
            "/product",
        ] {
            html(&browser.get(path).await, 404);
        }
        let response = browser.get("/product/no-such-masala").await;
        assert!(body(response.text()).contains("Product not found."));
        for file in [
            "/assets/no-such.js",
            "/images/products/no-such.webp",
            "/assets/../mirasa.toml",
        ] {
            assert_eq!(browser.get(file).await.status, 404, "{file}");
        }
    });
}

#[test]
fn script_in_a_url_is_escaped() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in [
            "/sub-products?search=%3Cscript%3Ealert(1)%3C/script%3E",
            "/search?q=%3Cscript%3Ealert(1)%3C/script%3E",
            "/sub-products?category=%22%3E%3Cscript%3Ealert(1)",
            "/product/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
            "/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        ] {
            let response = browser.get(path).await;
            assert!(matches!(response.status, 200 | 404), "{path}");
            assert!(!response.text().contains("<script>alert"), "{path}");
        }
    });
}

#[test]
fn pages_are_shared_and_contain_no_user_data() {
    for_each_engine(async |shop| {
        let customer = shop.customer("pages-customer").await;
        for path in [
            "/",
            "/product/goda-masala",
            "/wishlist",
            "/user/dashboard/profile",
            "/admins",
        ] {
            let page = customer.get(path).await;
            assert_eq!(page.status, 200, "{path}");
            assert!(!page.text().contains("pages-customer"), "{path}");
            assert_eq!(page.header("set-cookie"), "", "{path}");
        }
        let admins = shop.visitor().get("/admins").await;
        assert!(!admins.text().contains("Hidden Masala"));
    });
}

#[test]
fn csp_allows_exactly_the_served_scripts() {
    for_each_engine(async |shop| {
        let response = shop.visitor().get("/").await;
        let policy = response.header("content-security-policy");
        let inline = between(response.text(), "<script>", "</script>");
        assert!(!inline.is_empty());
        for script in inline {
            let hash = STANDARD.encode(Sha256::digest(script.as_bytes()));
            assert!(policy.contains(&format!("'sha256-{hash}'")), "{policy}");
        }
        let scripts = between(policy, "script-src ", ";")[0];
        assert!(
            scripts.starts_with("'self'") && !scripts.contains("unsafe"),
            "{scripts}"
        );
        for part in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "object-src 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.contains(part), "{policy} lacks {part}");
        }
        for name in between(response.text(), " src=\"/assets/", "\"") {
            let file = shop.visitor().get(&format!("/assets/{name}")).await;
            assert_eq!(file.status, 200, "{name}");
            assert_eq!(
                file.header("cache-control"),
                "public, max-age=31536000, immutable"
            );
        }
    });
}

/// Each variant would otherwise be rendered and cached separately, without limit.
#[test]
fn equivalent_urls_share_one_cached_page() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for (page, same, status) in [
            ("/no/such/page", "/another?x=1", 404),
            ("/product/no-such-masala", "/product/nor-this?x=1", 404),
            ("/product/hidden-masala", "/product/deleted-masala/", 404),
            ("/", "/?a=1&b=2&search=x&category=y&q=z", 200),
            ("/about-us", "/About-US/?q=1", 200),
            ("/categories/Veg", "/categories/veg", 200),
            ("/product/goda-masala", "/Product/goda-masala?utm=1", 200),
            (
                "/sub-products?category=South+Indian",
                "/sub-products?x=1&category=South%20Indian&y=2&search=",
                200,
            ),
            (
                "/products?category=Beverages",
                "/products?category=beverages",
                200,
            ),
            ("/products", "/products?category=made-up", 200),
        ] {
            // Another test may change a product between the two requests.
            let what = format!("{page} and {same} are one page");
            eventually(&what, async || {
                let (one, other) = (browser.get(page).await, browser.get(same).await);
                html(&one, status);
                html(&other, status);
                assert!(!one.header("etag").is_empty(), "{page}");
                one.header("etag") == other.header("etag")
            })
            .await;
        }
        let category = browser.get("/sub-products?category=Beverages").await;
        let list = body(html(&category, 200));
        assert!(list.contains("Chai Masala") && !list.contains("Goda Masala"));
    });
}

#[test]
fn rendered_searches_per_ip_are_limited() {
    let enable_rate_limit = |config: &mut mirasa_server::config::Config| {
        config.rate_limit = mirasa_server::config::OnOff::On;
    };
    on_sqlite_fresh(enable_rate_limit, async |shop| {
        let from = |address: [u8; 4]| TestClient::new(client(Some(address.into())), &shop.base);
        let is_rendered = async |browser: &TestClient, path: &str| {
            let page = browser.get(path).await;
            html(&page, 200).contains("<h1")
        };
        let visitor = from([127, 0, 0, 41]);
        assert!(is_rendered(&visitor, "/search?q=masala").await);
        let mut rendered = 0;
        for n in 0..60 {
            let path = match n % 3 {
                0 => format!("/search?q=masala{n}"),
                1 => format!("/sub-products?search=masala{n}"),
                _ => format!("/sub-products?category=Veg&category=x{n}"),
            };
            rendered += u32::from(is_rendered(&visitor, &path).await);
        }
        assert!((1..40).contains(&rendered), "{rendered} were rendered");
        assert!(is_rendered(&visitor, "/sub-products?category=Veg").await);
        let other_ip = from([127, 0, 0, 42]);
        assert!(is_rendered(&other_ip, "/search?q=goda").await, "another IP");
    });
}
