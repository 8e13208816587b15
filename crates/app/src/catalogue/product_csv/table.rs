//! A CSV file as text cells: encodings, separators and the escaping of formulas.

use csv::{ReaderBuilder, WriterBuilder};

use crate::AppError;

pub const MAX_ROWS: usize = 10_000;

/// The first characters that spreadsheets take for a formula. East Asian versions also accept the full-width signs.
pub const FORMULA_PREFIXES: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

#[derive(Debug)]
pub struct Table {
    pub headers: Vec<String>,
    pub rows: Vec<Row>,
    pub separator: Separator,
}

/// What stands between cells. A spreadsheet that writes commas there has a point as decimal mark; one that does not may
/// have either mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    Comma,
    Semicolon,
    Tab,
}

impl Separator {
    const fn byte(self) -> u8 {
        match self {
            Separator::Comma => b',',
            Separator::Semicolon => b';',
            Separator::Tab => b'\t',
        }
    }
}

#[derive(Debug)]
pub struct Row {
    /// Of the file, from 1.
    pub line: u64,
    /// As many as there are headers.
    pub cells: Vec<String>,
    /// Why the row cannot be read.
    pub error: Option<String>,
    /// Names of columns and cells that apply only to a product that is added.
    pub for_new: Vec<(&'static str, String)>,
}

impl Table {
    /// Reads UTF-8, or UTF-16 with a byte order mark, separated by commas, semicolons or tabs: what spreadsheets write in
    /// different countries.
    pub fn parse(file: &[u8]) -> Result<Table, AppError> {
        let text = decode(file)?;
        let first_line = text.lines().next().unwrap_or_default();
        let count = |one: &Separator| {
            first_line
                .bytes()
                .filter(|byte| *byte == one.byte())
                .count()
        };
        let separator = [Separator::Comma, Separator::Semicolon, Separator::Tab]
            .into_iter()
            .max_by_key(count)
            .unwrap_or(Separator::Comma);
        let mut reader = ReaderBuilder::new()
            .delimiter(separator.byte())
            .flexible(true)
            .from_reader(text.as_bytes());
        let headers: Vec<String> = reader
            .headers()
            .map_err(|_| unreadable())?
            .iter()
            .map(|header| header.trim().to_owned())
            .collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|_| unreadable())?;
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if rows.len() == MAX_ROWS {
                let text = format!("The file has more than {MAX_ROWS} rows");
                return Err(AppError::invalid(text).with_field("file"));
            }
            let has_too_many = record
                .iter()
                .skip(headers.len())
                .any(|cell| !cell.is_empty());
            let cells = record
                .iter()
                .map(unescape_formula)
                .chain(std::iter::repeat_n(
                    String::new(),
                    headers.len().saturating_sub(record.len()),
                ));
            rows.push(Row {
                line: record.position().map_or(0, csv::Position::line),
                cells: cells.take(headers.len()).collect(),
                error: has_too_many.then(|| "has more cells than the header".to_owned()),
                for_new: Vec::new(),
            });
        }
        Ok(Table {
            headers,
            rows,
            separator,
        })
    }

    /// The file with a byte order mark, without which some spreadsheets misread Devanagari.
    pub fn write(headers: &[&str], rows: &[Vec<String>]) -> Result<String, AppError> {
        let mut writer = WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_writer("\u{feff}".as_bytes().to_vec());
        writer.write_record(headers).map_err(AppError::internal)?;
        for row in rows {
            writer
                .write_record(row.iter().map(|cell| escape_formula(cell)))
                .map_err(AppError::internal)?;
        }
        let file = writer.into_inner().map_err(|_| unreadable())?;
        String::from_utf8(file).map_err(AppError::internal)
    }
}

fn unreadable() -> AppError {
    AppError::invalid("The file cannot be read as CSV").with_field("file")
}

fn decode(file: &[u8]) -> Result<String, AppError> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks(2).map(|pair| match pair {
            [first, second] => unit([*first, *second]),
            _ => 0xd800,
        });
        char::decode_utf16(units)
            .collect::<Result<String, _>>()
            .ok()
    };
    let text = match file {
        [0xef, 0xbb, 0xbf, rest @ ..] => std::str::from_utf8(rest).ok().map(str::to_owned),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => std::str::from_utf8(file).ok().map(str::to_owned),
    };
    text.filter(|text| !text.contains('\0')).ok_or_else(|| {
        let text = "The file is not UTF-8. Please save it as “CSV UTF-8”";
        AppError::invalid(text).with_field("file")
    })
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA_PREFIXES)
}

/// An apostrophe in front of a text that a spreadsheet would run. A text that begins with apostrophes and such a sign gets
/// one more, so that reading can always take one away.
fn escape_formula(text: &str) -> String {
    if is_formula(text) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

fn unescape_formula(text: &str) -> String {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest.to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_writing_and_reading() {
        for text in [
            "plain",
            "=1+1",
            "'=1+1",
            "''-2",
            "'quoted'",
            "a,b;c\td",
            "two\nlines",
            "\"q\"",
            "गोडा",
        ] {
            let file = Table::write(&["a", "b"], &[vec![text.into(), "end".into()]]).unwrap();
            let table = Table::parse(file.as_bytes()).unwrap();
            assert_eq!(table.headers, ["a", "b"]);
            assert_eq!(table.rows[0].cells, [text, "end"]);
        }
        let file = Table::write(&["a", "b"], &[vec!["=cmd()".into(), String::new()]]).unwrap();
        assert!(file.contains("'=cmd()"), "not run by a spreadsheet: {file}");
    }

    #[test]
    fn encodings_and_separators() {
        let cells = |file: &[u8]| Table::parse(file).unwrap().rows.remove(0).cells;
        assert_eq!(cells("id;name\r\nx;जिरे\r\n".as_bytes()), ["x", "जिरे"]);
        assert_eq!(cells(b"id\tname\nx\ty\n"), ["x", "y"]);
        assert_eq!(cells(b"id,name\nx\n"), ["x", ""], "short rows are filled");
        for (mark, unit) in [
            ([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
            ([0xfe, 0xff], u16::to_be_bytes),
        ] {
            let text = "id,name\nx,जिरे\n".encode_utf16().flat_map(unit);
            let file: Vec<u8> = mark.into_iter().chain(text).collect();
            assert_eq!(cells(&file), ["x", "जिरे"]);
        }
        for file in [
            &b"id,name\nx,caf\xe9\n"[..],
            &[0xff, 0xfe, 0x41],
            b"id\0,name\n",
        ] {
            let error = Table::parse(file).unwrap_err();
            assert!(error.to_string().contains("UTF-8"), "{error}");
        }
    }

    #[test]
    fn rows_are_limited_and_empty_ones_are_skipped() {
        let many = format!("id\n{}", "x\n".repeat(MAX_ROWS + 1));
        assert!(Table::parse(many.as_bytes()).is_err());
        let table = Table::parse(b"id,name\n,\n\nx,y\na,b,c\n").unwrap();
        let lines: Vec<u64> = table.rows.iter().map(|row| row.line).collect();
        assert_eq!(
            lines,
            [3, 5],
            "the line where the reader began to look for the row"
        );
        assert_eq!(
            table.rows[1].error.as_deref(),
            Some("has more cells than the header")
        );
    }
}
