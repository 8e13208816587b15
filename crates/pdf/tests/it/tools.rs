//! Reads PDF files back.

use std::process::{Command, Output};

use mirasa_domain::invoice::Invoice;
use mirasa_pdf::{OrderDetails, render_invoice};

use crate::samples;

pub fn render(invoice: &Invoice) -> Vec<u8> {
    render_with_reason(invoice, "")
}

pub fn render_with_reason(invoice: &Invoice, reason: &str) -> Vec<u8> {
    let order = OrderDetails {
        placed_at_ms: samples::NOW_MS - 86_400_000,
        url: samples::URL,
        reason,
    };
    render_invoice(invoice, &order).unwrap()
}

fn run(command: &mut Command) -> Output {
    let program = command.get_program().to_owned();
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{program:?}: {error}; run scripts/setup.sh test"));
    assert!(output.status.success(), "{program:?}: {output:?}");
    output
}

/// The text of each page, with the columns of a table side by side. Every space is a plain one.
pub fn pages(pdf: &[u8]) -> Vec<String> {
    read_pages(pdf, "-layout")
}

/// The words of all pages in the order in which they were drawn: a text of several lines is not mixed with another one.
pub fn words_as_drawn(pdf: &[u8]) -> String {
    words(&read_pages(pdf, "-raw").join(" "))
}

fn read_pages(pdf: &[u8], mode: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("document.pdf");
    std::fs::write(&file, pdf).unwrap();
    let output = run(Command::new("pdftotext").arg(mode).arg(&file).arg("-"));
    let text = String::from_utf8(output.stdout).unwrap();
    let text = text.replace('\u{a0}', " ");
    let mut pages: Vec<String> = text.split('\u{c}').map(str::to_owned).collect();
    // A form feed ends the last page, too.
    pages.pop();
    pages
}

/// All words with one space between them.
pub fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of each line that is not empty.
pub fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(words);
    lines.filter(|line| !line.is_empty()).collect()
}

/// The contents of the codes on a page: `QR-Code:…` and `CODE-128:…`.
pub fn codes(pdf: &[u8], page: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("document.pdf");
    std::fs::write(&file, pdf).unwrap();
    let picture = folder.path().join("page");
    let number = page.to_string();
    run(Command::new("pdftoppm")
        .args([
            "-r",
            "150",
            "-gray",
            "-singlefile",
            "-f",
            &number,
            "-l",
            &number,
        ])
        .args([&file, &picture]));
    let output = run(Command::new("zbarimg")
        .arg("--quiet")
        .arg(picture.with_extension("pgm")));
    lines(&String::from_utf8(output.stdout).unwrap())
}
