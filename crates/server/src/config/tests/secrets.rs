//! No output of the configuration shows a secret.

use clap::Parser as _;

use super::load;
use crate::cli::{Cli, Command, Flags};

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
