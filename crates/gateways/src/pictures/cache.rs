//! Files that were lately read, within a budget of bytes; the least lately used one goes first.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use super::lock;

pub struct ByteCache {
    budget: usize,
    shelves: Mutex<Shelves>,
}

#[derive(Default)]
struct Shelves {
    files: HashMap<Arc<str>, (Arc<[u8]>, u64)>,
    /// Moment of last use to name; moments are only counted, never measured.
    used: BTreeMap<u64, Arc<str>>,
    moment: u64,
    bytes: usize,
}

impl ByteCache {
    pub fn new(budget: usize) -> ByteCache {
        ByteCache {
            budget,
            shelves: Mutex::default(),
        }
    }

    pub fn get(&self, name: &str) -> Option<Arc<[u8]>> {
        let shelves = &mut *lock(&self.shelves);
        let (key, _) = shelves.files.get_key_value(name)?;
        let key = Arc::clone(key);
        let (bytes, used) = shelves.files.get_mut(name)?;
        shelves.used.remove(used);
        shelves.moment += 1;
        *used = shelves.moment;
        shelves.used.insert(shelves.moment, key);
        Some(Arc::clone(bytes))
    }

    /// One large file must not push out everything else, so it is not kept.
    pub fn put(&self, name: &str, bytes: &Arc<[u8]>) {
        if bytes.len() > self.budget / 8 {
            return;
        }
        self.forget(name);
        let shelves = &mut *lock(&self.shelves);
        let name: Arc<str> = name.into();
        shelves.moment += 1;
        shelves.bytes += bytes.len();
        shelves.used.insert(shelves.moment, Arc::clone(&name));
        shelves
            .files
            .insert(name, (Arc::clone(bytes), shelves.moment));
        while shelves.bytes > self.budget {
            let Some((_, oldest)) = shelves.used.pop_first() else {
                break;
            };
            if let Some((bytes, _)) = shelves.files.remove(&oldest) {
                shelves.bytes -= bytes.len();
            }
        }
    }

    pub fn forget(&self, name: &str) {
        let shelves = &mut *lock(&self.shelves);
        if let Some((bytes, used)) = shelves.files.remove(name) {
            shelves.used.remove(&used);
            shelves.bytes -= bytes.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(size: usize) -> Arc<[u8]> {
        vec![0; size].into()
    }

    #[test]
    fn the_least_lately_used_file_goes_first() {
        let cache = ByteCache::new(80);
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            cache.put(name, &bytes(10));
        }
        assert!(cache.get("a").is_some());
        cache.put("i", &bytes(10));
        assert!(cache.get("a").is_some());
        assert!(cache.get("b").is_none());
        assert!(cache.get("i").is_some());
    }

    #[test]
    fn bytes_are_counted_through_replacement_and_removal() {
        let cache = ByteCache::new(80);
        for _ in 0..100 {
            cache.put("a", &bytes(7));
            cache.put("b", &bytes(9));
            cache.forget("b");
        }
        cache.put("huge", &bytes(11));
        assert!(cache.get("huge").is_none());
        let shelves = lock(&cache.shelves);
        assert_eq!((shelves.bytes, shelves.files.len()), (7, 1));
        assert_eq!(shelves.used.len(), 1);
    }
}
