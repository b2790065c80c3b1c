#!/bin/sh
# Make a new skill directory from the template.
# Exit codes: 0 made, 1 refused (name or description breaks the format), 2 wrong usage.
set -eu

usage() {
    echo "usage: new-skill.sh NAME DESCRIPTION [DIRECTORY]"
    echo "Makes DIRECTORY/NAME/SKILL.md (DIRECTORY defaults to .); never overwrites."
}

refuse() {
    printf 'new-skill: %s\n' "$1" >&2
    exit 1
}

case "${1-}" in
    -h|--help) usage; exit 0 ;;
esac
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    usage >&2
    exit 2
fi
name=$1
description=$(printf '%s' "$2" | tr -s '[:space:]' ' ' | sed 's/^ //; s/ $//')
target=${3:-.}/$name
template=$(dirname "$0")/../assets/template/SKILL.md

case "$name" in
    *[!a-z0-9-]*|-*|*-|*--*|'') refuse "the name $name may hold a-z, 0-9 and single hyphens inside" ;;
esac
[ "${#name}" -le 64 ] || refuse "the name has ${#name} characters, 64 are allowed"
[ -n "$description" ] || refuse "the description is empty"
[ "${#description}" -le 1024 ] || refuse "the description has ${#description} characters, 1024 are allowed"
case "$description" in
    *[Uu]se\ when*|*[Uu]se\ for*|*[Uu]se\ before*|*[Uu]se\ after*) ;;
    *) printf 'new-skill: warning: the description does not say when to use it\n' >&2 ;;
esac
[ ! -e "$target" ] || refuse "$target exists already"

mkdir -p "$target"
DESCRIPTION=$description NAME=$name awk '
    { while ((at = index($0, "DESCRIPTION")) > 0)
          $0 = substr($0, 1, at - 1) ENVIRON["DESCRIPTION"] substr($0, at + 11)
      if ($0 == "name: NAME") $0 = "name: " ENVIRON["NAME"]
      if ($0 == "# NAME") $0 = "# " ENVIRON["NAME"]
      print }
' "$template" > "$target/SKILL.md"
printf '%s\n' "$target/SKILL.md"
