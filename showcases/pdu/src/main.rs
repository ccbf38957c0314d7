//! Adds up the sizes of the files in a directory tree, and sorts it.

use std::fs;
use std::path::{Path, PathBuf};

use parallel_disk_usage::data_tree::DataTree;
use parallel_disk_usage::device::DeviceBoundary;
use parallel_disk_usage::fs_tree_builder::FsTreeBuilder;
use parallel_disk_usage::get_size::GetApparentSize;
use parallel_disk_usage::hardlink::HardlinkIgnorant;
use parallel_disk_usage::os_string_display::OsStringDisplay;
use parallel_disk_usage::reporter::{ErrorOnlyReporter, ErrorReport};
use parallel_disk_usage::size::Bytes;
use stopwatch::scrambled;

fn main() {
    let root = std::env::temp_dir().join(format!("filch-showcase-{}", std::process::id()));
    for (name, directories, repeats) in [
        ("200 files", 20, 200),
        ("2,000 files", 200, 40),
        ("20,000 files", 2_000, 8),
    ] {
        let _remove = Directory(root.clone());
        grow(&root, directories);
        stopwatch::measure(name, repeats, || {
            let mut tree = walk(&root);
            tree.par_sort_by(|a, b| b.size().cmp(&a.size()));
            u64::from(tree.size())
        });
    }
}

fn walk(root: &Path) -> DataTree<OsStringDisplay, Bytes> {
    let builder = FsTreeBuilder {
        root: root.to_owned(),
        hardlinks_recorder: &HardlinkIgnorant,
        size_getter: GetApparentSize,
        reporter: &ErrorOnlyReporter::new(ErrorReport::SILENT),
        device_boundary: DeviceBoundary::Cross,
        max_depth: 10,
    };
    builder.into()
}

/// Makes directories, each below one that was made before, with ten small files on average.
fn grow(root: &Path, directories: u64) {
    let mut made: Vec<PathBuf> = vec![root.to_owned()];
    for i in 0..directories {
        let parent = &made[scrambled(i) as usize % made.len()];
        let directory = parent.join(format!("d{i}"));
        fs::create_dir_all(&directory).unwrap();
        for file in 0..scrambled(i << 20) % 21 {
            let path = directory.join(format!("f{file}"));
            fs::write(path, vec![b'x'; (file * 37) as usize]).unwrap();
        }
        made.push(directory);
    }
}

/// A directory that is removed in the end.
struct Directory(PathBuf);

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
