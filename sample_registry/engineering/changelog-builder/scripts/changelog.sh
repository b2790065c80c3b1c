#!/bin/sh
# Print a changelog section from commit subjects on standard input.
# Exit codes: 0 done, 1 no commit worth a line, 2 wrong usage.
set -eu

usage() {
    echo "usage: git log --pretty=%s RANGE | changelog.sh VERSION [DATE]"
}

case "${1-}" in
    -h|--help) usage; exit 0 ;;
    '') usage >&2; exit 2 ;;
    *[!0-9A-Za-z.+-]*) printf 'changelog: %s is no version\n' "$1" >&2; exit 2 ;;
esac

awk -v version="$1" -v date="${2-}" '
BEGIN {
    split("Breaking Added Fixed Faster Reverted Other", order, " ")
    place["feat"] = "Added"; place["fix"] = "Fixed"; place["perf"] = "Faster"; place["revert"] = "Reverted"
    split("docs test chore ci build style refactor", quiet, " ")
    for (i in quiet) place[quiet[i]] = "-"
}
/^[ \t]*$/ { next }
{
    section = "Other"; line = $0
    if (match($0, /^[a-z]+(\([^)]*\))?!?: /)) {
        head = substr($0, 1, RLENGTH - 2); line = substr($0, RLENGTH + 1)
        type = head; sub(/[(!].*$/, "", type)
        scope = ""
        if (head ~ /\(/) { scope = head; sub(/^[a-z]+\(/, "", scope); sub(/\).*$/, "", scope) }
        section = (type in place) ? place[type] : "Other"
        if (head ~ /!$/) section = "Breaking"
        if (section == "Other") line = $0
        else if (scope != "") line = scope ": " line
    }
    if (section == "-") next
    text[section] = text[section] "- " line "\n"; any = 1
}
END {
    if (!any) { print "changelog: no commit worth a line" > "/dev/stderr"; exit 1 }
    print "## " version (date == "" ? "" : " - " date)
    for (i = 1; i <= 6; i++) if (order[i] in text) printf "\n### %s\n%s", order[i], text[order[i]]
}'
