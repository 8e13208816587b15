use super::*;

fn load(flags: Flags, environment: &[(&str, &str)]) -> Result<Config, String> {
    let find = |name: &str| {
        environment
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| (*value).to_owned())
    };
    Config::from_parts(&flags, find).map_err(|error| error.to_string())
}

#[test]
fn the_defaults_are_complete() {
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
fn a_flag_wins_over_the_variable_and_that_over_the_file() {
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
fn what_is_wrong_is_named_by_its_key() {
    let says = |environment: &[(&str, &str)]| load(Flags::default(), environment).unwrap_err();
    assert!(says(&[("MIRASA_LISTEN", "nowhere")]).contains("key listen"));
    assert!(says(&[("MIRASA_SESSION_DAYS", "soon")]).contains("key session_days"));
    assert!(says(&[("MIRASA_SESSION_DAYS", "0")]).contains("key session_days"));
    assert!(says(&[("DATABASE_URL", "mysql://x")]).contains("key database_url"));
    assert!(says(&[("MIRASA_PUBLIC_URL", "mirasa.example")]).contains("key public_url"));
    assert!(says(&[("MIRASA_GOOGLE_CLIENT_ID", "x")]).contains("key google.client_secret"));
    assert!(says(&[("MIRASA_PRODUCTION", "maybe")]).contains("key production"));
    assert!(says(&[("MIRASA_RATE_LIMIT", "maybe")]).contains("key rate_limit"));
    assert!(says(&[("MIRASA_PICTURES_BUCKET", "b")]).contains("key pictures.access_key"));
    assert!(says(&[("MIRASA_PICTURES_ENDPOINT", "s3")]).contains("key pictures.endpoint"));
    let proxies = [("MIRASA_TRUSTED_PROXIES", "10.0.0.0/8, proxy.local")];
    assert!(says(&proxies).contains("\"proxy.local\" is neither"));
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
fn production_refuses_what_is_only_for_trying_out() {
    // Each step sets what the step before was refused for.
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
    assert!(production(&environment).is_ok());
}

#[test]
fn a_configuration_shows_no_secret() {
    let config = load(
        Flags::default(),
        &[
            ("MIRASA_GOOGLE_CLIENT_ID", "id"),
            ("MIRASA_GOOGLE_CLIENT_SECRET", "hush"),
            ("MIRASA_SANDBOX_SECRET", "hush"),
            ("MIRASA_PICTURES_BUCKET", "pictures"),
            ("MIRASA_PICTURES_ACCESS_KEY", "hush"),
            ("MIRASA_PICTURES_SECRET_KEY", "hush"),
        ],
    )
    .unwrap();
    assert!(!format!("{config:?}").contains("hush"));
}
