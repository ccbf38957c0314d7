#!/bin/sh
# Runs the models, which have to pass, and then once more with each planted bug, which they have to find. Prints a table; fails if anything
# is not as it has to be.
#
# usage: verify/run.sh [canary...]     by default all of them
set -u
cd "$(dirname "$0")/.."
export RUSTFLAGS="--cfg filch_loom" RUST_BACKTRACE=0
# Other flags than an ordinary build has, so it gets a directory of its own.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/loom"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# run CANARY EXPECTED FILTER...: one line of the table.
run() {
    canary=$1 expected=$2
    shift 2
    if ! FILCH_CANARY=$canary cargo test -q -p verify --release --no-run >"$log" 2>&1; then
        cat "$log"
        exit 1
    fi
    start=$(date +%s)
    # A model that fails ends the process if it panics while loom unwinds; so the exit code counts, not the list of tests.
    FILCH_CANARY=$canary timeout 600 cargo test -q -p verify --release -- --test-threads=1 "$@" >"$log" 2>&1
    code=$?
    seconds=$(($(date +%s) - start))
    case $code in
        0) outcome=pass ;;
        124) outcome=timeout ;;
        *) outcome=fail ;;
    esac
    verdict=ok
    if [ "$outcome" != "$expected" ]; then
        verdict=WRONG
        failed=1
        tail -n 40 "$log"
    fi
    printf '%-10s %-16s %-8s %-8s %4ss  %s\n' "${canary:-(none)}" "$*" "$expected" "$outcome" "$seconds" "$verdict"
}

# Only the models that know the bug are run.
models_of() {
    case $1 in
        latch) echo models::latch ;;
        request) echo models::deque ;;
        fence) echo models::sleep ;;
        lend | seat) echo models::guest ;;
        wake) echo models::wait ;;
        *)
            echo "no such canary: $1" >&2
            exit 2
            ;;
    esac
}

printf '%-10s %-16s %-8s %-8s %5s\n' canary models expected outcome time
run "" pass models::
for canary in ${*:-latch request fence lend seat wake}; do
    models=$(models_of "$canary") || exit 2
    run "$canary" fail "$models"
done
exit $failed
