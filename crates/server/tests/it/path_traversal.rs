//! Paths that would lead out of their folder: the pictures', the web app's. Sent as they are, because every
//! well-behaved client tidies them up first.

use crate::harness::on_sqlite_fresh;

const SECRET: &str = "nobody may read this over HTTP";

/// Up and out, in every spelling that a server or proxy has ever decoded once too often.
const UP: [&str; 14] = [
    "../",
    "..%2f",
    "..%2F",
    "%2e%2e/",
    "%2e%2e%2f",
    "%2E%2E%2F",
    ".%2e/",
    "..\\",
    "..%5c",
    "%252e%252e%252f",
    "..%252f",
    "%c0%ae%c0%ae/",
    "..%c0%af",
    "....//",
];

#[test]
fn no_path_leads_out_of_its_folder() {
    // No database has a say in it.
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let data = &shop.config.data;
            let pictures = data.join("pictures");
            std::fs::create_dir_all(pictures.join("products")).unwrap();
            for place in [data.join("secret.txt"), pictures.join("secret.txt")] {
                std::fs::write(place, SECRET).unwrap();
            }
            let mut tried = 0;
            for start in [
                "/images/products/",
                "/images/people/",
                "/images/site/",
                "/images/",
                "/assets/",
                "/",
            ] {
                for up in UP {
                    for (levels, file) in [
                        (1, "secret.txt"),
                        (2, "secret.txt"),
                        (3, "secret.txt"),
                        (1, "server/render.js"),
                        (2, "server/render.js"),
                        (3, "Cargo.toml"),
                        (8, "etc/passwd"),
                    ] {
                        let file = if up.ends_with('/') {
                            file.to_owned()
                        } else {
                            file.replace('/', "%2f")
                        };
                        let path = format!("{start}{}{file}", up.repeat(levels));
                        let (status, response) = shop.raw_get(&path).await;
                        assert!(matches!(status, 400 | 404), "{path}: {response:.300}");
                        assert!(!response.contains(SECRET), "{path}");
                        tried += 1;
                    }
                }
            }
            assert_eq!(tried, 6 * 14 * 7);
            for path in [
                "/images/products/%2fetc%2fpasswd",
                "/images/products//etc/passwd",
                "//etc/passwd",
                "/images/..%2fproducts/secret.txt",
                "/images/products%2f../secret.txt",
                "/images/products/.hidden",
                "/images/products/%00",
                "/images/index/products",
                "/images/renditions/products",
                "/images/products/",
                "/images/products/.",
                "/images/products/%2e",
                "/assets/",
                "/assets/.",
                "/.env",
                "/.git/config",
                "/index.html",
                "/server/render.js",
            ] {
                let (status, response) = shop.raw_get(path).await;
                assert!(matches!(status, 400 | 404), "{path}: {response:.300}");
                assert!(!response.contains("root:"), "{path}");
            }
        },
    );
}
