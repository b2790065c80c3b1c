"""What scripts and commands reach: paths as far as the text tells them, and names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asf_core.graph.scripts import commands, javascript, python, shell
from asf_core.graph.scripts.found import MOST, Found
from asf_core.graph.scripts.places import Base, Place, combined, joined, words, written

OTHER = "../b/scripts/x"


def read(file: str, source: str) -> list[tuple[str, str, float, int]]:
    """What a file of a skill reaches: form, target, confidence, line."""
    found = Found(file, source)
    data = source.encode("utf-8", "surrogatepass")
    if file.endswith(".py"):
        python.read(data, found)
    elif file.endswith(".sh"):
        shell.read(data, found)
    elif file.endswith(".md"):
        commands.read(source, 1, found)
    else:
        javascript.read(file, data, found)
    return [(r.form.value, r.target, r.confidence, r.line) for r in found.references()]


SURE = {
    "python: the search path": ("scripts/a.py", "import sys\nsys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'b' / 'scripts'))", "../b/scripts"),
    "python: the search path, by os.path": ("scripts/a.py", "import sys\nsys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'b'))", "../b"),
    "python: through variables": ("scripts/a.py", "HERE = Path(__file__).parent\nsys.path.append(f'{HERE.parent.parent}/b/scripts')", "../b/scripts"),
    "python: a module loaded by path": ("a.py", "X = Path(__file__).parent.parent.joinpath('b', 'scripts/x.py')\nspec_from_file_location('x', X)", "../b/scripts/x.py"),
    "python: a script run in place": ("a.py", "\nrunpy.run_path(os.path.dirname(__file__) + '/../b/scripts/x.py')", "../b/scripts/x.py"),
    "python: an import below the directory of the skills": ("s/a.py", "sys.path.insert(0, str(Path(__file__).parents[2]))\nfrom b.scripts import x", "../b/scripts"),
    "js: require": ("scripts/a.js", "\nconst x = require('../../b/scripts/x.js');", "../b/scripts/x.js"),
    "js: import": ("scripts/a.mjs", "\nimport { x } from '../../b/scripts/x.js';", "../b/scripts/x.js"),
    "js: export from": ("scripts/a.mjs", "\nexport * from '../../b/scripts/x.js';", "../b/scripts/x.js"),
    "js: import when needed": ("scripts/a.mjs", "\nconst x = await import('../../b/scripts/x.js');", "../b/scripts/x.js"),
    "js: require of a joined path": ("scripts/a.cjs", "const up = path.join(__dirname, '..', '..');\nrequire(path.resolve(up, 'b/scripts/x.js'));", "../b/scripts/x.js"),
    "ts: import of a type": ("scripts/a.ts", "\nimport type { X } from '../../b/scripts/x.js';", "../b/scripts/x.js"),
    "ts: an address from the file": ("scripts/a.ts", "const at = new URL('../../b/scripts/x.js', import.meta.url);\nawait import(at as string)", "../b/scripts/x.js"),
    "tsx: import": ("a.tsx", "\nimport X from '../b/scripts/x';", "../b/scripts/x"),
    "sh: source": ("scripts/a.sh", 'here=$(cd "$(dirname "$0")" && pwd)\n. "$here/../../b/scripts/x.sh"', "../b/scripts/x.sh"),
    "sh: source by BASH_SOURCE": ("scripts/a.sh", 'DIR="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" >/dev/null && pwd -P)"\nsource "${DIR}/../../b/scripts/x.sh"', "../b/scripts/x.sh"),
    "sh: the name cut off": ("scripts/a.sh", '\n. "${BASH_SOURCE[0]%/*}/../../b/scripts/x.sh"', "../b/scripts/x.sh"),
    "sh: a script by a variable alone": ("scripts/a.sh", 'X="$(dirname "$0")/../../b/scripts/x.sh"\nbash "$X" --all || {', "../b/scripts/x.sh"),
    "sh: a script that is run": ("scripts/a.sh", 'R=$(realpath "$(dirname "$0")/..")\npython3 -u "$R/../b/scripts/x.py" --flag ../data', "../b/scripts/x.py"),
    "sh: run after entering its directory": ("scripts/a.sh", 'cd "$(dirname "$0")"\nnode ../../b/scripts/x.js', "../b/scripts/x.js"),
    "sh: run by itself": ("a.sh", '\nexec "$(dirname "$0")/../b/scripts/x.sh"', "../b/scripts/x.sh"),
}  # fmt: skip


@pytest.mark.parametrize(("file", "source", "target"), SURE.values(), ids=SURE)
def test_what_a_script_does_not_work_without(file: str, source: str, target: str) -> None:
    assert read(file, source) == [("exact", target, 1.0, 2)]


LIKELY = {
    "python: a process": ("scripts/a.py", "X = Path(__file__).parents[2] / 'b/scripts/x.py'\nsubprocess.run([sys.executable, str(X), '--in', 'f'], check=True)", [("exact", "../b/scripts/x.py")]),
    "python: a command as one text": ("scripts/a.py", "B = Path(__file__).parents[2]\nos.system(f'python3 {B}/b/scripts/x.py --all')", [("exact", "../b/scripts/x.py")]),
    "python: run from wherever it is": ("a.py", "\nsubprocess.check_call(['python3', '../b/scripts/x.py'])", [("relative", "../b/scripts/x.py")]),
    "python: a root that is not known": ("a.py", "ROOT = os.environ['ROOT']\nsubprocess.run(['bash', f'{ROOT}/skills/b/run.sh'])", [("tail", "skills/b/run.sh")]),
    "python: another skill's file": ("a.py", "\n(Path(__file__).parent.parent / 'b/data.json').read_text()", [("exact", "../b/data.json")]),
    "python: opened": ("a.py", "\nopen(os.path.join(os.path.dirname(__file__), '../b/data.json'))", [("exact", "../b/data.json")]),
    "python: a skill by its name": ("a.py", "\nrun_skill('paper-search', query='x')", [("name", "paper-search")]),
    "python: a method that takes a skill": ("a.py", "\nagent.invoke_skill('my-plugin:paper-search')", [("name", "my-plugin:paper-search")]),
    "js: a process": ("scripts/a.js", "const x = path.join(__dirname, '../../b/scripts/x.js');\nspawnSync(process.execPath, [x, '--json'])", [("exact", "../b/scripts/x.js")]),
    "js: a shell text": ("scripts/a.js", "\nexecSync(`node ${__dirname}/../../b/scripts/x.js --all`);", [("exact", "../b/scripts/x.js")]),
    "js: a tagged shell text": ("scripts/a.mjs", "\nawait $`node ${import.meta.dirname}/../../b/x.mjs`;", [("exact", "../b/x.mjs")]),
    "js: another skill's file": ("a.js", "\nfs.readFileSync(__dirname + '/../b/data.json')", [("exact", "../b/data.json")]),
    "js: a worker": ("a.js", "\nnew Worker(new URL('../b/w.js', import.meta.url))", [("exact", "../b/w.js")]),
    "js: a skill by its name": ("a.ts", "\nawait Skill('paper-search');", [("name", "paper-search")]),
    "sh: the environment": ("a.sh", '\npython3 "$CLAUDE_PLUGIN_ROOT/skills/b/scripts/x.py"', [("tail", "skills/b/scripts/x.py")]),
    "sh: the user's home": ("a.sh", "\nbash ~/.claude/skills/b/x.sh", [("tail", ".claude/skills/b/x.sh")]),
    "sh: an agent is told": ("a.sh", "\nclaude -p '/paper-search lung'", [("name", "paper-search")]),
    "sh: a skill by a program": ("a.sh", "\nopenskills read paper-search", [("name", "paper-search")]),
    "sh: a skill by a command": ("a.sh", "\nrun-skill paper-search --now", [("name", "paper-search")]),
}  # fmt: skip


@pytest.mark.parametrize(("file", "source", "reached"), LIKELY.values(), ids=LIKELY)
def test_what_a_script_starts_or_names(
    file: str, source: str, reached: list[tuple[str, str]]
) -> None:
    assert read(file, source) == [(*pair, 0.6, 2) for pair in reached]


def test_a_relative_path_in_a_shell_script_is_run_from_the_skill() -> None:
    assert read("scripts/a.sh", "python3 ../b/scripts/x.py") == [
        ("relative", "../b/scripts/x.py", 1.0, 1)
    ]


NOTHING = {
    "its own files": ("scripts/a.py", "sys.path.insert(0, str(Path(__file__).parent.parent / 'lib'))"),
    "its own module": ("scripts/a.js", "require('./b.js'); require('../lib/c.js'); require('fs')"),
    "its own script": ("scripts/a.sh", '. "$(dirname "$0")/lib.sh"; python3 scripts/x.py; ./run.sh'),
    "an address": ("a.sh", "curl https://example.com/skills/b/x.sh | sh"),
    "an address that is opened": ("a.py", "urlopen('https://example.com/../b')\nopen('http://x/skills/b/y')"),
    "a comment": ("a.py", "# python ../b/scripts/x.py\n'''python ../b/scripts/x.py'''"),
    "a comment in a shell script": ("a.sh", "# . ../b/scripts/x.sh\necho 'python3 ../b/scripts/x.py'"),
    "a method of another run": ("a.py", "self.run('../b/x')\napp.run(host='../b')"),
    "a name that is no name": ("a.py", "run_skill(name)\nrun_skill('Not A Name')\nuse_skill('../b')"),
    "a package of that name": ("a.js", "require('b-b'); import('@scope/b')"),
    "an agent that is told something else": ("a.sh", "claude -p 'summarise /etc/hosts'"),
}  # fmt: skip


@pytest.mark.parametrize(("file", "source"), NOTHING.values(), ids=NOTHING)
def test_what_reaches_nothing(file: str, source: str) -> None:
    assert read(file, source) == []


BLOCKS = {
    "a shell block": ("# T\n\n```bash\nls\npython3 ../b/scripts/x.py\n```\n", [("relative", "../b/scripts/x.py", 5)]),
    "a directory that is entered counts": ("```sh\ncd x\npython3 ../b/scripts/x.py\n```\n", []),
    "a prompt": ("```console\n$ python3 ../b/scripts/x.py\n```\n", [("relative", "../b/scripts/x.py", 2)]),
    "no language": ("~~~\nnode ~/.claude/skills/b/scripts/x.mjs\n~~~", [("tail", ".claude/skills/b/scripts/x.mjs", 2)]),
    "in a list": ("1. Run\n\n   ```sh\n   sh skills/b/run.sh\n   ```\n", [("relative", "skills/b/run.sh", 4)]),
    "a code span": ("| x | `python ~/.claude/skills/b/scripts/x.py .` |\n", [("tail", ".claude/skills/b/scripts/x.py", 1)]),
    "another language": ("```python\nopen('../b/scripts/x.py')\n```\n", []),
    "a command that is not to be run": ("Do not run `bash skills/b/scripts/x.sh` here.", []),
    "data for a command": ("```sh\nuv run python -m check ~/.claude/skills/b/SKILL.md\n```\n", []),
    "a word in a span": ("See `../b/scripts/x.py` for more.", []),
    "prose": ("Run python3 ../b/scripts/x.py now.", []),
}  # fmt: skip


@pytest.mark.parametrize(("body", "reached"), BLOCKS.values(), ids=BLOCKS)
def test_commands_in_instructions(body: str, reached: list[tuple[str, str, int]]) -> None:
    assert read("SKILL.md", body) == [(form, target, 0.6, line) for form, target, line in reached]


PLACES = {
    "up": (Place(Base.SKILL, "scripts/a.py").up(2), ""),
    "up and out": (Place(Base.SKILL, "scripts/a.py").up(4), "../.."),
    "into another": (Place(Base.SKILL, "a.py").up().join("../b/./c"), "../b/c"),
    "out twice": (Place(Base.SKILL, "..").join("../x"), "../../x"),
    "what follows a name": (Place(Base.SKILL, "a").followed_by(".py"), "a.py"),
    "what follows a directory": (Place(Base.SKILL, "").followed_by("/../b"), "../b"),
    "an absolute path": (written("/usr/lib//x"), "usr/lib/x"),
    "a home": (written("~/x"), "x"),
    "an address": (written("https://x/../y"), ""),
    "a path that is too long": (written("../" * 5_000), ""),
    "joined": (joined([Place(Base.SKILL, "a"), "..", "..", "b"]), "../b"),
    "joined with what is not known": (joined([Place(Base.SKILL, "a"), None, "b/c"]), "b/c"),
}


@pytest.mark.parametrize(("place", "path"), PLACES.values(), ids=PLACES)
def test_places(place: Place, path: str) -> None:
    assert place.path == path


def test_texts_and_values_together() -> None:
    here = Place(Base.SKILL, "scripts")
    assert combined(["a", "b"]) == "ab"
    assert combined([here, "/../../b"]) == Place(Base.SKILL, "../b")
    assert combined(["file://", here, "/x"]) == Place(Base.SKILL, "scripts/x")
    assert combined([None, "/skills/b/x"]) == Place(Base.SOMEWHERE, "skills/b/x")
    assert words(["python3 ", here, "/x.py --a 'b'"]) == [
        "python3", Place(Base.SKILL, "scripts/x.py"), "--a", "b",
    ]  # fmt: skip


LANGUAGES = ["a.py", "a.ts", "a.tsx", "a.js", "a.sh", "SKILL.md"]


@pytest.mark.parametrize("file", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_read(file: str, source: str) -> None:
    found = read(file, source)
    assert all(1 <= line <= source.count("\n") + 1 for *_, line in found)


PIECES = [
    "sys.path.insert(0, ", "Path(__file__)", ".parent", "..", "/", "'../b/x.py'", "(", ")", "[", "]",
    "subprocess.run(", "$(", "dirname ", '"$0"', "require(", "__dirname", "`", "${", "}", "\n", "\\", "\0",
    "source ", "```sh\n", "```\n", "python3 ", "\ud800", "'", '"', "=", "x",
]  # fmt: skip


@pytest.mark.parametrize("file", LANGUAGES)
@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_mix_of_pieces_is_read(file: str, source: str) -> None:
    for _, target, confidence, _ in read(file, source):
        assert len(target) <= 1_100
        assert confidence in (0.6, 1.0)


CONSTRUCTS = {
    "after if": "if ! python3 ../b/x.py; then",
    "after then": "then python3 ../b/x.py",
    "a case": "build) python3 ../b/x.py ;;",
    "a case of several": "-a|--all) python3 ../b/x.py; shift ;;",
    "a subshell": "(cd . && python3 ../b/x.py)",
    "a subshell with spaces": "( python3 ../b/x.py )",
    "a function in one line": "go() { python3 ../b/x.py; }",
    "a loop in one line": "for f in *; do python3 ../b/x.py; done",
    "the end of a loop": "done < <(python3 ../b/x.py)",
    "an assignment of its output": 'out="$(python3 ../b/x.py)"',
    "continued": "python3 \\\n  ../b/x.py \\\n  --all",
    "or leave": "python3 ../b/x.py || {",
    "in the background": "python3 ../b/x.py &",
    "the next of a chain": "&& python3 ../b/x.py \\",
    "with an environment": "FOO=1 BAR=é python3 ../b/x.py",
    "a windows line end": "python3 ../b/x.py\r",
}


@pytest.mark.parametrize("source", CONSTRUCTS.values(), ids=CONSTRUCTS)
def test_shell_constructs_that_span_lines(source: str) -> None:
    found = read("a.sh", f"# first\n{source}\n")
    assert [(form, target, line) for form, target, _, line in found] == [
        ("relative", "../b/x.py", 2)
    ]


def test_here_documents_are_text() -> None:
    source = "cat <<EOF\npython3 ../b/x.py\nEOF\ncat <<-'END'\n. ../c/x.sh\n\tEND\n. ../d/x.sh\n"
    assert [target for _, target, _, _ in read("a.sh", source)] == ["../d/x.sh"]


HOSTILE = {
    "runs of pipes": ("a.sh", "/" + "|" * 250_000),
    "lines of pipes": ("a.sh", ("/" + "|" * 1_900 + "\n") * 130),
    "lines of redirections": ("a.sh", ("/" + "<<" * 950 + "\n") * 130),
    "code points beyond the tables of C": ("a.sh", "x=/{\U000fffff\U0010ffff}\n" * 100),
    "a tower of continuations": ("a.sh", "/x \\\n" * 50_000),
    "quotes without end": ("a.ts", "'/" * 10_000),
    "deep brackets": ("a.py", "sys.path.insert(0, " + "(" * 60_000 + ")" * 60_000 + ")"),
    "a long chain": ("a.py", "open(Path(__file__)" + ".parent" * 30_000 + ")"),
    "a long sum": ("a.js", "require(" + " + ".join(["'../b'"] * 20_000) + ")"),
    "nested substitutions": ("a.sh", ". " + '"$(dirname ' * 5_000 + "x" + ')"' * 5_000),
    "a name that grows": ("a.py", "x = '../b'\n" + "x = x + x\n" * 500 + "open(x)"),
    "a name that grows in a shell": ("a.sh", "x=../b\n" + "x=$x/$x\n" * 500 + ". $x"),
    "many references": ("a.sh", "\n".join(f". ../b{i}/x.sh" for i in range(5_000))),
    "many spans": ("SKILL.md", "`python ../b/x` " * 10_000),
    "one long line of marks": ("SKILL.md", "skills/" + "`" * 200_000),
}


@pytest.mark.parametrize(("file", "source"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_end_in_time_and_within_bounds(file: str, source: str) -> None:
    started = time.process_time()
    found = read(file, source)
    assert len(found) <= MOST
    assert time.process_time() - started < 5
