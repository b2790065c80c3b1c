#!/usr/bin/env python3
"""Check Paper records or a BibTeX file, and write clean BibTeX.

Exit codes: 0 no findings, 1 findings (output is still written), 2 wrong usage or unreadable input.
"""

import argparse
import datetime
import json
import re
import sys
import unicodedata
from pathlib import Path

DOI = re.compile(r"10\.\d{4,9}/[^\s{}]*[^\s{}.,;)]$")
REQUIRED = {"article": ("author", "title", "journal", "year"),
            "book": ("title", "publisher", "year"),
            "inproceedings": ("author", "title", "booktitle", "year"),
            "misc": ("title",)}
STOP = {"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to", "two", "with"}


def plain(text):
    """Lower-case ASCII letters and digits of a text, words joined by one space."""
    text = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def year_of(value):
    """Year as a number, or None."""
    text = str(value)
    return int(text) if re.fullmatch(r"\d{4}", text) else None


def record_findings(entries, this_year):
    """(key, code, message) for each problem of entries with lower-case BibTeX field names."""
    found, seen = [], {}
    for entry in entries:
        key = entry["key"]
        if entry.get("status") == "retracted":
            found.append((key, "retracted", "the record is marked as withdrawn"))
        for field in REQUIRED.get(entry["type"], ("title",)):
            if not str(entry.get(field, "")).strip():
                found.append((key, "missing_field", f"@{entry['type']} needs {field}"))
        doi = str(entry.get("doi", ""))
        if doi and not DOI.match(doi):
            found.append((key, "doi_malformed", f"{doi!r} is no bare DOI"))
        year = year_of(entry["year"]) if entry.get("year") else None
        if entry.get("year") and (year is None or not 1500 <= year <= this_year + 1):
            found.append((key, "year_impossible", f"year {entry['year']!r}"))
        for author in filter(None, str(entry.get("author", "")).split(" and ")):
            if "," not in author and not author.startswith("{"):
                found.append((key, "author_form", f"{author!r} is not 'Family, Given'"))
        marks = [("doi", doi.lower())] if doi else []
        first = plain(str(entry.get("author", "")).split(",")[0])
        marks.append(("title", plain(str(entry.get("title", ""))) + "|" + first))
        for mark in marks:
            if mark in seen and seen[mark] != key:
                found.append((key, "duplicate", f"same {mark[0]} as {seen[mark]}"))
                break
            seen.setdefault(mark, key)
    return found


def key_for(paper, taken):
    """A new key: family, year, first content word; a letter on a clash."""
    authors = paper.get("authors") or ["anon"]
    family = plain(authors[0].split(",")[0]).replace(" ", "")
    words = [word for word in plain(paper.get("title", "")).split() if word not in STOP]
    base = f"{family}{paper.get('year', '')}{words[0] if words else ''}"
    for tail in ["", *"abcdefghijklmnopqrstuvwxyz"]:
        if base + tail not in taken:
            return base + tail
    raise ValueError(f"more than 27 entries want the key {base}")


def protect(title):
    """Escape TeX's special signs and put braces round words whose case must stay."""
    title = re.sub(r"([&%#_$])", r"\\\1", title)
    return re.sub(r"[^\s,.:;()]*(?:[^\W\d_][A-Z]|\d)[^\s,.:;()]*", r"{\g<0>}", title)


def entry_of(paper, taken, kept):
    """A BibTeX entry as a dict, from a Paper record."""
    key = kept.get(str(paper.get("doi", "")).lower()) or key_for(paper, taken)
    taken.add(key)
    entry = {"key": key, "type": "misc" if paper.get("status") == "preprint" else "article",
             "author": " and ".join(paper.get("authors", [])), "title": paper.get("title", ""),
             "year": paper.get("year", ""), "status": paper.get("status", ""),
             "id": paper.get("id"), "preprint_of": paper.get("preprint_of")}
    entry["howpublished" if entry["type"] == "misc" else "journal"] = paper.get("journal", "")
    for field in ("volume", "pages", "doi"):
        if paper.get(field):
            entry[field] = str(paper[field])
    return entry


def write_entry(entry, notes):
    """Text of one entry, its findings as comment lines above."""
    lines = [f"% {code}: {message}" for code, message in notes]
    lines.append(f"@{entry['type']}{{{entry['key']},")
    for field in ("author", "title", "journal", "howpublished", "year", "volume", "pages", "doi"):
        value = str(entry.get(field, "")).strip()
        if not value:
            continue
        if field == "title":
            value = protect(value)
        if field == "pages":
            value = re.sub(r"(?<=\d)-(?=\d)", "--", value)
        lines.append(f"  {field} = {{{value}}},")
    return "\n".join([*lines, "}", ""])


def parse_bib(text):
    """(entries, findings) of a BibTeX file; tolerant, a broken entry is a finding."""
    entries, found = [], []
    for match in re.finditer(r"^[ \t]*@(\w+)\s*\{\s*([^,\s]*)\s*,", text, re.MULTILINE):
        kind, key = match.group(1).lower(), match.group(2)
        if kind in ("comment", "string", "preamble"):
            continue
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        body = text[match.end():end - 1]
        if depth or re.search(r"^[ \t]*@\w+\s*\{", body, re.MULTILINE):
            found.append((key, "braces", "the entry is not closed before the next one starts"))
            body = re.split(r"^[ \t]*@\w+\s*\{", body, maxsplit=1, flags=re.MULTILINE)[0]
        entry = {"type": kind, "key": key}
        field_form = r"(\w+)\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|\"([^\"]*)\"|(\w+))"
        for field in re.finditer(field_form, body):
            entry[field.group(1).lower()] = next(v for v in field.groups()[1:] if v is not None)
        entries.append(entry)
    keys = [entry["key"] for entry in entries]
    found += [(key, "key_twice", "two entries have this key")
              for key in dict.fromkeys(keys) if keys.count(key) > 1]
    return entries, found


def report(findings, count):
    """Print the findings to stderr; returns the exit code."""
    for key, code, message in findings:
        print(f"{code:16} {key}: {message}", file=sys.stderr)
    print(f"verify: {count} entries, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


def from_papers(papers, kept, this_year):
    """(BibTeX text, findings, number of entries) for Paper records."""
    taken, entries = set(kept.values()), []
    for paper in papers:
        entries.append(entry_of(paper, taken, kept))
    findings = record_findings(entries, this_year)
    by_id = {entry["id"]: entry["key"] for entry in entries}
    for entry in entries:
        if entry["preprint_of"] in by_id:
            findings.append((entry["key"], "superseded",
                             f"published as {by_id[entry['preprint_of']]}"))
    text = "\n".join(write_entry(entry, [f[1:] for f in findings if f[0] == entry["key"]])
                     for entry in entries)
    return text, findings, len(entries)


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="?", help="JSON array of Paper records")
    parser.add_argument("--check", metavar="FILE", help="check a .bib file instead")
    parser.add_argument("--out", metavar="FILE", help="write BibTeX here (default: standard output)")
    parser.add_argument("--keep-keys", metavar="FILE", help=".bib file whose keys stay, by DOI")
    parser.add_argument("--year", type=int, default=datetime.date.today().year,
                        help="the current year, for the year check")
    args = parser.parse_args(argv)
    if bool(args.papers) == bool(args.check):
        parser.error("give either a JSON file of papers or --check FILE")
    try:
        if args.check:
            entries, findings = parse_bib(Path(args.check).read_text(encoding="utf-8"))
            return report(findings + record_findings(entries, args.year), len(entries))
        papers = json.loads(Path(args.papers).read_text(encoding="utf-8"))
        if not isinstance(papers, list) or not all(isinstance(paper, dict) for paper in papers):
            raise ValueError("expected a JSON array of Paper records")
        kept = {}
        if args.keep_keys:
            old, _ = parse_bib(Path(args.keep_keys).read_text(encoding="utf-8"))
            kept = {entry["doi"].lower(): entry["key"] for entry in old if entry.get("doi")}
        text, findings, count = from_papers(papers, kept, args.year)
        if args.out:
            Path(args.out).write_text(text, encoding="utf-8")
        else:
            print(text)
    except (OSError, ValueError) as error:
        print(f"verify: {error}", file=sys.stderr)
        return 2
    return report(findings, count)


if __name__ == "__main__":
    sys.exit(main())
