//! The files of the web build, in memory: a release binary carries them, a debug binary reads them from `web/dist` when
//! the first one is needed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};
use std::{env, fs, io};

use bytes::Bytes;
use http::HeaderValue;
use sha2::{Digest as _, Sha256};

pub struct WebFile {
    pub bytes: Bytes,
    etag: OnceLock<Option<HeaderValue>>,
}

impl WebFile {
    fn new(bytes: Bytes) -> WebFile {
        WebFile {
            bytes,
            etag: OnceLock::new(),
        }
    }

    pub fn etag(&self) -> Option<HeaderValue> {
        let make = || {
            let hash = Sha256::digest(&self.bytes);
            let text = format!("\"{}\"", base16ct::lower::encode_string(&hash[..12]));
            HeaderValue::from_str(&text).ok()
        };
        self.etag.get_or_init(make).clone()
    }
}

static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

static FILES: LazyLock<HashMap<String, WebFile>> = LazyLock::new(|| {
    if cfg!(debug_assertions) && EMBEDDED.is_empty() {
        read_build_folder()
    } else {
        let files = EMBEDDED.iter();
        files
            .map(|(name, bytes)| ((*name).to_owned(), WebFile::new(Bytes::from_static(bytes))))
            .collect()
    }
});

/// The file at this path below `web/dist`.
pub fn get(name: &str) -> Option<&'static WebFile> {
    FILES.get(name)
}

fn read_build_folder() -> HashMap<String, WebFile> {
    let mut files = HashMap::new();
    if let Some(folder) = build_folder()
        && let Err(error) = read_folder(&folder, "", &mut files)
    {
        tracing::error!(%error, folder = %folder.display(), "cannot read the web build");
    }
    files
}

/// The `web/dist` of the checkout that the process runs in. Not the one where it was compiled: checkouts share their
/// build folder. cargo sets the variable for tests, whose servers may run in a temporary folder.
fn build_folder() -> Option<PathBuf> {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let starts = [env::current_dir().ok(), package];
    let folders = starts.iter().flatten().flat_map(|start| start.ancestors());
    folders
        .map(|folder| folder.join("web/dist"))
        .find(|dist| dist.join("client").is_dir())
}

fn read_folder(
    folder: &Path,
    prefix: &str,
    files: &mut HashMap<String, WebFile>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            read_folder(&path, &format!("{name}/"), files)?;
        } else {
            files.insert(name, WebFile::new(fs::read(&path)?.into()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    static LIST: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/test_files.rs"));

    #[test]
    fn list_of_embedded_files_has_their_bytes() {
        let expected: [(&str, &[u8]); 2] = [
            ("Cargo.toml", include_bytes!("../../Cargo.toml")),
            ("build.rs", include_bytes!("../../build.rs")),
        ];
        assert_eq!(LIST, expected);
    }
}
