//! A container's quota of processor time.

use crate::child::{child_after, is_child, skipped, work};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A control group, until it is dropped.
struct Group(PathBuf);

impl Group {
    /// A group inside this process's own that may use as much time as one processor has.
    fn of_one_processor() -> io::Result<Group> {
        let root = Path::new("/sys/fs/cgroup");
        let own = fs::read_to_string("/proc/self/cgroup")?;
        // Each line is `number:controllers:path`; the second version of control groups has one line, without controllers.
        let with = |controller: &str| {
            own.lines().find_map(|line| {
                let mut parts = line.splitn(3, ':').skip(1);
                let found = parts.next()?.split(',').any(|c| c == controller);
                found.then(|| parts.next().unwrap_or("/").trim_start_matches('/'))
            })
        };
        let parent = match (with("cpu"), with("")) {
            (Some(path), _) => root.join("cpu").join(path),
            (None, Some(path)) => root.join(path),
            (None, None) => return Err(io::ErrorKind::NotFound.into()),
        };
        let group = Group(parent.join(format!("filch-test-{}", std::process::id())));
        fs::create_dir(&group.0)?;
        if group.0.join("cpu.max").exists() {
            fs::write(group.0.join("cpu.max"), "50000 50000")?;
        } else {
            fs::write(group.0.join("cpu.cfs_period_us"), "50000")?;
            fs::write(group.0.join("cpu.cfs_quota_us"), "50000")?;
        }
        Ok(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // It is empty, for the child has ended.
        let _ = fs::remove_dir(&self.0);
    }
}

// 42
#[test]
fn a_quota_of_one_processor() {
    let mut group = None;
    let mut members = None;
    if !is_child() {
        let made = Group::of_one_processor().and_then(|made| {
            members = Some(
                File::options()
                    .write(true)
                    .open(made.0.join("cgroup.procs"))?,
            );
            group = Some(made);
            Ok(())
        });
        if let Err(error) = made {
            let why = format!("no control group can be made here: {error}");
            skipped("quota::a_quota_of_one_processor", &why);
            return;
        }
    }
    child_after(
        0,
        move || match &mut members {
            Some(members) => members.write_all(b"0"),
            None => Ok(()),
        },
        || {
            assert_eq!(filch::current_num_threads(), 1);
            let pool = filch::ThreadPoolBuilder::new()
                .num_threads(4)
                .build()
                .unwrap();
            for _ in 0..5 {
                work();
                pool.install(work);
            }
        },
    )
    .is_well();
    drop(group);
}
