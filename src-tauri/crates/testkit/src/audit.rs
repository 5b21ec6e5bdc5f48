//! An audit log in memory, which can be made to fail.

use namma_core::BoxFuture;
use namma_core::ports::{AuditEntry, AuditLog, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
pub struct MemoryAudit {
    entries: Mutex<Vec<AuditEntry>>,
    broken: AtomicBool,
}

impl MemoryAudit {
    pub fn all(&self) -> Vec<AuditEntry> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on nothing can be written.
    pub fn break_it(&self) {
        self.broken.store(true, Ordering::Release);
    }
}

impl AuditLog for MemoryAudit {
    fn record<'a>(&'a self, entry: &'a AuditEntry) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            if self.broken.load(Ordering::Acquire) {
                return Err(StoreError::Failed("the disk is full".into()));
            }
            self.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry.clone());
            Ok(())
        })
    }
}
