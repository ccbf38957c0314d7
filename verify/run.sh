#!/usr/bin/env bash
# Runs the models, which have to pass, and then the models of each planted bug, one by one, with it: each has to find it. Those of loom are of parts
# of the pool, and run on a loom that forgets no schedule (`verify/loom-source`); those of shuttle are of the whole. Prints a table; fails if anything is not as it has to be, or a model of loom's has no bug to find.
#
# usage: verify/run.sh                                       all models, and all bugs
#        verify/run.sh loom | shuttle                        loom's, or shuttle's
#        verify/run.sh quick                                 loom's, without what takes long: see `slow`
#        verify/run.sh (loom:bug | shuttle:bug)...           just these bugs
set -u
cd "$(dirname "$0")/.."
export RUST_BACKTRACE=0
unset FILCH_CANARY
into=${CARGO_TARGET_DIR:-target}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
log=$logs/build
failed=0
quick=
# A model runs on one thread, so as many run beside each other as there are processors.
most=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)

# Loom's models and bugs that take more than 20 seconds: the bug, or `-`, the model, and how many preemptions `quick` allows, one less than the model does. A bug that
# is not found with fewer has `-` there, and `quick` leaves it out.
slow() {
    cat <<'END'
-        models::active::broadcast_meets_a_right_that_is_held_back                    1
-        models::active::job_meets_a_pool_that_narrows                                1
-        models::called_from_inside::caller_that_is_woken_for_work_has_another_one_called 1
-        models::deliver::broadcast_in_a_narrow_pool_meets_a_worker_that_works_elsewhere 1
-        models::deque::pops_meet_a_thief                                             2
-        models::sleep::worker_that_leaves_its_place_reads_its_mail                   1
-        models::wait::caller_is_called_before_it_sleeps                              1
called   models::wait::caller_is_called_before_it_sleeps                              -
request  models::deque::pops_meet_a_thief                                             -
rouse    models::guest::broadcast_meets_a_guest                                       -
unread   models::sleep::worker_that_leaves_its_place_reads_its_mail                   -
END
}

# A bug (`planted!` in the crate's files), a model that finds it, and what its first complaint has to say: any other failure is an accident.
bugs_of() {
    case $1 in
        loom) cat <<'END' ;;
latch    models::latch::latch_is_set_while_its_waiter_falls_asleep                                Causality violation
latch    models::pools::call_into_another_pool                                                    Causality violation
latch    models::deque::nested_forks_meet_a_thief                                                 Causality violation
touch    models::latch::latch_is_set_while_its_waiter_falls_asleep                                Causality violation
touch    models::deque::fork_meets_a_thief                                                        Causality violation|index out of bounds
touch    models::wait::caller_waits_for_its_job                                                   Causality violation
above    models::above::reader_meets_the_next_sub_root                                              the root above another sub-root was found
doze     models::latch::latch_is_set_while_its_waiter_falls_asleep                                deadlock
rise     models::latch::latch_is_set_and_somebody_else_wakes_the_waiter                           Model exceeded maximum number of branches
callers  models::pools::isolated_calls_in_both_directions                                         deadlock
line     models::callers::caller_without_a_right_keeps_no_other_one_from_being_called             deadlock
gone     models::callers::caller_that_leaves_has_another_one_called                               deadlock
other    models::callers::caller_that_stands_in_elsewhere_has_another_one_called                  deadlock
busy     models::callers::caller_that_finds_work_has_another_one_called                           deadlock
beside   models::callers::callers_whose_parts_wait_for_each_other_are_called_both                 deadlock
spare    models::callers::caller_that_wants_a_lock_does_not_keep_its_holder_asleep                deadlock
late     models::callers::caller_that_finds_no_number_to_spare_gets_the_next_one                  deadlock
hold     models::called_from_inside::caller_that_goes_on_has_another_one_called                   deadlock
hold     models::called_from_inside::guest_that_goes_on_has_another_one_called                    deadlock
come     models::called_from_inside::guest_that_comes_in_has_another_one_called                   deadlock
around   models::called_from_inside::thread_around_which_the_pool_was_built_gets_up_by_itself     deadlock
looks    models::called_from_inside::caller_that_is_woken_for_work_has_another_one_called         deadlock
looks    models::called_from_inside::thread_around_which_the_pool_was_built_is_woken_for_work     deadlock
vain     models::patience::threads_that_wait_for_each_other_lose_their_patience                   a thread waits for time to pass
patient  models::patience::thread_that_works_is_given_time                                        a job began on top of a wait for a thread that works
lock     models::latch::lock_latch                                                                Causality violation
lock     models::pools::call_from_outside                                                         Causality violation
count    models::scope::worker_waits_for_two_jobs                                                 Causality violation
count    models::scope::worker_waits_for_a_job_that_spawns                                        Causality violation
count    models::scope::caller_waits_for_two_jobs                                                 Causality violation
count    models::scope::caller_waits_for_a_job_that_spawns                                        Causality violation
count    models::pools::scope_in_another_pool                                                     Causality violation
outlive  models::pools::scope_in_another_pool_outlives_its_own                                    Causality violation
handle   models::handle::caller_joins_a_job                                                       deadlock
handle   models::handle::worker_joins_a_job                                                       deadlock
cancel   models::handle::cancel_meets_the_start                                                   a job runs or is cancelled
request  models::deque::pushes_meet_a_thief                                                       a request was lost
request  models::deque::pops_meet_a_thief                                                         a request was lost
floor    models::deque::pops_meet_a_thief                                                         a job was lost or came back twice
fence    models::sleep::injected_job_meets_a_worker_that_falls_asleep                             deadlock
fence    models::sleep::spawned_job_meets_a_worker_that_falls_asleep                              deadlock
fence    models::wait::join_whose_left_half_blocks_on_its_right_half                              deadlock
fence    models::wait_list::change_meets_a_thread_that_falls_asleep                               deadlock
fence    models::wait_list::one_change_for_all_sleepers                                           deadlock
settle   models::sleep::injected_job_meets_a_worker_that_falls_asleep                             deadlock
settle   models::wait_list::change_meets_a_thread_that_falls_asleep                               deadlock
register models::sleep::injected_job_meets_a_worker_that_falls_asleep                             deadlock
register models::sleep::spawned_job_meets_a_worker_that_falls_asleep                              deadlock
register models::stop::last_handle_goes_while_a_worker_falls_asleep                               deadlock
register models::pools::call_into_another_pool_and_back                                           deadlock
lain     models::wait::guest_waits_for_its_offer                                                  deadlock
register models::wait::worker_waits_for_its_offer                                                 deadlock
register models::wait_list::change_meets_a_thread_that_falls_asleep                               deadlock
stop     models::stop::last_handle_goes_while_a_worker_falls_asleep                               deadlock
stop     models::stop::last_handle_goes_while_two_workers_fall_asleep                             deadlock
stop     models::stop::handle_goes_while_the_last_job_ends                                        deadlock
stop     models::stop::handle_goes_while_a_guest_has_the_right                                     deadlock
wake     models::sleep::worker_that_finds_work_wakes_the_next_one                                 deadlock
wake     models::wait::waiter_that_finds_work_wakes_the_next_one                                  deadlock
wake     models::wait::waiter_whose_latch_is_set_passes_the_wake_up_on                            deadlock
wake     models::isolate::bound_searcher_does_not_keep_a_free_thread_asleep                       deadlock
bound    models::isolate::bound_searcher_does_not_keep_another_bound_waiter_asleep                deadlock
bound    models::isolate::free_thread_that_finds_something_else_leaves_no_bound_waiter_asleep     deadlock
back     models::wait::guest_that_is_woken_for_foreign_work_passes_it_on                          deadlock
kept     models::wait::offer_that_a_guest_hands_back_is_kept                                      an offer that came back was run on top of the wait for it
register models::guest::guest_comes_and_goes                                                     deadlock
race     models::wait::guest_that_leaves_a_job_from_outside_passes_the_wake_up_on                 a thread returned a right that it did not hold
race     models::guest::guests_meet                                                              Causality violation
race     models::guest::guests_meet_and_a_worker_falls_asleep                                    Causality violation|a thread returned a right that it did not hold
race     models::guest::injected_job_meets_a_guest                                               a thread returned a right that it did not hold|Causality violation
poll     models::guest::a_poll_from_outside_leaves_the_processor                                 Model exceeded maximum number of branches
lend     models::guest::injected_job_meets_a_guest                                                deadlock
lend     models::guest::guest_leaves_a_job_behind                                                 deadlock
leave    models::guest::injected_job_meets_a_guest                                                deadlock
leave    models::guest::wake_up_without_a_free_right_is_made_up_for                              deadlock
stale    models::guest::wake_up_behind_an_old_note_is_made_up_for                                 deadlock
note     models::guest::wake_up_without_a_free_right_is_made_up_for                              deadlock
note     models::guest::wake_up_without_a_free_right_is_made_up_for_twice                        deadlock
made     models::isolate::right_that_is_away_when_it_is_counted_is_made_up_for                     deadlock
spare    models::isolate::work_of_a_call_is_done_without_a_right                                          deadlock
turns    models::guest::right_that_was_missed_goes_to_who_can_use_it                             a waiter that cannot use it got the right
down     models::wait::caller_that_sleeps_puts_its_right_down                                     deadlock
called   models::wait::caller_is_called_before_it_sleeps                                         Causality violation
want     models::wait::caller_that_wakes_waits_for_a_right                                        deadlock
pass     models::guest::searcher_without_a_right_passes_the_job_on                                 deadlock
rouse    models::guest::broadcast_meets_a_guest                                                   deadlock
alone    models::guest::pool_without_threads_runs_what_is_spawned                                 deadlock
turn     models::guest::job_is_queued_at_the_end_of_a_turn                                        deadlock
ahead    models::guest::call_waits_for_a_job_that_was_queued_before                               deadlock
oldest   models::fifo::fork_behind_a_spawned_job_meets_a_thief                                    a job did not run once
retry    models::fifo::two_threads_take_from_a_queue                                              there are as many references as jobs
behind   models::fifo::two_threads_take_from_a_queue                                              Causality violation
behind   models::fifo::jobs_come_while_others_are_taken                                           Causality violation
newest   models::fifo::one_thread_keeps_the_order                                                 a job ran out of turn
left     models::panics::left_half_panics_while_a_thief_comes                                     a panic went on before what was offered had run
left     models::panics::both_halves_panic                                                        a panic went on before what was offered had run
left     models::panics::nested_left_halves_panic                                                 a panic went on before what was offered had run
count    models::panics::jobs_of_a_scope_panic                                                    Causality violation
fence    models::sleep::injected_job_of_a_call_meets_a_worker_that_falls_asleep                   deadlock
boxed    models::sleep::injected_job_of_a_call_meets_a_worker_that_falls_asleep                   deadlock
register models::sleep::injected_job_of_a_call_meets_a_worker_that_falls_asleep                   deadlock
close    models::stop::broadcast_meets_a_thread_that_ends                                         deadlock
substitute models::sleep::worker_that_is_left_alone_with_the_work_looks_for_it                   deadlock
displace models::sleep::workers_on_one_processor_do_not_leave_work_to_each_other_for_ever         Model exceeded maximum number of branches
unread   models::sleep::worker_that_leaves_its_place_reads_its_mail                               deadlock
event_ring models::event_ring::reader_meets_a_writer_that_goes_round                                    an event was torn
held     models::active::broadcast_meets_a_right_that_is_held_back                                deadlock
held     models::active::broadcast_from_inside_meets_a_pool_that_narrows                          deadlock
exchange models::active::broadcast_meets_a_right_that_is_held_back                                deadlock|Model exceeded maximum number of branches
exchange models::deliver::broadcast_in_a_narrow_pool_meets_a_worker_that_works_elsewhere          Model exceeded maximum number of branches
elsewhere models::deliver::broadcast_meets_a_worker_that_works_elsewhere                          Model exceeded maximum number of branches
elsewhere models::deliver::broadcast_in_a_narrow_pool_meets_a_worker_that_works_elsewhere         Model exceeded maximum number of branches
both     models::deliver::shares_that_wait_for_each_other_come_to_a_worker_elsewhere                deadlock
grow     models::active::job_that_needs_two_threads_meets_a_pool_that_widens                      deadlock
widen    models::active::narrow_pool_stops                                                        deadlock
widen    models::active::two_widths_at_once                                                       deadlock
register models::active::job_meets_a_pool_that_narrows                                            deadlock
roused   models::wait_list::two_changes_and_two_sleepers                                          deadlock
rung     models::bridge::two_threads_share_a_source                                               deadlock
again    models::bridge::two_threads_share_a_source                                               the source was asked after its end
twice    models::bridge::source_waits_for_an_item                                                 the source was asked after its end
END
        shuttle) cat <<'END' ;;
lend     guests::job_from_outside_behind_the_only_right                                           deadlock!
race     guests::more_callers_than_rights                                                         a thread returned a right that it did not hold|deadlock!
race     guests::broadcast_ends_the_time_of_guests                                                a thread returned a right that it did not hold|deadlock!
lain     iterators::chains_cut_everywhere                                                          deadlock!
lain     pools::there_and_back                                                                    deadlock!
register forks::left_half_that_blocks_on_its_right_half                                           deadlock!
register scopes::spawned_jobs_run_before_the_pool_stops                                           deadlock!
register pools::dropped_by_one_while_another_is_inside                                            deadlock!
register pools::dropped_by_its_own_thread                                                         deadlock!
register iterators::bridge                                                                        deadlock!
rely     iterators::item_that_blocks_on_the_next_one                                              deadlock!
trust    scopes::job_that_waits_for_the_next_one_beside_a_patient_thread                          deadlock!
rung     iterators::bridge                                                                        deadlock!
surplus  pools::width_changes_under_work                                                          exceeded max_steps bound
END
    esac
}

# program CHECKER: builds the models, for all bugs at once, and tells the program; each checker's in a directory of its own: what loom checks is built with
# other flags.
program() {
    local source flags=${RUSTFLAGS:-} models=(--manifest-path verify/shuttle/Cargo.toml)
    if [ "$1" = loom ]; then
        source=$(verify/loom-source 2>"$log") || return 1
        flags='--cfg filch_loom' models=(--config "paths=['$source']" -p verify --lib)
    fi
    local CARGO_TARGET_DIR="$into/$1"
    export CARGO_TARGET_DIR
    RUSTFLAGS=$flags cargo test "${models[@]}" --release --no-run --message-format=json 2>"$log" |
        sed -n 's/.*"profile":{[^}]*"test":true.*"executable":"\([^"]*\)".*/\1/p'
}

# complaint LOG: what the first panic said.
complaint() {
    sed -n "/panicked at /{n;p;q;}" "$1"
}

# run LOG CHECKER BUG EXPECTED ARGUMENT...: one line of the table. EXPECTED is a pattern: of `pass`, or of the complaint. Fails if it is not met.
run() {
    local log=$1 checker=$2 bug=$3 expected=$4 start seconds code outcome verdict=ok
    shift 4
    start=$(date +%s)
    # A model that fails ends the process if it panics while its threads unwind; so the exit code counts, not the list of tests.
    # The shell has nothing to say of that.
    {
        (
            # Shuttle draws its schedules at random. With a bug, it ends at the first that shows the bug.
            [ -z "$bug" ] || export FILCH_CANARY="$bug" FILCH_ITERATIONS="${FILCH_ITERATIONS:-100000}"
            exec timeout 2700 "$models" -q --test-threads=1 "$@" </dev/null
        ) >"$log" 2>&1
        code=$?
    } 2>/dev/null
    seconds=$(($(date +%s) - start))
    case $code in
        0) outcome=pass ;;
        124) outcome=timeout ;;
        *) outcome=$(complaint "$log") ;;
    esac
    # A test that is not there neither passes nor fails.
    grep -q '^running [1-9]' "$log" || outcome=missing
    if ! printf '%s\n' "$outcome" | grep -qE "$expected"; then
        verdict="WRONG: wanted $expected"
    fi
    [ "${1:-}" != --exact ] || shift
    printf '%-8s %-9s %-86s %4ss  %-60.60s  %s\n' "$checker" "${bug:-(none)}" "$*" "$seconds" "$outcome" "$verdict"
    [ "$verdict" = ok ] || tail -n 40 "$log"
    [ "$verdict" = ok ]
}

# beside: reads lines `BUG MODEL EXPECTED`, `-` for no bug, and runs them beside each other.
beside() {
    local checker=$1 bug model expected fewer running=0 n=0
    while read -r bug model expected; do
        fewer=
        [ -z "$quick" ] || fewer=$(slow | awk -v bug="$bug" -v model="$model" '$1 == bug && $2 == model { print $3 }')
        if [ "$fewer" = - ]; then
            echo "skipped: the planted bug $bug in $model, which takes long to be found"
            continue
        fi
        if [ "$running" -ge "$most" ]; then
            wait -n || failed=1
            running=$((running - 1))
        fi
        n=$((n + 1)) running=$((running + 1))
        # The table has a line at a time, whichever ends first.
        ([ -z "$fewer" ] || export LOOM_MAX_PREEMPTIONS="$fewer" && run "$logs/$n" "$checker" "${bug#-}" "$expected" --exact "$model" >"$logs/$n.line" && code=0 || code=1 && cat "$logs/$n.line" && exit $code) &
    done
    while [ "$running" -gt 0 ]; do
        wait -n || failed=1
        running=$((running - 1))
    done
}

# list: the models.
list() {
    "$models" --list 2>/dev/null | sed -n 's/: test$//p'
}

# bugs CHECKER [BUG]: the models that know bugs, or this one, with them.
bugs() {
    local known
    known=$(bugs_of "$1" | grep "^${2:-[a-z]*} ")
    if [ -z "$known" ]; then
        echo "no such bug: $1:${2:-}" >&2
        exit 2
    fi
    beside "$1" <<<"$known"
}

# Every model of loom's has a bug that it finds.
check_table() {
    local model
    for model in $(list | grep '^models::'); do
        if ! bugs_of loom | grep -q " $model "; then
            echo "no bug is planted for $model"
            failed=1
        fi
    done
}

printf '%-8s %-9s %-86s %5s  %s\n' checker bug model time outcome
[ $# != 0 ] || set -- loom shuttle
for what; do
    if [ "$what" = quick ]; then
        quick=yes what=loom
    fi
    checker=${what%%:*}
    case $what in
        loom | shuttle | loom:* | shuttle:*) ;;
        *)
            echo "no such checker: $what" >&2
            exit 2
            ;;
    esac
    models=$(program "$checker")
    if [ ! -x "$models" ]; then
        cat "$log"
        exit 1
    fi
    case $what in
        loom)
            check_table
            beside loom < <(list | sed -n 's/^models::.*/- & ^pass$/p')
            bugs loom
            ;;
        shuttle)
            beside shuttle < <(list | sed 's/.*/- & ^pass$/')
            bugs shuttle
            ;;
        *) bugs "$checker" "${what#*:}" ;;
    esac
done
exit $failed
