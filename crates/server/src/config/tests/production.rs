//! What `production = true` rejects.

use super::load;
use crate::cli::Flags;

#[test]
fn production_rejects_sandboxes_and_plaintext() {
    // Each step sets what was missing in the step before.
    let steps: [(&[(&str, &str)], &str); 5] = [
        (&[], "sandbox Google"),
        (
            &[
                ("MIRASA_GOOGLE_CLIENT_ID", "id"),
                ("MIRASA_GOOGLE_CLIENT_SECRET", "secret"),
            ],
            "sandbox gateway",
        ),
        (
            &[
                ("MIRASA_PHONEPE_CLIENT_ID", "id"),
                ("MIRASA_PHONEPE_CLIENT_SECRET", "secret"),
                ("MIRASA_PHONEPE_WEBHOOK_USERNAME", "name"),
                ("MIRASA_PHONEPE_WEBHOOK_PASSWORD", "secret"),
            ],
            "key mail.smtp_url",
        ),
        (
            &[("MIRASA_MAIL_SMTP_URL", "smtps://mail.mirasa.example")],
            "key public_url",
        ),
        (
            &[("MIRASA_PUBLIC_URL", "https://mirasa.example")],
            "key admin_emails",
        ),
    ];
    let production = |environment: &[(&str, &str)]| {
        let flags = Flags {
            production: true,
            ..Flags::default()
        };
        load(flags, environment)
    };
    let mut environment = Vec::new();
    for (more, refusal) in steps {
        environment.extend_from_slice(more);
        let said = production(&environment).unwrap_err();
        assert!(said.contains(refusal), "{said}");
    }
    environment.push(("MIRASA_ADMIN_EMAILS", "owner@mirasa.example"));
    let error = production(&environment).unwrap_err();
    assert!(error.contains("key tax.gstin"), "the demo's: {error}");
    let unregistered = [("MIRASA_TAX_REGISTRATION", "unregistered")];
    assert!(production(&[&environment[..], &unregistered[..]].concat()).is_ok());
    environment.push(("MIRASA_TAX_GSTIN", "27AAPFU0939F1ZV"));
    assert!(production(&environment).is_ok());
    let with = |name: &'static str, value: &'static str| {
        let mut environment = environment.clone();
        environment.retain(|(known, _)| *known != name);
        environment.push((name, value));
        production(&environment)
    };

    for (name, value, key) in [
        ("MIRASA_RATE_LIMIT", "off", "rate_limit"),
        (
            "MIRASA_GOOGLE_ISSUER",
            "http://accounts.google.com",
            "google.issuer",
        ),
        (
            "MIRASA_PHONEPE_PAYMENT_BASE",
            "http://api.phonepe.com/apis/pg",
            "phonepe.payment_base",
        ),
        (
            "MIRASA_PHONEPE_TOKEN_BASE",
            "http://127.0.0.1:1",
            "phonepe.token_base",
        ),
        (
            "MIRASA_MAIL_SMTP_URL",
            "smtp://shop:hush@mail.mirasa.example:587",
            "mail.smtp_url",
        ),
        (
            "MIRASA_MAIL_SMTP_URL",
            "smtp://shop:hush@mail.mirasa.example:587?tls=opportunistic",
            "mail.smtp_url",
        ),
        (
            "DATABASE_URL",
            "postgres://shop:hush@db.mirasa.example/shop",
            "database_url",
        ),
        (
            "DATABASE_URL",
            "postgres://shop:hush@10.0.0.5/shop?sslmode=prefer",
            "database_url",
        ),
        (
            "DATABASE_URL",
            "postgres://shop@127.0.0.1,db.mirasa.example/shop",
            "database_url",
        ),
        ("MIRASA_SANDBOX_PUBLIC_DEMO", "true", "sandbox.public_demo"),
    ] {
        let said = with(name, value).unwrap_err();
        assert!(said.contains(&format!("key {key}:")), "{value}: {said}");
        assert!(!said.contains("hush"), "{said}");
    }
    for (name, value) in [
        (
            "MIRASA_MAIL_SMTP_URL",
            "smtp://shop:hush@mail.mirasa.example:587?tls=required",
        ),
        ("MIRASA_MAIL_SMTP_URL", "smtp://127.0.0.1:25"),
        ("DATABASE_URL", "postgres://shop:hush@127.0.0.1/shop"),
        ("DATABASE_URL", "postgres://shop:hush@localhost/shop"),
        ("DATABASE_URL", "postgres://shop@[::1]/shop"),
        ("DATABASE_URL", "postgres://shop@%2Frun%2Fpostgresql/shop"),
        (
            "DATABASE_URL",
            "postgres://shop:hush@db.mirasa.example/shop?sslmode=verify-full",
        ),
        (
            "DATABASE_URL",
            "postgres://shop:hush@db.mirasa.example/shop?sslmode=require",
        ),
        ("DATABASE_URL", "sqlite:/var/lib/mirasa/shop.db"),
    ] {
        assert!(
            with(name, value).is_ok(),
            "{value}: {:?}",
            with(name, value)
        );
    }
}
