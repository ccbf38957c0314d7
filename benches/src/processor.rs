//! Time of processors.

/// What this process has used so far, of all processors, in seconds; not a number where there is no telling.
#[cfg(unix)]
pub fn processor_seconds() -> f64 {
    // SAFETY: all zeroes is a value of this structure, which the call fills.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

#[cfg(not(unix))]
pub fn processor_seconds() -> f64 {
    f64::NAN
}
