#!/bin/sh
# Audit Dockerfiles for size, caching and safety.
# Exit codes: 0 clean, 1 findings, 2 wrong usage or unreadable file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../shell-script-hardening/scripts/report.sh"

usage() {
    echo "usage: audit.sh DOCKERFILE..."
    echo "Prints file:line: code: message for each finding."
}

# Prints "line code message" for each finding of one file; continued lines are joined first.
scan() {
    awk '
    function hit(line, code, message) { print line " " code " " message }
    /^[ \t]*#/ && !joined { next }
    {
        if (!joined) { start = NR; text = "" }
        joined = sub(/\\[ \t]*$/, "")
        text = text " " $0
        if (joined) next
        sub(/^[ \t]+/, "", text)
        word = toupper(text); sub(/[ \t].*$/, "", word)
        rest = text; sub(/^[^ \t]+[ \t]+/, "", rest)
        if (word == "FROM") {
            froms++; user = ""; copied = 0
            split(rest, part, /[ \t]+/); image = part[1]
            if (image ~ /^--/) image = part[2]
            if (!(image in stage) && image != "scratch" && image !~ /@sha256:/ && (image !~ /:[^\/]+$/ || image ~ /:latest$/))
                hit(start, "floating_tag", image " has no fixed tag")
            if (toupper(rest) ~ / AS /) { name = rest; sub(/.*[ \t][aA][sS][ \t]+/, "", name); stage[name] = 1 }
        }
        if (word == "RUN" && rest !~ /--mount=type=cache/) {
            if (rest ~ /apt-get install/ && rest !~ /\/var\/lib\/apt\/lists/) hit(start, "cache_in_layer", "package lists of apt stay in the layer")
            if (rest ~ /apk add/ && rest !~ /--no-cache/) hit(start, "cache_in_layer", "apk add without --no-cache")
            if (rest ~ /pip3? install/ && rest !~ /--no-cache-dir|--no-index/) hit(start, "cache_in_layer", "pip install without --no-cache-dir")
        }
        if ((word == "ARG" || word == "ENV") && toupper(rest) ~ /(PASSWORD|SECRET|TOKEN|API_?KEY)/)
            hit(start, "secret_argument", "a secret in " word " is readable in the image history")
        if (word == "COPY" && rest ~ /^\.[ \t]/) copied = start
        if (word == "RUN" && copied && rest ~ /(npm (ci|install)|pip3? install -r|bundle install|go mod download)/) {
            hit(copied, "copy_before_install", "copy the lock file first, install, then copy the source"); copied = 0
        }
        if (word == "ADD" && rest ~ /https?:\/\// && rest !~ /--checksum=/) hit(start, "add_remote", "fetched without a checksum")
        if (word == "USER") user = rest
        if ((word == "ENTRYPOINT" || word == "CMD") && rest !~ /^\[/) hit(start, "shell_entrypoint", word " in shell form swallows signals")
        if (rest ~ /(build-essential|gcc|g\+\+|cargo build|go build|npm run build)/) compiles = start
        last = start
    }
    END {
        if (froms && (user == "" || user ~ /^(root|0)(:|$)/)) hit(last, "runs_as_root", "the last stage has no USER")
        if (froms == 1 && compiles) hit(compiles, "no_stage", "build tools ship in the final image")
    }
    ' "$1"
}

case "${1-}" in
    -h|--help) usage; exit 0 ;;
    '') usage >&2; exit 2 ;;
esac
for file in "$@"; do
    if [ ! -f "$file" ] || [ ! -r "$file" ]; then
        printf 'audit: cannot read %s\n' "$file" >&2
        exit 2
    fi
    found=$(scan "$file")
    while read -r line code message; do
        [ -z "$line" ] || report "$file" "$line" "$code" "$message"
    done <<LINES
$found
LINES
done
finish audit
