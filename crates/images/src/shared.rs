//! The state that the image store and its worker threads share.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::blob_store::BlobStore;
use super::cache::ByteCache;
use super::memory::WorkMemory;
use super::metadata::MetadataCache;
use super::queue::Queue;

pub(super) struct Shared {
    pub store: Arc<dyn BlobStore>,
    pub queue: Queue,
    pub renditions_made: AtomicU64,
    pub memory: WorkMemory,
    pub metadata: MetadataCache,
    pub cache: ByteCache,
}

impl Shared {
    pub(super) fn new(store: Arc<dyn BlobStore>, cache_bytes: usize) -> Shared {
        Shared {
            store: Arc::clone(&store),
            queue: Queue::new(),
            renditions_made: AtomicU64::new(0),
            memory: WorkMemory::new(),
            metadata: MetadataCache::new(store),
            cache: ByteCache::new(cache_bytes),
        }
    }
}
