//! Admins by configuration: a user who is removed from `admin_emails` loses the role at the next start.

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

/// Restarts the server on the same data with these admins in the configuration.
async fn restart(shop: &TestShop, admin_emails: &[&str]) {
    let mut config = shop.config.clone();
    config.listen.set_port(0);
    config.admin_emails = admin_emails.iter().map(|&email| email.into()).collect();
    serve::start(&config, None).await.unwrap().stop().await;
}

fn two_admins(config: &mut Config) {
    config.admin_emails = vec![ADMIN.into(), PARTNER.to_uppercase()];
}

#[test]
fn user_removed_from_admin_emails_loses_the_admin_role() {
    for_each_engine_fresh(two_admins, async |shop| {
        let (admin, partner) = (shop.admin().await, shop.visitor());
        partner.sign_in(PARTNER).await;
        let promoted = shop.customer("promoted-by-admin").await;
        let (promoted_id, partner_id) = (id_of(&promoted).await, id_of(&partner).await);
        let path = format!("/api/admin/users/{promoted_id}");
        admin
            .put(&path, json!({ "role": "admin" }))
            .await
            .expect_ok();
        // Renaming an admin by configuration does not record the role as set by an admin.
        let path = format!("/api/admin/users/{partner_id}");
        admin
            .put(&path, json!({ "name": "Partner" }))
            .await
            .expect_ok();

        restart(shop, &[ADMIN, PARTNER]).await;
        assert!(is_admin(&admin).await && is_admin(&partner).await && is_admin(&promoted).await);

        restart(shop, &[ADMIN]).await;
        assert!(is_admin(&admin).await, "still in admin_emails");
        assert!(!is_admin(&partner).await, "removed from admin_emails");
        assert!(is_admin(&promoted).await, "promoted by an admin");
        let path = format!("/api/admin/audit?about={partner_id}");
        let newest = admin.get(&path).await.expect_ok()["entries"][0].take();
        assert_eq!(newest["who"], "configuration");
        assert_eq!(newest["action"], "user changed");
        let detail = newest["detail"].as_str().unwrap();
        assert!(detail.contains("admin_emails"), "{detail}");

        // This applies to the last admin, too: the configuration can name another one at any time.
        restart(shop, &[]).await;
        assert!(!is_admin(&admin).await);
        assert!(is_admin(&promoted).await);
        admin.sign_in(ADMIN).await;
        assert!(
            is_admin(&admin).await,
            "the configuration of this server names them"
        );
    });
}

#[test]
fn admins_without_a_role_source_get_one_at_the_start() {
    for_each_engine_fresh(two_admins, async |shop| {
        let partner = shop.visitor();
        partner.sign_in(PARTNER).await;
        let promoted = shop.customer("promoted-before").await;
        let promoted_id = id_of(&promoted).await;
        let admin = shop.admin().await;
        let path = format!("/api/admin/users/{promoted_id}");
        admin
            .put(&path, json!({ "role": "admin" }))
            .await
            .expect_ok();
        shop.sql("update users set role_source = null").await;

        restart(shop, &[ADMIN, PARTNER]).await;
        restart(shop, &[ADMIN]).await;
        assert!(
            !is_admin(&partner).await,
            "was in admin_emails when the source was recorded"
        );
        assert!(is_admin(&promoted).await, "was not in admin_emails");
    });
}
