use namma_core::address::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

/// A name has a private address, alone or among others.
#[derive(Debug, thiserror::Error)]
#[error("the name leads to a private address")]
pub(super) struct PrivateAnswer;

/// Resolves names and refuses private answers. The connection is made to what it returns, so that
/// no second look-up can say something else.
#[derive(Clone)]
pub(crate) struct GuardedResolver(Arc<World>);

enum World {
    Real,
    Fake(Mutex<TestNet>),
}

/// A made-up internet for tests: names that lead to servers on loopback.
///
/// It cannot weaken the real client: it is made in code only, its names are of the kinds that are
/// reserved for tests, and what it opens are single ports on loopback.
#[derive(Debug, Default)]
pub struct TestNet {
    open: Vec<SocketAddr>,
    answers: HashMap<String, VecDeque<Vec<SocketAddr>>>,
}

impl TestNet {
    pub fn new() -> Self {
        Self::default()
    }

    /// A name that leads to a server of this test.
    ///
    /// # Panics
    /// When the server is not on loopback, or the name is not one reserved for tests.
    #[must_use]
    pub fn host(mut self, name: &str, server: SocketAddr) -> Self {
        assert!(server.ip().is_loopback(), "a test server listens on loopback");
        self.open.push(server);
        self.add(name, vec![server]);
        self
    }

    /// One answer more for a name, none of it opened. The last answer is repeated for ever.
    ///
    /// # Panics
    /// When the name is not one reserved for tests.
    #[must_use]
    pub fn answer(mut self, name: &str, addresses: &[IpAddr]) -> Self {
        self.add(name, addresses.iter().map(|address| SocketAddr::new(*address, 0)).collect());
        self
    }

    fn add(&mut self, name: &str, addresses: Vec<SocketAddr>) {
        const RESERVED: [&str; 5] = [".test", ".example", "example.org", "example.com", "example.net"];
        assert!(RESERVED.iter().any(|ending| name.ends_with(ending)), "a name reserved for tests, not {name}");
        self.answers.entry(name.to_owned()).or_default().push_back(addresses);
    }

    /// What the name service says, and whether it may be used.
    fn resolve(&mut self, name: &str) -> std::io::Result<(Vec<SocketAddr>, bool)> {
        let unknown = || std::io::Error::new(std::io::ErrorKind::NotFound, "no such name in this test");
        let answers = self.answers.get_mut(name).ok_or_else(unknown)?;
        let addresses = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        let addresses = addresses.ok_or_else(unknown)?;
        let allowed = addresses.iter().all(|address| is_public(address.ip()) || self.open.contains(address));
        Ok((addresses, allowed))
    }
}

impl GuardedResolver {
    pub(super) fn system() -> Self {
        Self(Arc::new(World::Real))
    }

    pub(super) fn fake(net: TestNet) -> Self {
        Self(Arc::new(World::Fake(Mutex::new(net))))
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let world = Arc::clone(&self.0);
        Box::pin(async move {
            let (addresses, allowed) = match &*world {
                World::Real => {
                    let addresses: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
                    let allowed = addresses.iter().all(|address| is_public(address.ip()));
                    (addresses, allowed)
                }
                World::Fake(net) => net.lock().unwrap_or_else(PoisonError::into_inner).resolve(name.as_str())?,
            };
            if !allowed {
                return Err(PrivateAnswer.into());
            }
            let addresses: Addrs = Box::new(addresses.into_iter());
            Ok(addresses)
        })
    }
}
