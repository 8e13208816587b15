//! Files and folders that other users of the machine must not read: the database and its backups contain the names,
//! addresses and sessions of customers.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// The permission bits of group and others.
const OTHERS: u32 = 0o077;

/// Creates the folder for this user only. An existing folder keeps its mode: it may be shared deliberately, or be a
/// folder like /tmp.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER_MODE)
        .create(folder)
}

/// The mode of a folder that other users may read or enter.
pub fn mode_open_to_others(folder: &Path) -> io::Result<Option<u32>> {
    let mode = fs::metadata(folder)?.permissions().mode() & 0o7777;
    Ok((mode & OTHERS != 0).then_some(mode))
}

/// Creates the database file for this user only, before SQLite does, and removes the permissions of others from existing
/// files. SQLite gives its other files the same mode.
pub fn protect_database(file: &Path) -> io::Result<()> {
    let mut create = OpenOptions::new();
    create.write(true).create_new(true).mode(FILE_MODE);
    match create.open(file) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    for suffix in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        remove_rights_of_others(&PathBuf::from(name))?;
    }
    Ok(())
}

fn remove_rights_of_others(file: &Path) -> io::Result<()> {
    let mode = match fs::metadata(file) {
        Ok(found) => found.permissions().mode(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if mode & OTHERS == 0 {
        return Ok(());
    }
    // Only the owner of the file can change its mode. The server starts anyway.
    if let Err(error) = fs::set_permissions(file, Permissions::from_mode(mode & 0o700)) {
        let file = file.display();
        tracing::warn!(%file, %error, "other users can read the database");
    }
    Ok(())
}
