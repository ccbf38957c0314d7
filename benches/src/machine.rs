//! Where, when and with what it was measured.

use std::{
    fs,
    process::Command,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

/// The processor's name.
pub fn processor() -> String {
    let linux = || {
        let info = fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.to_string())
    };
    let mac = || {
        let mut sysctl = Command::new("sysctl");
        let output = sysctl.args(["-n", "machdep.cpu.brand_string"]).output();
        String::from_utf8(output.ok()?.stdout).ok()
    };
    let name = linux().or_else(mac).unwrap_or_default();
    // The name becomes a field of a table.
    let name = name.trim().replace([',', '|', '"'], " ");
    match name.is_empty() {
        true => std::env::consts::ARCH.to_string(),
        false => name,
    }
}

/// Processors that this program may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The version of a contender: its crate's in this lock file, or for sequential code the compiler's.
pub fn version(lock: &str, contender: &str) -> String {
    let package = match contender {
        "std" => return format!("rustc {}", env!("COMPILER")),
        "orx" => "orx-parallel",
        "voracious" => "voracious_radix_sort",
        // Some have variants: "filch, collect".
        name => name.split(',').next().unwrap_or(name),
    };
    let mut packages = lock.split("[[package]]");
    let ours = |text: &&str| {
        // Of several with this name, the one from a registry: rayon, not the package of this workspace that stands in for it.
        text.contains(&format!("\nname = \"{package}\"\n"))
            && (package == "filch" || text.contains("\nsource = "))
    };
    let version = packages.find(ours).and_then(|text| {
        let rest = text.split_once("version = \"")?.1;
        Some(rest.split_once('"')?.0.to_string())
    });
    format!("{package} {}", version.unwrap_or_else(|| "?".to_string()))
}

/// Today, in UTC, as year-month-day.
pub fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut days = seconds.map_or(0, |time| time.as_secs() / 86_400);
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [
        31,
        28 + u64::from(leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, days + 1)
}
