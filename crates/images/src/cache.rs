//! An in-memory LRU cache of files with a limit in bytes.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use super::lock;

pub struct ByteCache {
    budget: usize,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    files: HashMap<Arc<str>, (Arc<[u8]>, u64)>,
    /// From the tick of the last use to the name. A tick is a counter, not a time.
    used: BTreeMap<u64, Arc<str>>,
    tick: u64,
    bytes: usize,
}

impl ByteCache {
    pub fn new(budget: usize) -> ByteCache {
        ByteCache {
            budget,
            entries: Mutex::default(),
        }
    }

    pub fn get(&self, name: &str) -> Option<Arc<[u8]>> {
        let entries = &mut *lock(&self.entries);
        let (key, _) = entries.files.get_key_value(name)?;
        let key = Arc::clone(key);
        let (bytes, used) = entries.files.get_mut(name)?;
        entries.used.remove(used);
        entries.tick += 1;
        *used = entries.tick;
        entries.used.insert(entries.tick, key);
        Some(Arc::clone(bytes))
    }

    /// A file larger than an eighth of the budget is not cached: it would evict too many others.
    pub fn put(&self, name: &str, bytes: &Arc<[u8]>) {
        if bytes.len() > self.budget / 8 {
            return;
        }
        self.remove(name);
        let entries = &mut *lock(&self.entries);
        let name: Arc<str> = name.into();
        entries.tick += 1;
        entries.bytes += bytes.len();
        entries.used.insert(entries.tick, Arc::clone(&name));
        entries
            .files
            .insert(name, (Arc::clone(bytes), entries.tick));
        while entries.bytes > self.budget {
            let Some((_, oldest)) = entries.used.pop_first() else {
                break;
            };
            if let Some((bytes, _)) = entries.files.remove(&oldest) {
                entries.bytes -= bytes.len();
            }
        }
    }

    pub fn remove(&self, name: &str) {
        let entries = &mut *lock(&self.entries);
        if let Some((bytes, used)) = entries.files.remove(name) {
            entries.used.remove(&used);
            entries.bytes -= bytes.len();
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
    fn put_over_budget_evicts_least_recently_used() {
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
    fn replace_and_remove_keep_byte_count() {
        let cache = ByteCache::new(80);
        for _ in 0..100 {
            cache.put("a", &bytes(7));
            cache.put("b", &bytes(9));
            cache.remove("b");
        }
        cache.put("huge", &bytes(11));
        assert!(cache.get("huge").is_none());
        let entries = lock(&cache.entries);
        assert_eq!((entries.bytes, entries.files.len()), (7, 1));
        assert_eq!(entries.used.len(), 1);
    }
}
