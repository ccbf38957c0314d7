//! Where a worker lets map-reduce jobs put what lies between the stages.

use std::path::{Component, Path, PathBuf};

use crate::error::Error;
#[cfg(feature = "store")]
use crate::objects::Objects;

/// What a job may name, and the stores it can name.
#[derive(Default)]
pub(crate) struct Places {
    /// Directories, with all below them; `None`: all.
    pub directories: Option<Vec<PathBuf>>,
    #[cfg(feature = "store")]
    pub stores: Vec<Objects>,
}

impl Places {
    /// Refuses a directory that the worker does not allow.
    pub fn check(&self, directory: &Path) -> Result<(), Error> {
        let Some(allowed) = &self.directories else {
            return Ok(());
        };
        let climbs = directory
            .components()
            .any(|part| matches!(part, Component::ParentDir));
        if !climbs && allowed.iter().any(|root| directory.starts_with(root)) {
            return Ok(());
        }
        Err(Error::new(format!(
            "this worker writes no shuffle into {}: allow it by Worker::shuffle_in",
            directory.display()
        )))
    }
}
