#!/bin/sh
# Prints the instructions that a join (in fib(24), one thread) and a sum of
# 1,000 u64 cost above plain code, counted by callgrind: each case runs once
# with n and once with 2n repetitions, and the difference is the work alone.
# Needs valgrind. Run it anywhere inside the repository.
set -eu

program=$(cargo bench --quiet --bench instructions --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*instructions-[^"]*\)".*/\1/p')

# count CASE TIMES: the instructions of the whole process.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected : //p'
}

# work CASE: the instructions of one repetition.
work() {
    echo $(($(count "$1" 2) - $(count "$1" 1)))
}

"$program" --per | while read -r task per; do
    case $task in
        fib) cases="ours rayon chili"; what="a join above a call" ;;
        sum) cases="ours ours-outside rayon rayon-outside"; what="a sum of 1,000 above std" ;;
    esac
    plain=$(work "$task-plain")
    echo "instructions of $what:"
    for name in $cases; do
        above=$(($(work "$task-$name") - plain))
        awk -v name="$name" -v above="$above" -v per="$per" \
            'BEGIN { printf "  %-14s %8.1f\n", name, above / per }'
    done
done
