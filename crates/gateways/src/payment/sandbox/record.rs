//! The file of the books: lines of JSON, and where each of them lies, so that the books need not hold in memory
//! what they can read again.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Error, Result, Write as _};
use std::os::unix::fs::FileExt as _;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Where a line lies in the file, now or once it is written.
#[derive(Clone, Copy)]
pub(super) struct Place {
    at: u64,
    length: usize,
}

pub(super) struct Record {
    file: File,
    /// How much of the file is whole lines, all of them on disk.
    saved: u64,
    /// Lines that are not in the file yet. They come right after what is saved.
    unsaved: Vec<u8>,
    /// False once reading or writing has failed: nobody knows then what is on disk, so nothing more is promised
    /// until a restart.
    sound: bool,
}

impl Record {
    /// Shows every line that is there. A last one without its end was being written when the program died. Nobody
    /// was told of it: it goes.
    pub(super) fn open<T: DeserializeOwned>(
        file: File,
        mut show: impl FnMut(T, Place),
    ) -> Result<Record> {
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        let mut saved = 0;
        while lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            let place = Place {
                at: saved,
                length: line.len(),
            };
            let content = serde_json::from_slice(&line)
                .map_err(|_| Error::other("a line of the record cannot be read"))?;
            show(content, place);
            saved += line.len() as u64;
            line.clear();
        }
        if !line.is_empty() {
            file.set_len(saved)?;
            file.sync_all()?;
        }
        Ok(Record {
            file,
            saved,
            unsaved: Vec::new(),
            sound: true,
        })
    }

    pub(super) fn add(&mut self, content: &impl Serialize) -> Place {
        let start = self.unsaved.len();
        // Text and numbers always serialise, so nothing is lost by the default.
        self.unsaved
            .extend(serde_json::to_vec(content).unwrap_or_default());
        self.unsaved.push(b'\n');
        Place {
            at: self.saved + start as u64,
            length: self.unsaved.len() - start,
        }
    }

    /// None where it cannot be read. Nobody hears of that: see `save`.
    pub(super) fn read<T: DeserializeOwned>(&mut self, place: Place) -> Option<T> {
        let read = self.try_read(place);
        self.or_broken(read)
    }

    fn try_read<T: DeserializeOwned>(&self, place: Place) -> Result<T> {
        let Place { at, length } = place;
        if let Some(start) = at.checked_sub(self.saved) {
            let line = usize::try_from(start)
                .ok()
                .and_then(|start| self.unsaved.get(start..start + length))
                .ok_or_else(|| Error::other("a line was lost when it was written"))?;
            return Ok(serde_json::from_slice(line)?);
        }
        let mut line = vec![0; length];
        self.file.read_exact_at(&mut line, at)?;
        Ok(serde_json::from_slice(&line)?)
    }

    /// Brings to disk what was added. False where nothing may be said of it, nor of what was read.
    pub(super) fn save(&mut self) -> bool {
        if self.sound && !self.unsaved.is_empty() {
            let saved = (&self.file)
                .write_all(&self.unsaved)
                .and_then(|()| self.file.sync_data());
            if self.or_broken(saved).is_some() {
                self.saved += self.unsaved.len() as u64;
            }
        }
        self.unsaved.clear();
        self.sound
    }

    fn or_broken<T>(&mut self, outcome: Result<T>) -> Option<T> {
        outcome
            .inspect_err(|error| {
                if self.sound {
                    tracing::error!("the sandbox gateway cannot keep its record: {error}");
                }
                self.sound = false;
            })
            .ok()
    }
}
