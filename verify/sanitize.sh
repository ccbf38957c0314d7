#!/bin/sh
# Runs `stress`, `soak` and the crate's tests under AddressSanitizer (with LeakSanitizer), `stress` and the integration tests under ThreadSanitizer: they
# have to find nothing. Then `stress` with a planted bug for each of the three sanitizers, which has to report it. Prints a table; fails if anything is not
# as it has to be. `soak` has locks and channels of std's, into which ThreadSanitizer does not see; so have the tests, and `verify/tsan-reports`
# tells those reports from others.
#
# usage: verify/sanitize.sh [quick | address | thread]...
#
#        quick      no planted bugs, and no tests: `stress` and `soak` only
#        address    only AddressSanitizer and LeakSanitizer
#        thread     only ThreadSanitizer
#
# The stable compiler will do. Where it comes without a sanitizer's runtime this fails, unless FILCH_ALLOW_SKIP=1.
set -u
cd "$(dirname "$0")/.."
export RUSTC_BOOTSTRAP=1 RUST_BACKTRACE=0 CARGO_PROFILE_DEV_DEBUG=line-tables-only
target=$(rustc -vV | sed -n 's/^host: //p')
into=${CARGO_TARGET_DIR:-target}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
quick= address=yes thread=yes
for what; do
    case $what in
        quick) quick=yes ;;
        address) thread= ;;
        thread) address= ;;
        *)
            echo "no such part: $what" >&2
            exit 2
            ;;
    esac
done

export ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=1
export LSAN_OPTIONS="suppressions=verify/lsan-suppressions.txt"
export TSAN_OPTIONS="suppressions=verify/tsan-suppressions.txt history_size=4"

# build SANITIZER FLAGS: or says that it cannot.
build() {
    sanitizer=$1 flags=$2
    export CARGO_TARGET_DIR="$into/$sanitizer" RUSTFLAGS="-Zsanitizer=$sanitizer -Cunsafe-allow-abi-mismatch=sanitizer $flags"
    cargo build -q --release --target "$target" -p verify --bins >"$log" 2>&1 && return 0
    if [ "${FILCH_ALLOW_SKIP:-}" = 1 ]; then
        echo "skipped: sanitizer $sanitizer, which cannot be built here"
        return 1
    fi
    cat "$log"
    echo "$sanitizer: cannot be built here; FILCH_ALLOW_SKIP=1 skips it"
    exit 1
}

# line BUG PROGRAM EXPECTED OUTCOME: one line of the table, with the time since `start`.
line() {
    verdict=ok
    if ! printf '%s\n' "$4" | grep -qxE "$3"; then
        verdict="WRONG: wanted $3"
        failed=1
    fi
    printf '%-8s %-10s %-8s %4ss  %-50s  %s\n' "$sanitizer" "$1" "$2" $(($(date +%s) - start)) "$4" "$verdict"
}

# run BUG EXPECTED PROGRAM... EXPECTED is `pass`, or what the first report has to match: any other failure is an accident.
run() {
    bug=$1 expected=$2 program=$3
    shift 3
    start=$(date +%s)
    timeout 300 "$into/$sanitizer/$target/release/$program" "$@" >"$log" 2>&1
    code=$?
    outcome=fail
    if [ $code = 0 ]; then
        outcome=pass
    elif [ $code = 124 ]; then
        outcome=timeout
    else
        # Which sanitizer reports, and what; LeakSanitizer comes with AddressSanitizer, which signs the summary of both.
        reported=$(sed -nE 's/.*(ERROR|WARNING): ((Address|Leak|Thread)Sanitizer: [a-z -]*[a-z]).*/\2/p' "$log" | head -n 1)
        outcome=${reported:-fail}
    fi
    printf '%s\n' "$outcome" | grep -qxE "$expected" || head -n 60 "$log"
    line "$bug" "$program" "$expected" "$outcome"
}

# tests NAME SELECTION...: the crate's tests, which have to pass.
tests() {
    name=$1
    shift
    start=$(date +%s)
    outcome=pass
    if ! timeout 2400 cargo test -q --target "$target" -p filch "$@" >"$log" 2>&1; then
        outcome=fail
        tail -n 60 "$log"
    fi
    line '(none)' "$name" pass "$outcome"
}

# watched NAME ARGUMENT...: the tests of one binary under ThreadSanitizer. They have to pass, no report may be of filch, and pieces must have been taken.
watched() {
    name=$1
    shift
    start=$(date +%s)
    outcome=pass
    if ! FILCH_TEST_STOLEN=1 TSAN_OPTIONS="$TSAN_OPTIONS exitcode=0 die_after_fork=0" \
        timeout 3600 cargo test -q --target "$target" -p filch --test "$name" -- "$@" >"$log" 2>&1; then
        outcome=fail
        grep -aE '^test .*FAILED|panicked|^error|^test result' "$log" | head -n 60
    fi
    if ! verify/tsan-reports "$log"; then
        outcome=Thread
    fi
    stolen=$(sed -n 's/^stolen: //p' "$log" | tail -n 1)
    if [ "${stolen:-0}" -lt 100 ]; then
        echo "only ${stolen:-0} pieces were stolen, so nothing was tested"
        outcome=fail
    fi
    [ -z "${FILCH_KEEP_LOGS:-}" ] || cp "$log" "$FILCH_KEEP_LOGS/thread-$name.log"
    line '(none)' "$name" pass "$outcome"
}

printf '%-8s %-10s %-8s %5s  %s\n' checker bug program time outcome
if [ -n "$address" ] && build address ''; then
    run '(none)' pass stress 10
    run '(none)' pass soak --seconds 15
    if [ -z "$quick" ]; then
        tests unit --lib
        tests algo --test algo
        tests ext --test ext
        tests exhaustive --test exhaustive
        # AddressSanitizer keeps what is freed for a while, so that test would find that memory grows.
        # And no call takes little with it.
        tests it --test it -- --skip ten_thousand_pools --skip unasked::what_took_little
    fi
fi
if [ -n "$thread" ] && build thread '--cfg filch_tsan'; then
    run '(none)' pass stress 15
    if [ -z "$quick" ]; then
        # What is cheap without the sanitizer is not with it, so blocks are shorter than `progress_goes_by_blocks` asks for.
        watched ext --skip progress_goes_by_blocks
        watched algo
        watched exhaustive mixes stolen
        # Thousands of threads, children that were forked, and a stack of 60,000 frames are more than this sanitizer takes. With it, no call takes little.
        watched it --skip ten_thousand_pools --skip own::fork --skip core::join::deep_recursion --skip unasked::what_took_little
    fi
fi
if [ -z "$quick" ]; then
    if [ -n "$address" ] && build address '--cfg filch_canary="touch"'; then
        run touch 'AddressSanitizer: (heap|stack)-use-after-[a-z]+.*' stress 20
    fi
    if [ -n "$address" ] && build address '--cfg filch_canary="leak"'; then
        run leak 'LeakSanitizer: detected memory leaks' stress 5
    fi
    if [ -n "$thread" ] && build thread '--cfg filch_tsan --cfg filch_canary="latch"'; then
        run latch 'ThreadSanitizer: data race' stress 20
        # Without names of functions, or with other words in reports, what sorts those of the tests would pass all of them over.
        start=$(date +%s)
        outcome=$(verify/tsan-reports "$log" | sed -nE 's/^([0-9]+) reports of filch, .*/\1/p')
        line latch reports '[1-9][0-9]*' "${outcome:-none}"
    fi
fi
exit $failed
