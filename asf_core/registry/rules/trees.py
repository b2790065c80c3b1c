"""Rules about the files of a skill, the registry's directories and its repository."""

from __future__ import annotations

from functools import partial

from asf_core.domain.findings import FindingCode, Severity
from asf_core.domain.rules import Rule

_INFO, _LOW, _MEDIUM, _HIGH, _CRITICAL = Severity
_SPEC = "Agent Skills specification (agentskills.io), directory structure"
_DIGEST = "the tree digest: a digest must mean the same bytes on every system"
_CWE59 = "CWE-59, link following"
_rule = partial(Rule, code=FindingCode.UNKNOWN, source=_DIGEST, since="2026-11-30")

# Files of a skill.

TREE_LINK = _rule(
    "tree/link-leaves",
    _HIGH,
    "a link leaves the skill",
    why="A copy that follows it takes a private file along; the agent reads it, a commit publishes it.",
    remedy="Replace the link by the file that is meant.",
    bad="references/notes.md -> /home/me/private.md",
    good="references/notes.md is a file",
    code=FindingCode.PATH_TRAVERSAL,
    source=_CWE59,
)
TREE_LINK_DANGLES = _rule(
    "tree/link-dangles",
    _LOW,
    "a link points at nothing",
    why="What it will point at after a checkout elsewhere is not known.",
    remedy="Remove the link, or add its target.",
    bad="guide.md -> gone.md",
    good="guide.md is a file",
    source=_CWE59,
)
TREE_SPECIAL = _rule(
    "tree/special-file",
    _HIGH,
    "neither file, directory nor link",
    why="Reading a pipe or a device waits for ever, or does something.",
    remedy="Remove it.",
    bad="a named pipe among the skill's files",
    good="files, directories and links only",
)
TREE_NAME = _rule(
    "tree/name",
    _HIGH,
    "a file name that systems read in different ways",
    why="Two names that fold to one overwrite each other on a disk that ignores case; others escape.",
    remedy="Rename the file.",
    bad="Guide.md beside guide.md",
    good="guide.md",
    code=FindingCode.PATH_TRAVERSAL,
)
TREE_CAP = _rule(
    "tree/cap",
    _HIGH,
    "over a cap on files or bytes",
    why="What lies beyond the cap was not read, so nothing is known of it.",
    remedy="Keep data sets out of skills; link to where they are kept.",
    bad="a skill of 6,000 files",
    good="a skill of a few dozen",
)
TREE_UNREADABLE = _rule(
    "tree/unreadable",
    _HIGH,
    "a file cannot be read",
    why="A file that was not read may hold anything.",
    remedy="Give the reader permission, or remove the file.",
    bad="a file of mode 000",
    good="a readable file",
)
TREE_LEFT_OUT = _rule(
    "tree/left-out",
    _INFO,
    "files that do not belong to the skill",
    why="Caches, local environment files and version control data are no part of digest or export.",
    remedy="Nothing; add them to .gitignore if they are in the way.",
    bad="tidy/.env beside tidy/SKILL.md",
    good="tidy/.env.example",
)

# The registry.

REGISTRY_LINK = _rule(
    "registry/link",
    _MEDIUM,
    "a linked directory is not followed",
    why="A link out of the registry shows files that no review of the registry has seen.",
    remedy="Put the skill into the registry itself.",
    bad="skills/moss -> /elsewhere/moss",
    good="skills/moss is a directory",
    code=FindingCode.PATH_TRAVERSAL,
    source=_CWE59,
)
REGISTRY_LINK_TWIN = _rule(
    "registry/link-twin",
    _INFO,
    "a link to a skill that is listed already",
    why="One skill under two names would be counted and routed twice.",
    remedy="Nothing; the skill is listed once, by the name of its directory.",
    bad="skills/moss -> ../src/moss",
    good="one directory",
    source=_SPEC,
)
REGISTRY_UNREADABLE = _rule(
    "registry/unreadable",
    _HIGH,
    "a directory cannot be read",
    why="Skills in it are not known, and nothing is said of them.",
    remedy="Give the reader permission, or remove the directory.",
    bad="a directory of mode 000",
    good="a readable directory",
    source=_SPEC,
)
REGISTRY_NOT_A_FILE = _rule(
    "registry/not-a-file",
    _MEDIUM,
    "SKILL.md is not a file",
    why="No host can read it as a skill.",
    remedy="Rename the directory, or make SKILL.md a file.",
    bad="a directory called SKILL.md",
    good="a file called SKILL.md",
    source=_SPEC,
)
REGISTRY_NAME = _rule(
    "registry/name",
    _MEDIUM,
    "a path that is not UTF-8",
    why="A skill's id is its path; bytes that are no text have no id.",
    remedy="Rename the directory.",
    bad="a directory named in Latin-1",
    good="a directory named in ASCII",
    source=_SPEC,
)
REGISTRY_SECOND_FILE = _rule(
    "registry/second-file",
    _LOW,
    "two SKILL.md in one directory",
    why="Which of the two counts depends on the system.",
    remedy="Keep one, called SKILL.md.",
    bad="SKILL.md beside skill.md",
    good="SKILL.md",
    source=_SPEC,
)
REGISTRY_VENDORED = _rule(
    "registry/vendored",
    _INFO,
    "SKILL.md files of third-party packages",
    why="Files of a dependency are not skills of this registry.",
    remedy="Nothing; remove node_modules and caches from the checkout if they are in the way.",
    bad="node_modules/x/SKILL.md",
    good="skills/x/SKILL.md",
    source=_SPEC,
)
REGISTRY_CAP = _rule(
    "registry/cap",
    _HIGH,
    "over a cap on directories or depth",
    why="What lies beyond the cap was not walked, so its skills are not known.",
    remedy="Split the registry, or point at the directory that holds the skills.",
    bad="directories nested 65 deep",
    good="skills/<name>/SKILL.md",
    source=_SPEC,
)
REGISTRY_BARE = _rule(
    "registry/bare",
    _HIGH,
    "a bare repository has no files",
    why="There is nothing to read: a bare repository holds history only.",
    remedy="Clone it, and take the clone.",
    bad="registry.git",
    good="a clone of it",
    source="git-clone(1), --bare",
)
REGISTRY_GIT_CONFIG = _rule(
    "registry/git-config",
    _MEDIUM,
    "git config that names programs",
    why="Plain git runs such a program at the first status; it came with the directory, not by a clone.",
    remedy="Look at .git/config before using git there. Nothing of it is ever run here.",
    bad="[core]\n\tfsmonitor = ./run-me.sh",
    good="[core]\n\tfsmonitor = false",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    source="git-config(1); CVE-2022-24765 and its kind",
)
REGISTRY_LOOK_ALIKE = _rule(
    "registry/look-alike",
    _HIGH,
    "a name that looks like another skill's",
    why="Two rows that read alike make a reviewer approve the wrong one.",
    remedy="Find out which of the two is the real one, and rename or remove the other.",
    bad="p\u0430y-slips, with a Cyrillic a, beside pay-slips",
    good="pay-slips beside pay-roll",
    code=FindingCode.UNTRUSTED_PROVENANCE,
    source="Unicode Technical Standard 39, confusable detection",
)
REGISTRY_NAME_TWICE = _rule(
    "registry/name-twice",
    _LOW,
    "a name that several skills of the registry carry",
    why="Hosts keep skills in a flat map: one of the two is lost, and which one depends on the walk.",
    remedy="Rename one; where the two are equal, keep one.",
    bad="office/audit and science/audit, both named audit",
    good="office-audit and science-audit",
    source=_SPEC,
)
REGISTRY_GONE = _rule(
    "registry/gone",
    _HIGH,
    "the registry's directory is gone",
    why="What was last read of it still answers, and may be out of date.",
    remedy="Bring the directory back, or forget the registry with: asf registry remove NAME",
    bad="a registry on a disk that is not mounted",
    good="a registry that is there",
    source=_SPEC,
)
