//! Admins by configuration: who is removed from `admin_emails` loses the role at the next start.

use mirasa_server::config::Config;
use mirasa_server::serve;
use serde_json::json;

use crate::harness::{ADMIN, TestClient, TestShop, for_each_engine_fresh};

const PARTNER: &str = "partner@it.example";

async fn id_of(browser: &TestClient) -> String {
    let user = browser.get("/api/userinfo").await.expect_ok()["user"].take();
    user["_id"].as_str().unwrap().to_owned()
}

async fn is_admin(browser: &TestClient) -> bool {
    browser.get("/api/admin/users").await.status == 200
}

/// Another start of the program on the same data, with these admins by configuration.
async fn start_again(shop: &TestShop, admin_emails: &[&str]) {
    let mut config = shop.config.clone();
    config.listen.set_port(0);
    config.admin_emails = admin_emails.iter().map(|&email| email.into()).collect();
    serve::start(&config, None).await.unwrap().stop().await;
}

fn two_owners(config: &mut Config) {
    config.admin_emails = vec![ADMIN.into(), PARTNER.to_uppercase()];
}

#[test]
fn who_is_removed_from_the_configuration_is_an_admin_no_longer() {
    for_each_engine_fresh(two_owners, async |shop| {
        let (owner, partner) = (shop.admin().await, shop.visitor());
        partner.sign_in(PARTNER).await;
        let made = shop.customer("made-by-admin").await;
        let (made_id, partner_id) = (id_of(&made).await, id_of(&partner).await);
        let path = format!("/api/admin/users/{made_id}");
        owner
            .put(&path, json!({ "role": "admin" }))
            .await
            .expect_ok();
        // Another name of an admin by configuration does not make them one by the console.
        let path = format!("/api/admin/users/{partner_id}");
        owner
            .put(&path, json!({ "name": "Partner" }))
            .await
            .expect_ok();

        start_again(shop, &[ADMIN, PARTNER]).await;
        assert!(is_admin(&owner).await && is_admin(&partner).await && is_admin(&made).await);

        start_again(shop, &[ADMIN]).await;
        assert!(is_admin(&owner).await, "still named");
        assert!(!is_admin(&partner).await, "named no longer");
        assert!(is_admin(&made).await, "made by an admin");
        let path = format!("/api/admin/audit?about={partner_id}");
        let newest = owner.get(&path).await.expect_ok()["entries"][0].take();
        assert_eq!(newest["who"], "configuration");
        assert_eq!(newest["action"], "user changed");
        let detail = newest["detail"].as_str().unwrap();
        assert!(detail.contains("admin_emails"), "{detail}");

        // Even the last one: the configuration can name another at any time.
        start_again(shop, &[]).await;
        assert!(!is_admin(&owner).await);
        assert!(is_admin(&made).await);
        owner.sign_in(ADMIN).await;
        assert!(
            is_admin(&owner).await,
            "this program's configuration names them"
        );
    });
}

#[test]
fn admins_from_before_the_source_was_recorded_are_sorted_at_the_start() {
    for_each_engine_fresh(two_owners, async |shop| {
        let partner = shop.visitor();
        partner.sign_in(PARTNER).await;
        let made = shop.customer("made-before").await;
        let made_id = id_of(&made).await;
        let admin = shop.admin().await;
        let path = format!("/api/admin/users/{made_id}");
        admin
            .put(&path, json!({ "role": "admin" }))
            .await
            .expect_ok();
        shop.sql("update users set role_source = null").await;

        start_again(shop, &[ADMIN, PARTNER]).await;
        start_again(shop, &[ADMIN]).await;
        assert!(!is_admin(&partner).await, "was named when it was recorded");
        assert!(is_admin(&made).await, "was not");
    });
}
