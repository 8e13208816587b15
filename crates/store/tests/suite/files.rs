//! Files of the store are not readable by other users of the machine.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use mirasa_store::maintenance::backup::backup;
use mirasa_store::{DatabaseUrl, PoolSize};

use crate::engines::{for_each_engine, sqlite};
use crate::products::add_product;

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The umask belongs to the process. The tests expect the usual 022.
#[tokio::test]
async fn new_database_is_readable_by_its_user_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/data/shop.db");
    let url = DatabaseUrl::Sqlite(file.clone());
    let db = mirasa_store::open(&url, PoolSize(2)).await.unwrap();
    add_product(&db, "Goda Masala").await;
    assert_eq!(mode(file.parent().unwrap()), 0o700);
    assert_eq!(mode(&folder.path().join("new")), 0o700);
    for suffix in ["", "-wal", "-shm"] {
        let name = format!("{}{suffix}", file.display());
        assert_eq!(mode(Path::new(&name)), 0o600, "{name}");
    }
}

#[tokio::test]
async fn existing_database_gets_private_mode_and_its_folder_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let file = folder.path().join("shop.db");
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o664)).unwrap();
    let url = DatabaseUrl::Sqlite(file.clone());
    drop(mirasa_store::open(&url, PoolSize(1)).await.unwrap());
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(folder.path()), 0o755);
}

#[tokio::test]
async fn backup_is_private_and_replaces_an_older_one() {
    for_each_engine(|shop| async move {
        let folder = shop.folder.path().join("backups");
        fs::create_dir(&folder).unwrap();
        let file = folder.join("shop.jsonl");
        for _ in 0..2 {
            backup(&shop.url, &file).await.unwrap();
            assert_eq!(mode(&file), 0o600);
            fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        }
        let left = fs::read_dir(&folder).unwrap().count();
        assert_eq!(left, 1, "no temporary file is left");
    })
    .await;
}

#[tokio::test]
async fn backup_rejects_links_and_folders() {
    let shop = sqlite().await;
    let folder = shop.folder.path();
    let precious = folder.join("precious");
    fs::write(&precious, "precious").unwrap();
    let link = folder.join("shop.jsonl");
    symlink(&precious, &link).unwrap();
    // The temporary name of earlier versions.
    symlink(&precious, folder.join("shop.unfinished")).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    for file in [link, folder.join("folder")] {
        let error = backup(&shop.url, &file).await.unwrap_err().to_string();
        assert!(error.contains("not a file"), "{error}");
    }
    backup(&shop.url, &folder.join("shop.backup"))
        .await
        .unwrap();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    assert!(
        fs::symlink_metadata(folder.join("shop.jsonl"))
            .unwrap()
            .is_symlink()
    );
}

#[tokio::test]
async fn failed_backup_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let missing = DatabaseUrl::Sqlite(folder.path().join("nowhere.db"));
    let file = folder.path().join("shop.jsonl");
    assert!(backup(&missing, &file).await.is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
