//! Every backend keeps every promise.

use filch_queue::conformance::{Backend, InMemory};
use filch_queue::{Limits, Queue};

use super::support::Scratch;

filch_queue::conformance!(memory, InMemory::default());

struct InFiles(Scratch);

impl Backend for InFiles {
    fn open(&self, name: &str, limits: Limits) -> Queue {
        Queue::local(self.0.path().join(name), limits).unwrap()
    }
}

filch_queue::conformance!(local, InFiles(Scratch::new()));

#[cfg(feature = "jetstream")]
mod jetstream {
    use std::collections::HashMap;
    use std::sync::Mutex;

    use filch_queue::conformance::{self, Backend};
    use filch_queue::{Auth, Limits, Queue};

    use crate::support::Server;

    /// Names on a server. A queue that is dropped closes its connection.
    struct OnServer(Server, Mutex<HashMap<String, Limits>>);

    impl Backend for OnServer {
        fn open(&self, name: &str, limits: Limits) -> Queue {
            let limits = *self
                .1
                .lock()
                .unwrap()
                .entry(name.to_owned())
                .or_insert(limits);
            Queue::jetstream(&self.0.url(), Auth::default(), name, limits).unwrap()
        }
    }

    #[test]
    fn on_a_server() {
        let Some(server) = Server::start() else {
            return;
        };
        let backend = OnServer(server, Mutex::default());
        let failed = conformance::run(&backend, |_, _| ());
        assert!(failed.is_empty(), "failed: {failed:?}");
    }
}
