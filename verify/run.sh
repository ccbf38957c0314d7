#!/bin/sh
# Runs the models, which have to pass, and then once more with each planted bug, which they have to find: those of loom (parts of the pool) and
# those of shuttle (the whole pool). Prints a table; fails if anything is not as it has to be.
#
# usage: verify/run.sh                                       all models, and the canaries that are named at the end
#        verify/run.sh loom                                  loom's
#        verify/run.sh (loom:canary | shuttle:canary)...     just these
set -u
cd "$(dirname "$0")/.."
export RUST_BACKTRACE=0
into=${CARGO_TARGET_DIR:-target}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# test_with CHECKER ARGUMENT...: `cargo test` of the models, each checker's in a directory of its own: what loom checks is built with other flags.
test_with() {
    checker=$1
    shift
    export CARGO_TARGET_DIR="$into/$checker"
    if [ "$checker" = loom ]; then
        RUSTFLAGS="--cfg filch_loom" timeout 900 cargo test -q -p verify --release "$@"
    else
        timeout 900 cargo test -q --manifest-path verify/shuttle/Cargo.toml --release "$@"
    fi
}

# run CHECKER CANARY EXPECTED FILTER...: one line of the table.
run() {
    checker=$1 bug=$2 expected=$3
    shift 3
    export FILCH_CANARY="$bug"
    if ! test_with "$checker" --no-run >"$log" 2>&1; then
        cat "$log"
        exit 1
    fi
    start=$(date +%s)
    # A model that fails ends the process if it panics while its threads unwind; so the exit code counts, not the list of tests.
    test_with "$checker" -- --test-threads=1 "$@" >"$log" 2>&1
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
    printf '%-8s %-10s %-60s %-8s %-8s %4ss  %s\n' "$checker" "${bug:-(none)}" "$*" "$expected" "$outcome" "$seconds" "$verdict"
}

# Only the models that know the bug are run, each group for itself.
models_of() {
    case $1 in
        loom:latch) echo models::latch ;;
        loom:request) echo models::deque ;;
        loom:fence) echo models::sleep models::wait_list ;;
        loom:lend | loom:seat) echo models::guest ;;
        loom:wake) echo models::wait:: models::isolate::bound_searcher_does_not_keep_a_free ;;
        loom:bound) echo models::isolate::bound_searcher_does_not_keep_another models::isolate::free_thread ;;
        shuttle:wake) echo scopes ;;
        shuttle:lend | shuttle:seat) echo guests ;;
        shuttle:touch) echo forks ;;
        *)
            echo "no such canary: $1" >&2
            exit 2
            ;;
    esac
}

printf '%-8s %-10s %-60s %-8s %-8s %5s\n' checker canary models expected outcome time
if [ "$*" = "" ] || [ "$*" = loom ]; then
    run loom "" pass models::
    shuttle=
    if [ "$*" = "" ]; then
        run shuttle "" pass
        # Its other ones are left to .ci/long: each costs a build of the whole crate.
        shuttle=shuttle:wake
    fi
    set -- loom:latch loom:request loom:fence loom:lend loom:seat loom:wake loom:bound $shuttle
fi
for canary; do
    groups=$(models_of "$canary") || exit 2
    for group in $groups; do
        run "${canary%%:*}" "${canary#*:}" fail "$group"
    done
done
exit $failed
