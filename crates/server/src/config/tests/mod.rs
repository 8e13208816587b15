use clap::Parser as _;

use super::*;
use crate::cli::{Cli, Command};

fn load(flags: Flags, environment: &[(&str, &str)]) -> Result<Config, String> {
    let pairs = environment.iter();
    let environment = pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::from_sources(&flags, &environment.collect()).map_err(|error| error.to_string())
}

#[test]
fn defaults_are_complete() {
    let config = load(Flags::default(), &[]).unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.shop.name, "Mirasa");
    assert!(config.uses_sandbox_google());
    assert_eq!(
        config.database().unwrap(),
        DatabaseUrl::Sqlite("data/mirasa.db".into())
    );
}

#[test]
fn flag_overrides_variable_overrides_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    std::fs::write(
        &file,
        "listen = \"127.0.0.1:1\"\nlog = \"warn\"\n[shop]\nname = \"Rasoi\"\n",
    )
    .unwrap();
    let with_file = Flags {
        config: Some(file),
        ..Flags::default()
    };
    let config = load(with_file.clone(), &[]).unwrap();
    assert_eq!(
        (
            config.listen.port(),
            config.log.as_str(),
            config.shop.name.as_str()
        ),
        (1, "warn", "Rasoi")
    );
    assert_eq!(
        config.shop.tagline, "Masalas ground the slow way",
        "what the file leaves out keeps its default"
    );

    let variables = [
        ("MIRASA_LISTEN", "127.0.0.1:2"),
        ("MIRASA_ADMIN_EMAILS", "a@b.c, d@e.f"),
        ("MIRASA_SHOP_MAP_LATITUDE", "1.5"),
    ];
    let config = load(with_file.clone(), &variables).unwrap();
    assert_eq!(
        (
            config.listen.port(),
            config.admin_emails.len(),
            config.shop.map.latitude
        ),
        (2, 2, 1.5)
    );

    let config = load(
        Flags {
            listen: Some("127.0.0.1:3".into()),
            ..with_file
        },
        &variables,
    )
    .unwrap();
    assert_eq!(config.listen.port(), 3);
}

#[test]
fn config_error_names_the_key() {
    let error_of = |environment: &[(&str, &str)]| load(Flags::default(), environment).unwrap_err();
    assert!(error_of(&[("MIRASA_LISTEN", "nowhere")]).contains("key listen"));
    assert!(error_of(&[("MIRASA_SESSION_DAYS", "soon")]).contains("key session_days"));
    assert!(error_of(&[("MIRASA_SESSION_DAYS", "0")]).contains("key session_days"));
    assert!(error_of(&[("DATABASE_URL", "mysql://x")]).contains("key database_url"));
    let replica = [("MIRASA_DATABASE_REPLICA_URL", "postgres://h/shop")];
    assert!(error_of(&replica).contains("key database_replica_url: only PostgreSQL has replicas"));
    let replica = [
        ("DATABASE_URL", "postgres://h/shop"),
        ("MIRASA_DATABASE_REPLICA_URL", "sqlite:shop.db"),
    ];
    assert!(error_of(&replica).contains("key database_replica_url: only PostgreSQL has replicas"));
    assert!(error_of(&[("MIRASA_PUBLIC_URL", "mirasa.example")]).contains("key public_url"));
    assert!(error_of(&[("MIRASA_GOOGLE_CLIENT_ID", "x")]).contains("key google.client_secret"));
    assert!(error_of(&[("MIRASA_PRODUCTION", "maybe")]).contains("key production"));
    assert!(error_of(&[("MIRASA_RATE_LIMIT", "maybe")]).contains("key rate_limit"));
    assert!(error_of(&[("MIRASA_PICTURES_BUCKET", "b")]).contains("key pictures.access_key"));
    assert!(error_of(&[("MIRASA_PICTURES_ENDPOINT", "s3")]).contains("key pictures.endpoint"));
    let proxies = [("MIRASA_TRUSTED_PROXIES", "10.0.0.0/8, proxy.local")];
    assert!(error_of(&proxies).contains("\"proxy.local\" is neither"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    std::fs::write(&file, "listne = \"x\"").unwrap();
    assert!(
        load(
            Flags {
                config: Some(file),
                ..Flags::default()
            },
            &[]
        )
        .unwrap_err()
        .contains("listne")
    );
}

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

#[test]
fn unknown_variable_is_rejected() {
    for unknown in [
        "MIRASA_LISTNE",
        "MIRASA_GOOGLE_SECRET",
        "MIRASA_DATABASE_URL",
        "MIRASA_",
    ] {
        let said = load(Flags::default(), &[(unknown, "x")]).unwrap_err();
        assert!(said.contains(unknown), "{said}");
    }
    for (name, value) in [
        ("MIRASA_FAILPOINT", "settled"),
        ("MIRASA_TEST_POSTGRES", "postgres://…"),
        ("MIRASA_SHOP_GRIEVANCE_OFFICER_NAME", "Meera"),
        ("MIRASA_SANDBOX_PUBLIC_DEMO", "true"),
        ("SOMETHING_ELSE", "x"),
    ] {
        assert!(load(Flags::default(), &[(name, value)]).is_ok(), "{name}");
    }
}

#[test]
fn variable_that_is_not_utf8_is_rejected() {
    use std::os::unix::ffi::OsStringExt as _;
    let no_text = || std::ffi::OsString::from_vec(vec![0xff]);
    let read = |name: &str| layers::read_environment([(name.into(), no_text())].into_iter());
    let said = read("MIRASA_LISTEN").unwrap_err().to_string();
    assert!(said.contains("MIRASA_LISTEN"), "{said}");
    assert!(read("LESSOPEN").unwrap().is_empty());
}

#[test]
fn public_demo_rejects_real_providers() {
    let demo = ("MIRASA_SANDBOX_PUBLIC_DEMO", "true");
    assert!(load(Flags::default(), &[demo]).is_ok());
    let real = [
        demo,
        ("MIRASA_GOOGLE_CLIENT_ID", "id"),
        ("MIRASA_GOOGLE_CLIENT_SECRET", "secret"),
    ];
    let said = load(Flags::default(), &real).unwrap_err();
    assert!(said.contains("key sandbox.public_demo"), "{said}");
}

/// Every setting that is a secret, and every URL with a password.
#[test]
fn config_debug_shows_no_secret() {
    let config = load(
        Flags::default(),
        &[
            ("DATABASE_URL", "postgres://shop:hush-db@127.0.0.1/shop"),
            ("MIRASA_METRICS_TOKEN", "hush-metrics"),
            ("MIRASA_GOOGLE_CLIENT_ID", "id"),
            ("MIRASA_GOOGLE_CLIENT_SECRET", "hush-google"),
            ("MIRASA_PHONEPE_CLIENT_ID", "id"),
            ("MIRASA_PHONEPE_CLIENT_SECRET", "hush-phonepe"),
            ("MIRASA_PHONEPE_WEBHOOK_USERNAME", "name"),
            ("MIRASA_PHONEPE_WEBHOOK_PASSWORD", "hush-webhook"),
            (
                "MIRASA_MAIL_SMTP_URL",
                "smtps://shop:hush-mail@mail.example",
            ),
            ("MIRASA_SANDBOX_SECRET", "hush-sandbox"),
            ("MIRASA_PICTURES_BUCKET", "pictures"),
            ("MIRASA_PICTURES_ACCESS_KEY", "hush-access"),
            ("MIRASA_PICTURES_SECRET_KEY", "hush-key"),
        ],
    )
    .unwrap();
    for shown in [
        format!("{config:?}"),
        format!("{config:#?}"),
        format!("{:?}", config.database().unwrap()),
    ] {
        assert!(!shown.contains("hush"), "{shown}");
    }
    assert!(format!("{config:?}").contains("metrics_token: (set)"));
}

#[test]
fn file_syntax_error_names_the_position_without_quoting_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.toml");
    for (text, place) in [
        (
            "log = \"warn\"\nmetrics_token = \"hush-metrics\n",
            "shop.toml: line 2, column ",
        ),
        (
            "database_url = postgres://shop:hush-db@127.0.0.1/shop",
            "shop.toml: line 1, column ",
        ),
        (
            "# मसाला\n\n[google]\nclient_secret = \"hush\" \"google\"",
            "shop.toml: line 4, column 24: ",
        ),
        (
            "sandbox.secret = \"hush\"\nsandbox.secret = \"hush\"",
            "shop.toml: line 2, column ",
        ),
        ("metrics_token = 4855", "key metrics_token: must be a text"),
        (
            "[google]\nclient_secret = [\"hush\"]",
            "key google.client_secret: must be a text",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let flags = Flags {
            config: Some(file.clone()),
            ..Flags::default()
        };
        let said = load(flags, &[]).unwrap_err();
        assert!(said.contains(place), "{said}");
        let shown = ["hush", "4855"].map(|secret| said.contains(secret));
        assert_eq!(shown, [false, false], "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn cli_debug_shows_no_secret() {
    let url = "postgres://shop:hush-db@127.0.0.1/shop";
    let cli = Cli::try_parse_from(["mirasa", "serve", "--database-url", url]).unwrap();
    for shown in [format!("{cli:?}"), format!("{cli:#?}")] {
        assert!(!shown.contains("hush"), "{shown}");
        assert!(shown.contains("(set)"), "{shown}");
    }
    let Command::Serve(flags) = cli.command else {
        unreachable!()
    };
    assert_eq!(load(flags, &[]).unwrap().database_url.expose(), url);
}

#[test]
fn tax_settings_are_checked_at_the_start() {
    let settings = |environment: &[(&str, &str)]| {
        let config = load(Flags::default(), environment)?;
        config.tax_settings().map_err(|error| error.to_string())
    };
    let defaults = settings(&[]).unwrap();
    assert_eq!(defaults.seller.gstin, tax::DEMO_GSTIN);
    assert_eq!(defaults.seller.legal_name, "Mirasa Foods Pvt. Ltd.");
    for (name, value, key) in [
        ("MIRASA_TAX_GSTIN", "", "tax.gstin"),
        ("MIRASA_TAX_GSTIN", "27AAPFU0939F1Z", "tax.gstin"),
        ("MIRASA_TAX_GSTIN", "27AAPFU0939F1ZW", "tax.gstin"),
        ("MIRASA_TAX_GSTIN", "29AAGCB7383J1Z4", "tax.gstin"),
        ("MIRASA_TAX_STATE", "Karnataka", "tax.gstin"),
        ("MIRASA_TAX_STATE", "Atlantis", "tax.state"),
        ("MIRASA_TAX_REGISTRATION", "perhaps", "tax.registration"),
        ("MIRASA_TAX_HSN_DIGITS", "5", "tax.hsn_digits"),
        ("MIRASA_TAX_INVOICE_PREFIX", "MIRA", "tax.invoice_prefix"),
        ("MIRASA_TAX_INVOICE_PREFIX", "", "tax.invoice_prefix"),
        (
            "MIRASA_TAX_BILL_OF_SUPPLY_PREFIX",
            "mir",
            "tax.bill_of_supply_prefix",
        ),
        (
            "MIRASA_TAX_CREDIT_NOTE_PREFIX",
            "MIR",
            "tax.credit_note_prefix",
        ),
        ("MIRASA_TAX_RATES", "2103 5%", "tax.rates"),
        ("MIRASA_TAX_RATES", "2103 5% from 2025-02-30", "tax.rates"),
        ("MIRASA_TAX_RATES", "x 5% from 2025-02-20", "tax.rates"),
        ("MIRASA_TAX_RATES", "2103 105% from 2025-02-20", "tax.rates"),
    ] {
        let error = settings(&[(name, value)]).unwrap_err();
        assert!(error.contains(&format!("key {key}:")), "{value}: {error}");
    }
    let own = settings(&[
        ("MIRASA_TAX_GSTIN", "29aagcb7383j1z4"),
        ("MIRASA_TAX_STATE", "karnataka"),
        ("MIRASA_TAX_LEGAL_NAME", "Asha Foods"),
        (
            "MIRASA_TAX_RATES",
            "21 2.5% from 2026-01-01, 0910 0% from 2026-01-01",
        ),
    ])
    .unwrap();
    assert_eq!(own.seller.gstin, "29AAGCB7383J1Z4");
    assert_eq!(
        (own.state.code(), own.seller.legal_name.as_str()),
        (29, "Asha Foods")
    );
    assert_eq!(own.rates.len(), 2);
    assert_eq!(own.rates[0].rate.basis_points(), 250);
    let none = settings(&[
        ("MIRASA_TAX_REGISTRATION", "unregistered"),
        ("MIRASA_TAX_GSTIN", ""),
    ]);
    assert_eq!(none.unwrap().seller.gstin, "", "without a number");
}
