//! Merges PDF files of others, such as the labels of a delivery partner, into one.

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use crate::strip::add_strip;

/// Attributes that a page may inherit from the nodes above it, which are not copied.
const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];
/// A file whose page tree is deeper than this is broken.
const MAX_DEPTH: usize = 32;
const MAX_PAGES: usize = 2_000;

#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("file {0} is not a PDF that can be read")]
    Unreadable(usize, #[source] lopdf::Error),
    #[error("file {0} has no pages")]
    NoPages(usize),
    #[error("the files have too many pages")]
    TooManyPages,
    #[error("the merged file cannot be written")]
    Write(#[source] std::io::Error),
}

/// The pages of all files, in order. Bookmarks, forms and metadata are left out.
pub fn merge_pdfs(files: &[Vec<u8>]) -> Result<Vec<u8>, MergeError> {
    let mut merged = MergedFile::new();
    for file in files {
        let pages = merged.read(file)?;
        merged.push(pages)?;
    }
    merged.finish()
}

/// The same of labels: above each one stands the short number of its order, which comes second.
pub fn merge_labels(labels: &[(Vec<u8>, String)]) -> Result<Vec<u8>, MergeError> {
    let mut merged = MergedFile::new();
    for (file, number) in labels {
        merged.push_label(file, number)?;
    }
    merged.finish()
}

/// A file that is put together from pages of others.
pub(crate) struct MergedFile {
    document: Document,
    tree: ObjectId,
    kids: Vec<Object>,
    files: usize,
}

impl MergedFile {
    pub fn new() -> MergedFile {
        let mut document = Document::with_version("1.7");
        let tree = document.new_object_id();
        MergedFile {
            document,
            tree,
            kids: Vec::new(),
            files: 0,
        }
    }

    /// Takes over what a file has. Returns its pages, which are not in the merged file yet.
    pub fn read(&mut self, file: &[u8]) -> Result<Vec<ObjectId>, MergeError> {
        self.files += 1;
        let number = self.files;
        let unreadable = |error| MergeError::Unreadable(number, error);
        let mut document = Document::load_mem(file).map_err(unreadable)?;
        document.renumber_objects_with(self.document.max_id + 1);
        let pages: Vec<ObjectId> = document.get_pages().into_values().collect();
        if pages.is_empty() {
            return Err(MergeError::NoPages(number));
        }
        for id in &pages {
            let page = document.get_dictionary(*id).map_err(unreadable)?;
            let mut page = with_inherited(&document, page);
            page.set("Parent", self.tree);
            document.objects.insert(*id, Object::Dictionary(page));
        }
        self.document.max_id = document.max_id.max(self.document.max_id);
        self.document.objects.extend(document.objects);
        Ok(pages)
    }

    pub fn push(&mut self, pages: impl IntoIterator<Item = ObjectId>) -> Result<(), MergeError> {
        self.kids.extend(pages.into_iter().map(Object::Reference));
        if self.kids.len() > MAX_PAGES {
            return Err(MergeError::TooManyPages);
        }
        Ok(())
    }

    pub fn push_label(&mut self, file: &[u8], order_number: &str) -> Result<(), MergeError> {
        let pages = self.read(file)?;
        let number = self.files;
        for page in &pages {
            add_strip(&mut self.document, *page, &format!("Order {order_number}"))
                .map_err(|error| MergeError::Unreadable(number, error))?;
        }
        self.push(pages)
    }

    pub fn finish(self) -> Result<Vec<u8>, MergeError> {
        let MergedFile {
            document: mut merged,
            tree,
            kids,
            ..
        } = self;
        let count = i64::try_from(kids.len()).unwrap_or(i64::MAX);
        let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
        merged.objects.insert(tree, Object::Dictionary(pages));
        let root = merged.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
        merged.trailer.set("Root", root);
        // The page trees and catalogs of the files.
        merged.prune_objects();
        let mut bytes = Vec::new();
        merged.save_to(&mut bytes).map_err(MergeError::Write)?;
        Ok(bytes)
    }
}

fn with_inherited(document: &Document, page: &Dictionary) -> Dictionary {
    let mut complete = page.clone();
    let mut node = page;
    for _ in 0..MAX_DEPTH {
        let parent = node.get(b"Parent").and_then(Object::as_reference);
        let Some(parent) = parent.and_then(|id| document.get_dictionary(id)).ok() else {
            break;
        };
        for name in INHERITED {
            if let Ok(value) = parent.get(name)
                && !complete.has(name)
            {
                complete.set(name, value.clone());
            }
        }
        node = parent;
    }
    complete
}
