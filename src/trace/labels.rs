//! What sites, regions, threads and pools are called where people read of them.

use super::recording::Trace;
use crate::core::track::Identity;

impl Trace {
    /// The name of a site, by its key.
    pub(super) fn site_name(&self, key: u32) -> String {
        let site = self.sites.iter().find(|site| site.key == key);
        site.map_or_else(|| "call".into(), |site| site.name.clone())
    }

    /// The name of a region, by its number.
    pub(super) fn region_name(&self, number: u64) -> &str {
        self.regions
            .get(number as usize)
            .map_or("region", |name| name)
    }

    /// The name of a thread's pool.
    pub(super) fn pool_name(&self, of: Identity) -> String {
        if of.desk == 0 {
            return "no pool".into();
        }
        match self.pools.iter().find(|pool| pool.number == of.pool) {
            Some(pool) if pool.name == "global" => "the global pool".into(),
            _ => format!("pool {}", of.pool),
        }
    }
}

/// What people call a thread.
pub(super) fn thread_name(of: Identity) -> String {
    match (of.worker, of.desk) {
        (Some(worker), _) => format!("worker {worker}"),
        (None, 0) => "other threads".into(),
        (None, desk) => format!("caller at desk {desk}"),
    }
}
