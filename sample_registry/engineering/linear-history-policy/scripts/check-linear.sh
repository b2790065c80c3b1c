#!/bin/sh
# Check that BASE..HEAD is linear, free of fixup commits, and starts at the tip of BASE.
# Exit codes: 0 linear, 1 not, 2 wrong usage, not a repository or unknown revision.
set -eu

usage() {
    echo "usage: check-linear.sh BASE [HEAD]"
}

case "${1-}" in
    -h|--help) usage; exit 0 ;;
    ''|-*) usage >&2; exit 2 ;;
esac
base=$1
head=${2:-HEAD}
for revision in "$base" "$head"; do
    if ! git rev-parse --verify --quiet "$revision^{commit}" > /dev/null; then
        printf 'check-linear: %s names no commit here\n' "$revision" >&2
        exit 2
    fi
done

bad=0
merges=$(git rev-list --merges --abbrev-commit "$base..$head")
for sha in $merges; do
    printf 'merge: %s %s\n' "$sha" "$(git log -1 --pretty=%s "$sha")"
    bad=1
done
fixups=$(git log --pretty='%h %s' "$base..$head" | grep -E '^[0-9a-f]+ (fixup|squash|amend)!' || true)
if [ -n "$fixups" ]; then
    printf '%s\n' "$fixups" | sed 's/^/fixup: /'
    bad=1
fi
if ! git merge-base --is-ancestor "$base" "$head"; then
    printf 'behind: %s does not start at the tip of %s, rebase first\n' "$head" "$base"
    bad=1
fi
exit "$bad"
