#!/bin/sh
# Runs `stress` and `soak` under AddressSanitizer (with LeakSanitizer), and `stress` under ThreadSanitizer, which have to find nothing; then `stress`
# with a planted bug for each of the three, which that one has to report; and last the crate's tests under AddressSanitizer. Prints a table; fails if
# anything is not as it has to be. `soak` has locks and channels of std's, into which ThreadSanitizer does not see.
#
# usage: verify/sanitize.sh [quick]     quick: `stress` and `soak` without planted bugs only
#
# The stable compiler will do. Where it comes without a sanitizer's runtime this fails, unless FILCH_ALLOW_SKIP=1.
set -u
cd "$(dirname "$0")/.."
export RUSTC_BOOTSTRAP=1 RUST_BACKTRACE=0
target=$(rustc -vV | sed -n 's/^host: //p')
into=${CARGO_TARGET_DIR:-target}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

export ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=1
export LSAN_OPTIONS="suppressions=verify/lsan-suppressions.txt"
export TSAN_OPTIONS="suppressions=verify/tsan-suppressions.txt history_size=4"

# build SANITIZER FLAGS: or says that it cannot.
build() {
    sanitizer=$1 flags=$2
    export CARGO_TARGET_DIR="$into/$sanitizer" RUSTFLAGS="-Zsanitizer=$sanitizer -Cunsafe-allow-abi-mismatch=sanitizer $flags"
    cargo build -q --release --target "$target" -p verify --bins >"$log" 2>&1 && return 0
    if [ "${FILCH_ALLOW_SKIP:-}" = 1 ]; then
        echo "$sanitizer: skipped, for it cannot be built here"
        return 1
    fi
    cat "$log"
    echo "$sanitizer: cannot be built here; FILCH_ALLOW_SKIP=1 skips it"
    exit 1
}

# run SANITIZER BUG EXPECTED PROGRAM...: one line of the table. EXPECTED is `pass`, or what the first report has to match: any other failure is an
# accident.
run() {
    sanitizer=$1 bug=$2 expected=$3 program=$4
    shift 4
    start=$(date +%s)
    timeout 300 "$into/$sanitizer/$target/release/$program" "$@" >"$log" 2>&1
    code=$?
    seconds=$(($(date +%s) - start))
    if [ $code = 0 ]; then
        outcome=pass
    elif [ $code = 124 ]; then
        outcome=timeout
    else
        # Which sanitizer reports, and what; LeakSanitizer comes with AddressSanitizer, which signs the summary of both.
        reported=$(sed -nE 's/.*(ERROR|WARNING): ((Address|Leak|Thread)Sanitizer: [a-z -]*[a-z]).*/\2/p' "$log" | head -n 1)
        outcome=${reported:-fail}
    fi
    verdict=ok
    if ! printf '%s\n' "$outcome" | grep -qxE "$expected"; then
        verdict="WRONG: wanted $expected"
        failed=1
        head -n 60 "$log"
    fi
    printf '%-8s %-10s %-8s %4ss  %-50s  %s\n' "$sanitizer" "$bug" "$program" "$seconds" "$outcome" "$verdict"
}

# tests NAME SELECTION...: one line of the table for the crate's tests, which have to pass.
tests() {
    name=$1
    shift
    start=$(date +%s)
    verdict=ok outcome=pass
    if ! timeout 2400 cargo test -q --target "$target" -p filch "$@" >"$log" 2>&1; then
        verdict=WRONG outcome=fail failed=1
        tail -n 60 "$log"
    fi
    printf '%-8s %-10s %-8s %4ss  %-50s  %s\n' "$sanitizer" '(none)' "$name" $(($(date +%s) - start)) "$outcome" "$verdict"
}

printf '%-8s %-10s %-8s %5s  %s\n' checker bug program time outcome
if build address ''; then
    run address '(none)' pass stress 10
    run address '(none)' pass soak --seconds 15
fi
if build thread '--cfg filch_tsan'; then
    run thread '(none)' pass stress 15
fi
if [ "${1:-}" != quick ]; then
    if build address '--cfg filch_canary="touch"'; then
        run address touch 'AddressSanitizer: (heap|stack)-use-after-[a-z]+.*' stress 20
    fi
    if build address '--cfg filch_canary="leak"'; then
        run address leak 'LeakSanitizer: detected memory leaks' stress 5
    fi
    if build thread '--cfg filch_tsan --cfg filch_canary="latch"'; then
        run thread latch 'ThreadSanitizer: data race' stress 20
    fi
    if build address ''; then
        tests unit --lib
        tests algo --test algo
        tests ext --test ext
        # AddressSanitizer keeps what is freed for a while, so that test would find that memory grows.
        tests it --test it -- --skip ten_thousand_pools
    fi
fi
exit $failed
