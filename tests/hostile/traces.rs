//! A recording of the whole program, because the environment asks for one.

use crate::child::{End, child, file, work};
use std::path::Path;

/// Has the child record itself into a file of this name.
fn ask_for(path: &Path) {
    // SAFETY: only one test runs in this process, and no thread of it has looked at the environment yet.
    unsafe { std::env::set_var("FILCH_TRACE", path) };
}

/// The lines that are about the recording.
fn told(end: &End) -> Vec<&str> {
    let lines = end.errors.lines();
    lines.filter(|line| line.contains("FILCH_TRACE")).collect()
}

// 145
#[cfg(not(feature = "trace"))]
#[test]
fn without_the_feature_one_line_says_so() {
    let end = child(2, || {
        ask_for(&file("nothing.html"));
        work();
        work();
    });
    end.is_well();
    let wanted = "filch: FILCH_TRACE: this program was built without filch's feature `trace`, so nothing is recorded";
    assert_eq!(told(&end), [wanted], "{end:?}");
    assert!(!file("nothing.html").exists());
}

#[cfg(feature = "trace")]
mod with {
    use super::*;
    use filch::prelude::*;
    use filch::trace::Trace;
    use std::fs::{self, File};
    use std::io::Write;

    fn read(path: &Path) -> String {
        let text = fs::read_to_string(path).unwrap();
        fs::remove_file(path).unwrap();
        text
    }

    // 145
    #[test]
    fn a_page_is_written_at_the_end() {
        let end = child(2, || {
            ask_for(&file("end.html"));
            filch::region("everything", work);
            // It was a name in the directory of the start.
            std::env::set_current_dir("/").unwrap();
        });
        end.is_well();
        assert_eq!(told(&end), [""; 0], "{end:?}");
        let page = read(&file("end.html"));
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert!(page.contains("everything") && page.contains("worker 1"));
    }

    // 145
    #[test]
    fn the_number_of_the_process_is_in_the_name() {
        let end = child(2, || {
            ask_for(&file("%p.json"));
            work();
            let name = file(&format!("{}.json", std::process::id()));
            let _ = writeln!(std::io::stderr(), "name: {}", name.display());
        });
        end.is_well();
        let name = end
            .errors
            .lines()
            .find_map(|line| line.strip_prefix("name: "));
        let json: serde_json::Value =
            serde_json::from_str(&read(Path::new(name.unwrap()))).unwrap();
        assert!(json["traceEvents"].as_array().unwrap().len() > 10);
    }

    /// Also where the program ends itself, and with another status.
    // 145
    #[test]
    fn the_exit_status_is_the_program_s_own() {
        let end = child(2, || {
            ask_for(&file("seven.filch"));
            work();
            std::process::exit(7);
        });
        assert_eq!(end.status.code(), Some(7), "{end:?}");
        assert_eq!(told(&end), [""; 0], "{end:?}");
        let trace = Trace::read_raw(File::open(file("seven.filch")).unwrap()).unwrap();
        fs::remove_file(file("seven.filch")).unwrap();
        assert!(trace.explain().sites.len() >= 2, "{trace:?}");
    }

    // 145
    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let end = child(2, || {
            ask_for(Path::new("/no/such/directory/run.html"));
            work();
        });
        end.is_well();
        let told = told(&end);
        assert_eq!(told.len(), 1, "{end:?}");
        let why = "filch: FILCH_TRACE: /no/such/directory/run.html cannot be written: ";
        assert!(
            told[0].starts_with(why) && told[0].ends_with(", so nothing is recorded"),
            "{end:?}"
        );
    }

    /// What became impossible while the program ran is told at the end.
    // 145
    #[test]
    fn a_file_that_can_no_longer_be_written_is_named() {
        let end = child(2, || {
            let directory = file("gone");
            fs::create_dir(&directory).unwrap();
            ask_for(&directory.join("run.html"));
            work();
            fs::remove_dir(directory).unwrap();
            std::process::exit(3);
        });
        assert_eq!(end.status.code(), Some(3), "{end:?}");
        let told = told(&end);
        assert!(
            told.len() == 1 && told[0].contains("run.html cannot be written: "),
            "{end:?}"
        );
    }

    // 145
    #[test]
    fn an_ending_that_is_not_known_is_named() {
        let end = child(2, || {
            ask_for(&file("run.docx"));
            work();
        });
        end.is_well();
        let told = told(&end);
        assert_eq!(told.len(), 1, "{end:?}");
        assert!(
            told[0].contains("run.docx ends in none of .html, .json, .filch and .txt, so nothing"),
            "{end:?}"
        );
        assert!(!file("run.docx").exists());
    }

    /// Nothing is written, and what was there stays.
    // 145
    #[test]
    fn after_an_abort_there_is_no_file() {
        fs::write(file("abort.html"), "before").unwrap();
        let end = child(2, || {
            ask_for(&file("abort.html"));
            work();
            std::process::abort();
        });
        end.is_abort("");
        assert_eq!(read(&file("abort.html")), "before");
    }

    /// A forked child of the program writes nothing; the program itself does.
    // 145
    #[test]
    fn a_forked_process_leaves_the_file_alone() {
        let end = child(2, || {
            ask_for(&file("fork.txt"));
            work();
            // SAFETY: the child only works, and ends.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                // In the child everything runs on its only thread.
                let (sum, trace): (u64, _) =
                    filch::trace::record(|| (0..1000u64).into_par_iter().sum());
                assert!(trace.explain().sites.is_empty());
                std::process::exit(if sum == 499_500 { 5 } else { 6 });
            }
            let mut status = 0;
            // SAFETY: `status` is ours.
            assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
            assert_eq!(libc::WEXITSTATUS(status), 5);
            assert!(!file("fork.txt").exists());
        });
        end.is_well();
        assert!(read(&file("fork.txt")).contains(" calls, "));
    }

    // 145
    #[test]
    fn a_recording_that_is_too_long_has_the_last_part() {
        let end = child(2, || {
            ask_for(&file("long.html"));
            let pool = filch::ThreadPoolBuilder::new()
                .num_threads(2)
                .build()
                .unwrap();
            // Each offer is some events.
            pool.force_cuts(filch::iter::plumbing::Cuts::Random(1));
            pool.install(|| {
                let all = (0..400_000u32).into_par_iter().with_max_len(1);
                all.for_each(|i| assert!(std::hint::black_box(i) < 400_000));
            });
        });
        end.is_well();
        let told = told(&end);
        assert_eq!(told.len(), 1, "{end:?}");
        assert!(
            told[0].contains("events were overwritten by later ones, so ")
                && told[0].contains("long.html has the last part"),
            "{end:?}"
        );
        assert!(read(&file("long.html")).contains("over the last "));
    }
}
