//! How to connect, and what must not be connected to.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use async_nats::{ConnectOptions, ServerAddr};

use crate::error::Error;

/// How a client proves its identity to the server. Never part of a URL, and never printed.
///
/// ```
/// use filch_queue::Auth;
/// let auth = Auth::creds("worker.creds").root_certificates("ca.pem");
/// assert_eq!(format!("{auth:?}"), "Auth(creds file)");
/// ```
#[derive(Clone, Default)]
pub struct Auth {
    proof: Proof,
    insecure: bool,
    roots: Option<PathBuf>,
}

#[derive(Clone, Default)]
enum Proof {
    #[default]
    None,
    Creds(PathBuf),
    Nkey(PathBuf),
}

impl Auth {
    /// By a credentials file, as `nsc` writes them.
    pub fn creds(file: impl Into<PathBuf>) -> Self {
        Auth {
            proof: Proof::Creds(file.into()),
            ..Auth::default()
        }
    }

    /// By a file that holds the seed of an nkey.
    pub fn nkey(file: impl Into<PathBuf>) -> Self {
        Auth {
            proof: Proof::Nkey(file.into()),
            ..Auth::default()
        }
    }

    /// From the environment: the files named by `FILCH_QUEUE_CREDS` or `FILCH_QUEUE_NKEY`, certificates by `FILCH_QUEUE_CA`, and `FILCH_QUEUE_INSECURE=1`
    /// for [`insecure`](Self::insecure).
    ///
    /// # Errors
    ///
    /// If both kinds of file are named.
    pub fn from_env() -> Result<Self, Error> {
        let var = std::env::var_os;
        let mut auth = match (var("FILCH_QUEUE_CREDS"), var("FILCH_QUEUE_NKEY")) {
            (Some(_), Some(_)) => {
                return Err(Error::new(
                    "FILCH_QUEUE_CREDS and FILCH_QUEUE_NKEY are both set: unset one",
                ));
            }
            (Some(file), None) => Auth::creds(file),
            (None, Some(file)) => Auth::nkey(file),
            (None, None) => Auth::default(),
        };
        auth.roots = var("FILCH_QUEUE_CA").map(PathBuf::from);
        auth.insecure = var("FILCH_QUEUE_INSECURE").is_some_and(|value| value == "1");
        Ok(auth)
    }

    /// Trusts the certificates of this file, too.
    pub fn root_certificates(mut self, file: impl Into<PathBuf>) -> Self {
        self.roots = Some(file.into());
        self
    }

    /// Lets a connection to another machine go without TLS. All jobs and results can be read and changed on their way then.
    pub fn insecure(mut self) -> Self {
        self.insecure = true;
        self
    }

    /// What to connect with, or why not to.
    pub(super) async fn options(&self, url: &str) -> Result<ConnectOptions, Error> {
        let (scheme, rest) = url
            .split_once("://")
            .ok_or_else(|| Error::new("a server's URL begins with nats:// or tls://"))?;
        // The URL is not in the text of the error: it may hold a password.
        if rest.contains('@') {
            return Err(Error::new(
                "a server's URL must hold no name or password, as URLs end up in logs: use a creds file or an nkey",
            ));
        }
        let tls = match scheme {
            "tls" => true,
            "nats" => false,
            other => {
                return Err(Error::new(format!(
                    "{other}:// is no way to a server: use nats:// or tls://"
                )));
            }
        };
        let parsed = url.parse::<ServerAddr>();
        if parsed.map_or(true, |address| address.host().is_empty()) {
            return Err(Error::new(format!(
                "{url} is no address of a server: give one like nats://localhost:4222"
            )));
        }
        if !tls && !self.insecure && !is_here(url) {
            return Err(Error::new(format!(
                "{url} is another machine, and without TLS all can read along: use tls://, or allow it by Auth::insecure (for `filch-queue`, by FILCH_QUEUE_INSECURE=1)"
            )));
        }
        let mut options = match &self.proof {
            Proof::None => ConnectOptions::new(),
            Proof::Creds(file) => {
                let read = ConnectOptions::with_credentials_file(file).await;
                read.map_err(|error| {
                    Error::new(format!("the creds file {}: {error}", file.display()))
                })?
            }
            Proof::Nkey(file) => {
                let read = std::fs::read_to_string(file);
                let seed = read.map_err(|error| {
                    Error::new(format!("the nkey's file {}: {error}", file.display()))
                })?;
                ConnectOptions::with_nkey(seed.trim().to_owned())
            }
        };
        if let Some(roots) = &self.roots {
            options = options.add_root_certificates(roots.clone());
        }
        // Servers tell of others of their cluster, which are other machines.
        if !tls && !self.insecure {
            options = options.ignore_discovered_servers();
        }
        Ok(options.require_tls(tls))
    }
}

/// Whether a server is on this machine, by the text that says where it is; read as the client reads it.
fn is_here(url: &str) -> bool {
    url.parse::<ServerAddr>().is_ok_and(|address| {
        let host = address.host();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    })
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proof = match self.proof {
            Proof::None => "none",
            Proof::Creds(_) => "creds file",
            Proof::Nkey(_) => "nkey",
        };
        write!(
            f,
            "Auth({proof}{})",
            if self.insecure { ", insecure" } else { "" }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_goes_without_tls() {
        for here in [
            "localhost:4222",
            "localhost",
            "127.0.0.1:4222",
            "127.8.8.8",
            "[::1]:4222",
        ] {
            assert!(is_here(&format!("nats://{here}")), "{here}");
        }
        for there in [
            "example.org:4222",
            "10.0.0.1:4222",
            "localhost.example.org",
            "[fe80::1]:4222",
            "127.0.0.1.example.org",
            "localhost,nats://example.org",
            "127.0.0.1:4222,example.org:4222",
            "example.org#localhost",
            "localhost\\example.org",
            "",
            "::1",
        ] {
            assert!(!is_here(&format!("nats://{there}")), "{there}");
        }
    }
}
