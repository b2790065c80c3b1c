# Findings for shell checkers, to be sourced: report FILE LINE CODE MESSAGE, then finish NAME.
# shellcheck shell=sh

findings=0

report() {
    printf '%s:%s: %s: %s\n' "$1" "$2" "$3" "$4"
    findings=$((findings + 1))
}

finish() {
    printf '%s: %s findings\n' "$1" "$findings" >&2
    [ "$findings" -eq 0 ]
}
