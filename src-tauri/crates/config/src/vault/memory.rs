use super::{Answer, SecretStore, VaultError, VaultStatus};
use crate::Secret;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A vault for tests: forgets everything with the process, and can be told to fail.
#[derive(Debug, Default)]
pub struct MemoryVault {
    entries: Mutex<HashMap<String, Secret>>,
    failure: Option<VaultError>,
}

impl MemoryVault {
    pub fn new() -> Self {
        Self::default()
    }

    /// A vault whose every answer is this error.
    pub fn failing(error: VaultError) -> Self {
        Self { failure: Some(error), ..Self::default() }
    }

    fn answer<'a, T: Send + 'a>(&self, value: T) -> Answer<'a, T> {
        let answer = match &self.failure {
            Some(error) => Err(error.clone()),
            None => Ok(value),
        };
        Box::pin(std::future::ready(answer))
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, Secret>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SecretStore for MemoryVault {
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret>> {
        self.answer(self.entries().get(name).cloned())
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret) -> Answer<'a, ()> {
        if self.failure.is_none() {
            self.entries().insert(name.to_owned(), secret);
        }
        self.answer(())
    }

    fn delete<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        if self.failure.is_none() {
            self.entries().remove(name);
        }
        self.answer(())
    }

    fn status(&self) -> Answer<'_, VaultStatus> {
        self.answer(VaultStatus::Ready)
    }
}
