//! Labels and manifests as small PDF files: one page of 4 × 6 inches with lines of text and a barcode. The fonts are those
//! that every viewer has, so other letters than Latin ones are shown as question marks.

use std::fmt::Write as _;

use barcoders::sym::code128::Code128;

use super::state::Parcel;

const WIDTH: i32 = 288;
const HEIGHT: i32 = 432;
const MARGIN: i32 = 16;

pub(super) fn label(shop_name: &str, parcel: &Parcel) -> Vec<u8> {
    let awb = parcel.awb.as_deref().unwrap_or_default();
    let mut page = Page::default();
    page.line(14, true, parcel.courier.as_deref().unwrap_or_default());
    page.line(9, false, "PREPAID - SANDBOX, NOT A REAL PARCEL");
    page.rule();
    page.barcode(awb);
    page.line(12, true, awb);
    page.rule();
    page.line(9, false, "Deliver to");
    page.line(13, true, &parcel.name);
    for part in wrap(&parcel.address, 44) {
        page.line(10, false, &part);
    }
    page.line(11, true, &format!("{} {}", parcel.city, parcel.pincode));
    page.line(10, false, &parcel.state);
    page.line(10, false, &parcel.phone);
    page.rule();
    page.line(9, false, &format!("Order {}", parcel.reference));
    page.line(9, false, &format!("Weight {:.2} kg", parcel.weight));
    for part in wrap(&parcel.contents, 50) {
        page.line(9, false, &part);
    }
    page.line(9, false, &format!("If undelivered, return to {shop_name}"));
    page.finish()
}

pub(super) fn manifest(shop_name: &str, parcels: &[&Parcel]) -> Vec<u8> {
    let mut page = Page::default();
    page.line(14, true, &format!("Manifest of {shop_name}"));
    page.line(9, false, &format!("{} parcels - SANDBOX", parcels.len()));
    page.rule();
    for parcel in parcels {
        let awb = parcel.awb.as_deref().unwrap_or_default();
        page.line(
            9,
            true,
            &format!("{awb}  {} {}", parcel.city, parcel.pincode),
        );
    }
    page.rule();
    page.line(9, false, "Signature of the courier");
    page.finish()
}

fn wrap(text: &str, max_chars: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty()
            && lines[last].chars().count() + word.chars().count() >= max_chars
        {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last].push_str(word);
    }
    lines.truncate(4);
    lines
}

struct Page {
    content: String,
    y: i32,
}

impl Default for Page {
    fn default() -> Page {
        Page {
            content: String::new(),
            y: HEIGHT - MARGIN,
        }
    }
}

impl Page {
    fn line(&mut self, size: i32, is_bold: bool, text: &str) {
        self.y -= size + 4;
        let font = if is_bold { "F2" } else { "F1" };
        let text: String = text
            .chars()
            .map(|c| match c {
                '(' | ')' | '\\' => format!("\\{c}"),
                ' '..='~' => c.to_string(),
                _ => "?".to_owned(),
            })
            .collect();
        let y = self.y;
        let _ = writeln!(
            self.content,
            "BT /{font} {size} Tf {MARGIN} {y} Td ({text}) Tj ET"
        );
    }

    fn rule(&mut self) {
        self.y -= 8;
        let (y, right) = (self.y, WIDTH - MARGIN);
        let _ = writeln!(self.content, "0.7 w {MARGIN} {y} m {right} {y} l S");
    }

    fn barcode(&mut self, text: &str) {
        const BAR_HEIGHT: i32 = 54;
        self.y -= BAR_HEIGHT + 8;
        // The first character selects the set with capitals, small letters and digits.
        let Ok(code) = Code128::new(format!("\u{181}{text}")) else {
            return;
        };
        for (at, bit) in (0_i32..).zip(code.encode()) {
            if bit == 1 {
                let (x, y) = (f64::from(MARGIN) + f64::from(at) * 1.3, self.y);
                let _ = writeln!(self.content, "{x:.1} {y} 1.3 {BAR_HEIGHT} re f");
            }
        }
    }

    fn finish(self) -> Vec<u8> {
        let font = |name: &str| {
            format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
            )
        };
        let content = self.content;
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            // The size is inherited by the page, as in many real labels.
            format!("<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 {WIDTH} {HEIGHT}] >>"),
            "<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> /Contents 6 0 R >>".to_owned(),
            font("Helvetica"),
            font("Helvetica-Bold"),
            format!("<< /Length {} >>\nstream\n{content}endstream", content.len()),
        ];
        let mut file = String::from("%PDF-1.4\n");
        let mut offsets = Vec::new();
        for (at, object) in objects.iter().enumerate() {
            offsets.push(file.len());
            let _ = write!(file, "{} 0 obj\n{object}\nendobj\n", at + 1);
        }
        let (table, count) = (file.len(), objects.len() + 1);
        let _ = write!(file, "xref\n0 {count}\n0000000000 65535 f \n");
        for offset in offsets {
            let _ = writeln!(file, "{offset:010} 00000 n ");
        }
        let _ = write!(
            file,
            "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
        );
        file.into_bytes()
    }
}
