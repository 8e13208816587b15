//! Writes pages as a PDF file: their contents, the used glyphs of the fonts, links and metadata.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use mirasa_domain::ist;
use pdf_writer::types::{
    ActionType, AnnotationType, CidFontType, FontFlags, SystemInfo, UnicodeCmap,
};
use pdf_writer::{Content, Date, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use subsetter::GlyphRemapper;

use crate::RenderError;
use crate::canvas::{Color, Item, PAGE_HEIGHT, PAGE_WIDTH, Page};
use crate::fonts::{Font, Glyph, Run};
use crate::path::{Path, Segment};

pub struct Metadata<'a> {
    pub title: &'a str,
    pub author: &'a str,
    pub created_at_ms: i64,
}

const SYSTEM_INFO: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

pub fn write_pdf(pages: Vec<Page>, metadata: &Metadata) -> Result<Vec<u8>, RenderError> {
    let mut writer = Writer {
        pdf: Pdf::new(),
        refs: 0,
        fonts: Vec::new(),
    };
    let (catalog, tree, info) = (writer.new_ref(), writer.new_ref(), writer.new_ref());
    let mut kids = Vec::new();
    let mut contents = Vec::new();
    for page in pages {
        let id = writer.new_ref();
        kids.push(id);
        contents.push((id, writer.draw(page)));
    }
    let fonts = writer.write_fonts()?;
    for (id, content) in contents {
        writer.write_page(id, tree, content, &fonts)?;
    }
    let mut pdf = writer.pdf;
    pdf.pages(tree)
        .count(i32::try_from(kids.len()).unwrap_or(i32::MAX))
        .kids(kids);
    let mut root = pdf.catalog(catalog);
    root.pages(tree).lang(TextStr("en-IN"));
    root.viewer_preferences().display_doc_title(true);
    root.finish();
    pdf.document_info(info)
        .title(TextStr(metadata.title))
        .author(TextStr(metadata.author))
        .creation_date(creation_date(metadata.created_at_ms));
    Ok(pdf.finish())
}

fn creation_date(at_ms: i64) -> Date {
    let (year, month, day) = ist::calendar_date(ist::day(at_ms));
    let part = |number: u32| u8::try_from(number).unwrap_or(1);
    Date::new(u16::try_from(year).unwrap_or_default())
        .month(part(month))
        .day(part(day))
}

/// The glyphs of a font that the pages use.
struct UsedFont {
    font: &'static Font,
    glyphs: GlyphRemapper,
    /// What a glyph stands for, by its number in the file.
    texts: BTreeMap<u16, String>,
}

struct Writer {
    pdf: Pdf,
    refs: i32,
    fonts: Vec<UsedFont>,
}

struct PageContent {
    content: Content,
    links: Vec<([f32; 4], String)>,
}

impl Writer {
    fn new_ref(&mut self) -> Ref {
        self.refs += 1;
        Ref::new(self.refs)
    }

    fn draw(&mut self, page: Page) -> PageContent {
        let mut content = Content::new();
        let mut links = Vec::new();
        for item in page.items {
            match item {
                Item::Text { x, baseline, text } => {
                    let [r, g, b] = rgb(text.style.color);
                    content.set_fill_rgb(r, g, b);
                    let (size, mut x) = (text.style.size, x);
                    content.begin_text();
                    for run in &text.shaped.runs {
                        self.draw_run(
                            &mut content,
                            run,
                            x,
                            PAGE_HEIGHT - baseline,
                            size * run.scale,
                        );
                        x += run.width * size;
                    }
                    content.end_text();
                }
                Item::Fill { path, color } => {
                    let [r, g, b] = rgb(color);
                    content.set_fill_rgb(r, g, b);
                    draw_path(&mut content, &path);
                    content.fill_nonzero();
                }
                Item::Stroke { path, color, width } => {
                    let [r, g, b] = rgb(color);
                    content.set_stroke_rgb(r, g, b).set_line_width(width);
                    draw_path(&mut content, &path);
                    content.stroke();
                }
                Item::Link { area, url } => links.push((area, url)),
            }
        }
        PageContent { content, links }
    }

    /// A cluster whose glyphs do not tell its text, such as a Devanagari syllable, carries the text itself: otherwise it
    /// could be neither copied nor found.
    fn draw_run(&mut self, content: &mut Content, run: &Run, mut x: f32, y: f32, size: f32) {
        let at = self.use_font(run.font);
        let used = &mut self.fonts[at];
        let name = font_name(at);
        content.set_font(Name(name.as_bytes()), size);
        let mut plain: Vec<&Glyph> = Vec::new();
        for cluster in run.glyphs.chunk_by(|a, b| a.cluster == b.cluster) {
            let text = cluster
                .first()
                .map_or("", |glyph| &run.text[glyph.cluster.clone()]);
            if used.tells(cluster, text) {
                plain.extend(cluster);
                continue;
            }
            used.show(content, &std::mem::take(&mut plain), &mut x, y, size);
            content
                .begin_marked_content_with_properties(Name(b"Span"))
                .properties()
                .actual_text(TextStr(text));
            let glyphs: Vec<&Glyph> = cluster.iter().collect();
            used.show(content, &glyphs, &mut x, y, size);
            content.end_marked_content();
        }
        used.show(content, &plain, &mut x, y, size);
    }

    fn use_font(&mut self, font: &'static Font) -> usize {
        let same = |used: &UsedFont| std::ptr::eq(used.font, font);
        self.fonts.iter().position(same).unwrap_or_else(|| {
            self.fonts.push(UsedFont {
                font,
                glyphs: GlyphRemapper::new(),
                texts: BTreeMap::new(),
            });
            self.fonts.len() - 1
        })
    }

    fn write_page(
        &mut self,
        id: Ref,
        tree: Ref,
        page: PageContent,
        fonts: &[Ref],
    ) -> Result<(), RenderError> {
        let content_id = self.new_ref();
        let links: Vec<_> = page
            .links
            .into_iter()
            .map(|(area, url)| (self.new_ref(), area, url))
            .collect();
        let mut entry = self.pdf.page(id);
        entry
            .parent(tree)
            .media_box(Rect::new(0.0, 0.0, PAGE_WIDTH, PAGE_HEIGHT))
            .contents(content_id)
            .annotations(links.iter().map(|(id, _, _)| *id));
        let mut resources = entry.resources();
        let mut named = resources.fonts();
        for (at, font) in fonts.iter().enumerate() {
            named.pair(Name(font_name(at).as_bytes()), *font);
        }
        named.finish();
        resources.finish();
        entry.finish();
        for (id, [x, y, width, height], url) in links {
            let bottom = PAGE_HEIGHT - y - height;
            let mut link = self.pdf.annotation(id);
            link.subtype(AnnotationType::Link)
                .rect(Rect::new(x, bottom, x + width, bottom + height))
                .border(0.0, 0.0, 0.0, None);
            link.action()
                .action_type(ActionType::Uri)
                .uri(Str(url.as_bytes()));
        }
        self.write_stream(content_id, page.content.finish().as_slice())
    }

    fn write_stream(&mut self, id: Ref, data: &[u8]) -> Result<(), RenderError> {
        let packed = compress(data)?;
        self.pdf.stream(id, &packed).filter(Filter::FlateDecode);
        Ok(())
    }

    /// One font for each entry of `self.fonts`.
    fn write_fonts(&mut self) -> Result<Vec<Ref>, RenderError> {
        let mut ids = Vec::new();
        for used in std::mem::take(&mut self.fonts) {
            let id = self.new_ref();
            self.write_font(id, &used)?;
            ids.push(id);
        }
        Ok(ids)
    }

    fn write_font(&mut self, id: Ref, used: &UsedFont) -> Result<(), RenderError> {
        let [cid_id, descriptor_id, texts_id, data_id] = [(); 4].map(|()| self.new_ref());
        let font = used.font;
        let name = used.name();
        let name = Name(name.as_bytes());
        self.pdf
            .type0_font(id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid_id)
            .to_unicode(texts_id);

        let mut cid_font = self.pdf.cid_font(cid_id);
        cid_font
            .subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(SYSTEM_INFO)
            .font_descriptor(descriptor_id)
            .default_width(0.0)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let widths = used.glyphs.remapped_gids();
        let widths = widths.map(|glyph| 1000.0 * font.advance(glyph));
        cid_font.widths().consecutive(0, widths);
        cid_font.finish();

        let metrics = font.file.metrics().scaled_f32(1000.0);
        let (bounds, line) = (metrics.bounds(), metrics.hhea_line());
        let ascent = line.as_ref().map_or(bounds.y_max, |line| line.ascender);
        let descent = line.as_ref().map_or(bounds.y_min, |line| line.descender);
        self.pdf
            .font_descriptor(descriptor_id)
            .name(name)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(
                bounds.x_min,
                bounds.y_min,
                bounds.x_max,
                bounds.y_max,
            ))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(descent)
            .cap_height(metrics.cap_height().unwrap_or(ascent))
            .stem_v(80.0)
            .font_file2(data_id);

        let mut texts = UnicodeCmap::new(Name(b"Custom"), SYSTEM_INFO);
        for (glyph, text) in &used.texts {
            texts.pair_with_multiple(*glyph, text.chars());
        }
        self.write_stream(texts_id, texts.finish().as_slice())?;

        let subset = subsetter::subset(font.bytes, 0, &used.glyphs);
        let subset = subset.map_err(|error| RenderError::Pdf(error.to_string()))?;
        let packed = compress(&subset)?;
        let mut stream = self.pdf.stream(data_id, &packed);
        stream.filter(Filter::FlateDecode);
        let length = i32::try_from(subset.len()).unwrap_or(i32::MAX);
        stream.pair(Name(b"Length1"), length);
        Ok(())
    }
}

impl UsedFont {
    /// Whether the file's table of glyphs and texts is enough to read this cluster.
    fn tells(&mut self, cluster: &[Glyph], text: &str) -> bool {
        if let [glyph] = cluster
            && glyph.id != 0
        {
            let number = self.glyphs.remap(glyph.id);
            return self.texts.entry(number).or_insert_with(|| text.to_owned()) == text;
        }
        // Readers that know only the table show the single letters at least.
        for glyph in cluster.iter().filter(|glyph| glyph.id != 0) {
            let id = Some(glyph.id);
            if let Some(c) = text.chars().find(|c| self.font.glyph_of(*c) == id) {
                let number = self.glyphs.remap(glyph.id);
                self.texts.entry(number).or_insert_with(|| c.to_string());
            }
        }
        false
    }

    fn show(&mut self, content: &mut Content, glyphs: &[&Glyph], x: &mut f32, y: f32, size: f32) {
        for line in glyphs.chunk_by(|a, b| a.y_offset == b.y_offset) {
            let rise = line.first().map_or(0.0, |glyph| glyph.y_offset * size);
            content.set_text_matrix([1.0, 0.0, 0.0, 1.0, *x, y + rise]);
            let mut positioned = content.show_positioned();
            let mut items = positioned.items();
            let mut encoded = Vec::new();
            // How far the next glyph is from where the last one ends, in units of the font size.
            let mut gap = 0.0;
            for glyph in line {
                gap += glyph.x_offset;
                if gap.abs() > 1e-5 {
                    if !encoded.is_empty() {
                        items.show(Str(&encoded));
                        encoded.clear();
                    }
                    items.adjust(-1000.0 * gap);
                    gap = 0.0;
                }
                encoded.extend(self.glyphs.remap(glyph.id).to_be_bytes());
                gap += glyph.advance - self.font.advance(glyph.id) - glyph.x_offset;
                *x += glyph.advance * size;
            }
            if !encoded.is_empty() {
                items.show(Str(&encoded));
            }
        }
    }

    /// A subset has six letters before its name, which differ between subsets.
    fn name(&self) -> String {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for glyph in self.glyphs.remapped_gids() {
            hash = (hash ^ u64::from(glyph)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut name = String::new();
        for _ in 0..6 {
            name.push(char::from(b'A' + u8::try_from(hash % 26).unwrap_or(0)));
            hash /= 26;
        }
        name + "+" + self.font.name
    }
}

fn font_name(at: usize) -> String {
    format!("F{at}")
}

fn rgb(color: Color) -> [f32; 3] {
    [color.0, color.1, color.2].map(|part| f32::from(part) / 255.0)
}

/// The file's y axis points up.
fn draw_path(content: &mut Content, path: &Path) {
    let flip = |y: f32| PAGE_HEIGHT - y;
    for segment in &path.segments {
        match *segment {
            Segment::Move(x, y) => content.move_to(x, flip(y)),
            Segment::Line(x, y) => content.line_to(x, flip(y)),
            Segment::Cubic([x1, y1, x2, y2, x, y]) => {
                content.cubic_to(x1, flip(y1), x2, flip(y2), x, flip(y))
            }
            Segment::Close => content.close_path(),
            Segment::Rectangle([x, y, width, height]) => {
                content.rect(x, flip(y + height), width, height)
            }
        };
    }
}

fn compress(data: &[u8]) -> Result<Vec<u8>, RenderError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(data).and_then(|()| encoder.finish());
    packed.map_err(|error| RenderError::Pdf(error.to_string()))
}
