//! An append-only log of JSON lines. Entries are read by their offset, so that the state need not
//! be in memory.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Error, Result, Write as _};
use std::os::unix::fs::FileExt as _;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The position of an entry in the file, now or once it is written.
#[derive(Clone, Copy)]
pub(crate) struct LogOffset {
    position: u64,
    length: usize,
}

pub(crate) struct AppendLog {
    file: File,
    /// Bytes of complete lines that are on disk.
    saved: u64,
    /// Entries that are not in the file yet. They follow directly after the saved ones.
    unsaved: Vec<u8>,
    /// False after a failed read or write: the content of the disk is unknown then, and every
    /// further operation fails until a restart.
    healthy: bool,
}

impl AppendLog {
    /// Calls `on_entry` for every entry. Drops a last line without its end: the process died while
    /// writing it, before any response.
    pub(crate) fn open<T: DeserializeOwned>(
        file: File,
        mut on_entry: impl FnMut(T, LogOffset),
    ) -> Result<AppendLog> {
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        let mut saved = 0;
        while lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            let offset = LogOffset {
                position: saved,
                length: line.len(),
            };
            let content = serde_json::from_slice(&line)
                .map_err(|_| Error::other("a line of the record cannot be read"))?;
            on_entry(content, offset);
            saved += line.len() as u64;
            line.clear();
        }
        if !line.is_empty() {
            file.set_len(saved)?;
            file.sync_all()?;
        }
        Ok(AppendLog {
            file,
            saved,
            unsaved: Vec::new(),
            healthy: true,
        })
    }

    pub(crate) fn append(&mut self, content: &impl Serialize) -> LogOffset {
        let start = self.unsaved.len();
        // Text and numbers always serialise, so the default loses nothing.
        self.unsaved
            .extend(serde_json::to_vec(content).unwrap_or_default());
        self.unsaved.push(b'\n');
        LogOffset {
            position: self.saved + start as u64,
            length: self.unsaved.len() - start,
        }
    }

    /// None if it cannot be read. `save` returns false then, so that no response is sent.
    pub(crate) fn read<T: DeserializeOwned>(&mut self, offset: LogOffset) -> Option<T> {
        let read = self.try_read(offset);
        self.or_poison(read)
    }

    fn try_read<T: DeserializeOwned>(&self, offset: LogOffset) -> Result<T> {
        let LogOffset { position, length } = offset;
        if let Some(start) = position.checked_sub(self.saved) {
            let line = usize::try_from(start)
                .ok()
                .and_then(|start| self.unsaved.get(start..start + length))
                .ok_or_else(|| Error::other("a line was lost when it was written"))?;
            return Ok(serde_json::from_slice(line)?);
        }
        let mut line = vec![0; length];
        self.file.read_exact_at(&mut line, position)?;
        Ok(serde_json::from_slice(&line)?)
    }

    /// Writes the appended entries to disk. False if this or an earlier read has failed.
    pub(crate) fn save(&mut self) -> bool {
        if self.healthy && !self.unsaved.is_empty() {
            let saved = (&self.file)
                .write_all(&self.unsaved)
                .and_then(|()| self.file.sync_data());
            if self.or_poison(saved).is_some() {
                self.saved += self.unsaved.len() as u64;
            }
        }
        self.unsaved.clear();
        self.healthy
    }

    fn or_poison<T>(&mut self, outcome: Result<T>) -> Option<T> {
        outcome
            .inspect_err(|error| {
                if self.healthy {
                    tracing::error!("a sandbox cannot keep its record: {error}");
                }
                self.healthy = false;
            })
            .ok()
    }
}
