//! The lines of a backup file, and the check of a whole file before anything is restored from it.
//!
//! The first line names the format, each following one is a row, and the last one has the number of rows of each table and
//! a checksum of all lines before it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek as _, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::maintenance::backup::TABLES;
use crate::sql::migrations;

/// Without an end line. Files of earlier versions can still be restored.
const FORMAT_WITHOUT_END: &str = "mirasa-backup-1";
const FORMAT: &str = "mirasa-backup-2";
const INCOMPLETE: &str = "the file is not complete: its last line, which says what it must contain, is missing or damaged";

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    migration: i64,
}

#[derive(Serialize, Deserialize)]
struct Line<'a> {
    table: &'a str,
    #[serde(borrow)]
    row: &'a RawValue,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    end: EndMark,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndMark {
    /// Of each table that has some.
    rows: BTreeMap<String, u64>,
    /// Of all bytes before this line.
    sha256: String,
}

impl End {
    fn new(rows: BTreeMap<String, u64>, hash: Sha256) -> End {
        let sha256 = base16ct::lower::encode_string(&hash.finalize());
        End {
            end: EndMark { rows, sha256 },
        }
    }
}

/// Writes the lines and remembers what the last one says.
pub struct BackupWriter<W> {
    out: W,
    hash: Sha256,
    rows: BTreeMap<String, u64>,
    line: Vec<u8>,
}

impl<W: Write> BackupWriter<W> {
    pub fn new(out: W) -> anyhow::Result<BackupWriter<W>> {
        let mut writer = BackupWriter {
            out,
            hash: Sha256::new(),
            rows: BTreeMap::new(),
            line: Vec::new(),
        };
        writer.write_line(&Header {
            format: FORMAT.into(),
            migration: migrations::newest(),
        })?;
        Ok(writer)
    }

    pub fn write_row(&mut self, table: &'static str, row: String) -> anyhow::Result<()> {
        let row = RawValue::from_string(row)?;
        self.write_line(&Line { table, row: &row })?;
        match self.rows.get_mut(table) {
            Some(rows) => *rows += 1,
            None => drop(self.rows.insert(table.to_owned(), 1)),
        }
        Ok(())
    }

    fn write_line(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line)?;
        self.line.push(b'\n');
        self.hash.update(&self.line);
        Ok(self.out.write_all(&self.line)?)
    }

    /// Returns the number of rows.
    pub fn finish(mut self) -> anyhow::Result<u64> {
        let rows = self.rows.values().sum();
        let end = End::new(self.rows, self.hash);
        writeln!(self.out, "{}", serde_json::to_string(&end)?)?;
        self.out.flush()?;
        Ok(rows)
    }
}

/// A file of which every byte was checked.
pub struct CheckedFile {
    file: File,
    /// The last one of the program that wrote it. The rows have the columns of its tables.
    pub migration: i64,
    pub rows: u64,
    /// False for a file of an earlier version, which cannot show that it is complete.
    pub has_end: bool,
    /// Of all bytes before the last line.
    hash: Sha256,
}

impl CheckedFile {
    /// Reads the whole file.
    pub fn open(path: &Path) -> anyhow::Result<CheckedFile> {
        let unreadable = || format!("cannot read {}", path.display());
        let file = File::open(path).with_context(unreadable)?;
        ensure!(
            file.metadata().with_context(unreadable)?.is_file(),
            "{} is no file. A backup is read twice, so it cannot come through a pipe: save it first",
            path.display()
        );
        let mut lines = Reader::new(&file);
        ensure!(lines.next_line()?, "the file is empty");
        let header: Header =
            serde_json::from_slice(&lines.line).context("the file is no backup of this shop")?;
        let has_end = match header.format.as_str() {
            FORMAT => true,
            FORMAT_WITHOUT_END => false,
            other => bail!("the file has an unknown format: {other}"),
        };
        ensure!(
            header.migration <= migrations::newest(),
            "the backup is of a newer program than this one"
        );
        let mut counts = BTreeMap::<String, u64>::new();
        let mut hash = Sha256::new();
        hash.update(&lines.line);
        let mut is_ended = false;
        while lines.next_line()? {
            ensure!(!is_ended, "the file goes on after its last line");
            if has_end && let Ok(end) = serde_json::from_slice::<End>(&lines.line) {
                check_end(&end, &counts, hash.clone(), &lines.line)?;
                is_ended = true;
                continue;
            }
            let (table, _) = parse_row(&lines.line)
                .with_context(|| format!("line {} of the file is damaged", lines.number))?;
            hash.update(&lines.line);
            match counts.get_mut(table) {
                Some(rows) => *rows += 1,
                None => drop(counts.insert(table.to_owned(), 1)),
            }
        }
        ensure!(is_ended || !has_end, INCOMPLETE);
        Ok(CheckedFile {
            migration: header.migration,
            rows: counts.values().sum(),
            file,
            has_end,
            hash,
        })
    }

    /// From the first one on.
    pub fn rows(&self) -> anyhow::Result<Rows<'_>> {
        (&self.file).seek(SeekFrom::Start(0))?;
        let mut lines = Reader::new(&self.file);
        lines.next_line()?;
        let mut hash = Sha256::new();
        hash.update(&lines.line);
        Ok(Rows {
            lines,
            left: self.rows,
            hash,
            checked: &self.hash,
        })
    }
}

fn check_end(
    end: &End,
    counts: &BTreeMap<String, u64>,
    hash: Sha256,
    line: &[u8],
) -> anyhow::Result<()> {
    for (table, expected) in &end.end.rows {
        let found = counts.get(table).copied().unwrap_or_default();
        ensure!(
            found == *expected,
            "the file is damaged: it has {found} of {expected} rows of {table}"
        );
    }
    // Written again, so that no byte of this line can differ either.
    let right = serde_json::to_string(&End::new(counts.clone(), hash))?;
    ensure!(
        line.strip_suffix(b"\n") == Some(right.as_bytes()),
        "the file is damaged: it differs from what was written (checksum)"
    );
    Ok(())
}

/// The rows of a checked file, one after the other.
pub struct Rows<'f> {
    lines: Reader<'f>,
    left: u64,
    hash: Sha256,
    /// When the file was checked.
    checked: &'f Sha256,
}

impl Rows<'_> {
    /// The table and the JSON of the next row. Fails at the end if the file is no longer the one that was checked.
    pub fn next_row(&mut self) -> anyhow::Result<Option<(&'static str, &str)>> {
        if self.left == 0 {
            let is_same = self.hash.clone().finalize() == self.checked.clone().finalize();
            ensure!(is_same, "the file was changed while it was restored");
            return Ok(None);
        }
        self.left -= 1;
        ensure!(self.lines.next_line()?, INCOMPLETE);
        self.hash.update(&self.lines.line);
        parse_row(&self.lines.line).map(Some)
    }
}

fn parse_row(line: &[u8]) -> anyhow::Result<(&'static str, &str)> {
    let line: Line = serde_json::from_slice(line)?;
    match TABLES.into_iter().find(|table| *table == line.table) {
        Some(table) => Ok((table, line.row.get())),
        None => bail!("the file has an unknown table: {}", line.table),
    }
}

/// One line at a time, with its end.
struct Reader<'f> {
    input: BufReader<&'f File>,
    line: Vec<u8>,
    number: u64,
}

impl<'f> Reader<'f> {
    fn new(file: &'f File) -> Reader<'f> {
        Reader {
            input: BufReader::with_capacity(1 << 16, file),
            line: Vec::new(),
            number: 0,
        }
    }

    /// False at the end of the file.
    fn next_line(&mut self) -> anyhow::Result<bool> {
        self.line.clear();
        self.number += 1;
        Ok(self.input.read_until(b'\n', &mut self.line)? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_changes_after_its_check_is_refused() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut out = BackupWriter::new(&mut file).unwrap();
        out.write_row("products", r#"{"id":"goda","stock_grams":100}"#.into())
            .unwrap();
        assert_eq!(out.finish().unwrap(), 1);
        let checked = CheckedFile::open(file.path()).unwrap();
        let read_all = || {
            let mut rows = checked.rows()?;
            while rows.next_row()?.is_some() {}
            anyhow::Ok(())
        };
        read_all().unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        std::fs::write(file.path(), text.replace(":100", ":900")).unwrap();
        let error = read_all().unwrap_err().to_string();
        assert!(error.contains("was changed"), "{error}");
    }
}
