//! Where settings come from, and what an error about one says.

mod production;
mod secrets;
mod tax;

use super::*;

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
