//! Blobs in an object store of the server.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::object_store::{Config, GetErrorKind, ObjectStore};
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;
use tokio::sync::OnceCell;

use super::link::{Link, failed};
use crate::broker::Blobs;
use crate::error::Error;
use crate::mem::{check_blob, check_name};
use crate::opts::MAX_BLOB;

/// How long records, events and dead jobs are kept at most. Records that are asked to be kept for less count as forgotten before that.
pub(super) const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

pub(super) struct ObjectBlobs {
    link: Arc<Link>,
    bucket: String,
    store: OnceCell<ObjectStore>,
}

impl ObjectBlobs {
    /// The store is made with the first use.
    pub fn new(link: Arc<Link>, bucket: String) -> Self {
        ObjectBlobs {
            link,
            bucket,
            store: OnceCell::new(),
        }
    }

    async fn store(&self) -> Result<&ObjectStore, Error> {
        let make = || async {
            let config = Config {
                bucket: self.bucket.clone(),
                // Longer than the records that name them.
                max_age: KEPT + Duration::from_secs(24 * 3600),
                ..Config::default()
            };
            // An administrator has made it. Others may not have the right to.
            if let Ok(store) = self.link.context.get_object_store(&self.bucket).await {
                return Ok(store);
            }
            self.link
                .again("the object store", || async {
                    self.link.context.create_object_store(config.clone()).await
                })
                .await
        };
        self.store.get_or_try_init(make).await
    }
}

impl Blobs for ObjectBlobs {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        check_blob(name, bytes)?;
        self.link.handle.block_on(async {
            let store = self.store().await?;
            self.link
                .again("a blob", || async { store.put(name, &mut &*bytes).await })
                .await?;
            Ok(())
        })
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        check_name(name)?;
        self.link.handle.block_on(async {
            let store = self.store().await?;
            let found = self.link.again("a blob", || async {
                match store.get(name).await {
                    Ok(object) => Ok(Some(object)),
                    Err(error) if error.kind() == GetErrorKind::NotFound => Ok(None),
                    Err(error) => Err(error),
                }
            });
            let Some(object) = found.await? else {
                return Ok(None);
            };
            if object.info().deleted {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            object
                .take(MAX_BLOB + 1)
                .read_to_end(&mut bytes)
                .await
                .map_err(|error| failed("a blob", error))?;
            if bytes.len() as u64 > MAX_BLOB {
                return Err(Error::new(format!(
                    "blob {name} has more than {MAX_BLOB} bytes"
                )));
            }
            Ok(Some(bytes))
        })
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        check_name(name)?;
        self.link.handle.block_on(async {
            let store = self.store().await?;
            self.link
                .again("a blob", || async {
                    match store.delete(name).await {
                        Err(error) if error.to_string().contains("not found") => Ok(()),
                        other => other,
                    }
                })
                .await
        })
    }

    fn remove_all(&self, prefix: &str) -> Result<(), Error> {
        check_name(prefix)?;
        let names = self.link.handle.block_on(async {
            let store = self.store().await?;
            let mut list = self
                .link
                .again("a list of blobs", || async { store.list().await })
                .await?;
            let mut names = Vec::new();
            while let Some(info) = list.next().await {
                let info = info.map_err(|error| failed("a list of blobs", error))?;
                if info.name.starts_with(prefix) {
                    names.push(info.name);
                }
            }
            Ok::<_, Error>(names)
        })?;
        names.iter().try_for_each(|name| self.remove(name))
    }
}
