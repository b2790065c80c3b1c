"""What a skill does not declare, told from its text and files; always marked as inferred.

Both tables are plain words on purpose: a curator must be able to see why. The risk is what the
files can touch when they are run, never a verdict, so nothing is ever inferred to be ``unsafe``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from asf_core.domain.manifest import Risk

_TYPES: dict[str, str] = {
    "testing": "test tests testing tdd pytest jest playwright vitest junit e2e coverage qa",
    "code-review": "review reviewer reviewing lint linter pull-request",
    "security": "security vulnerability vulnerabilities threat pentest exploit sast secrets auth",
    "deployment": "deploy deployment docker kubernetes helm terraform ci cd pipeline release infra",
    "monitoring": "monitoring observability logging metrics tracing alert telemetry incident",
    "data-analysis": "data analysis analytics statistics pandas dataset visualization chart csv",
    "machine-learning": "training finetuning inference embedding llm model neural gpu rag",
    "database": "database sql postgres mysql mongodb migration schema query redis vector",
    "research": "research literature papers citation scientific survey evidence pubmed arxiv",
    "writing": "writing copywriting editing prose blog article newsletter content",
    "documentation": "documentation docs readme changelog tutorial wiki",
    "design": "design ui ux figma layout typography animation css accessibility",
    "frontend": "frontend react vue angular svelte nextjs component browser",
    "backend": "backend api rest graphql server endpoint microservice django spring",
    "mobile": "mobile ios android swift swiftui flutter kotlin",
    "cloud": "cloud azure aws gcp serverless lambda sdk",
    "automation": "automation workflow automate scheduler cron bot integration",
    "project-management": "project planning roadmap backlog sprint jira ticket meeting",
    "marketing": "marketing seo campaign ads conversion growth audience",
    "business": "sales finance pricing invoice contract legal compliance procurement",
    "office": "pdf docx xlsx pptx spreadsheet presentation document email",
    "game-development": "game unity unreal godot shader sprite",
    "debugging": "debug debugging troubleshoot troubleshooting triage diagnose diagnostics",
    "performance": "performance optimization optimize profiling profile tuning benchmark",
    "architecture": "architecture architectural adr ddd modular monolith",
    "programming": "python javascript typescript java rust golang cpp csharp php ruby coding"
    " refactor refactoring codebase idiomatic compiler kernel",
    "media": "image images video audio voice speech transcription",
    "networking": "network networking vpn bgp rdma dns firewall",
    "agent-engineering": "agentic subagent subagents prompt prompts mcp orchestration multi-agent",
}
_WORD_TYPES: dict[str, str] = {}
for _type, _words in _TYPES.items():
    for _word in _words.split():
        _WORD_TYPES.setdefault(_word, _type)

_WORD = re.compile(r"[a-z][a-z0-9]+")
_NAME_WEIGHT, _PATH_WEIGHT, _TEXT_WEIGHT = 4, 2, 1
_GROUPING = frozenset(
    [
        "docs",
        "doc",
        "plugin",
        "plugins",
        "skill",
        "skills",
        "agent",
        "agents",
        "content",
        "src",
        "lib",
    ]
)
"""Directory names that group skills and say nothing of what one does."""
_LEAST = 2
"""Weight under which the text says too little."""
_NAME_ONLY = {
    "agent": "agent-engineering",
    "agents": "agent-engineering",
    "skill": "agent-engineering",
}
"""Words that nearly every description holds, so that they tell something only in a name."""

_SCRIPT_SUFFIXES = frozenset(
    [
        ".py",
        ".sh",
        ".bash",
        ".zsh",
        ".fish",
        ".ps1",
        ".bat",
        ".cmd",
        ".js",
        ".mjs",
        ".cjs",
        ".ts",
        ".mts",
        ".tsx",
        ".jsx",
        ".rb",
        ".pl",
        ".php",
        ".lua",
        ".r",
        ".go",
        ".rs",
        ".java",
        ".kt",
        ".swift",
        ".exe",
        ".dll",
        ".so",
        ".jar",
        ".wasm",
    ]
)
_EXEC_TOOL = re.compile(r"(?i)(?:bash|shell|powershell|execute|terminal|run_?command|computer)")
_NETWORK_TOOL = re.compile(r"(?i)(?:web|fetch|http|browser|mcp__|search_web)")
_SHELL_FENCE = re.compile(
    r"^[ \t]*(?:```+|~~~+)[ \t]*(?:bash|sh|shell|zsh|console|powershell)\b", re.M
)
_NETWORK_CODE = re.compile(
    r"\b(?:curl|wget|requests\.|urllib|httpx|aiohttp|fetch\(|axios|XMLHttpRequest|Invoke-WebRequest"
    r"|socket\.|http\.client|net/http|ssh |scp |rsync )"
)
_CRITICAL_CODE = re.compile(
    r"\b(?:sudo |rm -(?=[a-z]{0,8}r)(?=[a-z]{0,8}f)|mkfs|dd if=|shutil\.rmtree|git push --force|kubectl delete"
    r"|terraform (?:apply|destroy)|DROP (?:TABLE|DATABASE)|chmod 777|eval\()"
    r"|(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo )?(?:ba|z|da)?sh\b"
)


def infer_capability(name: str, path: str, description: str) -> str:
    """The capability type whose words the name, the directories and the description hold most.

    Args:
        name: The skill's name.
        path: POSIX path of its directory inside the registry.
        description: Its description.

    Returns:
        A type in kebab case; ``general`` when the text says too little.
    """
    weights: dict[str, int] = {}
    for word in _WORD.findall(name.lower()):
        if (kind := _NAME_ONLY.get(word)) is not None:
            weights[kind] = _LEAST
    places = " ".join(part for part in path.split("/") if part.lower() not in _GROUPING)
    sources = ((name, _NAME_WEIGHT), (places, _PATH_WEIGHT), (description[:2_000], _TEXT_WEIGHT))
    for text, weight in sources:
        for word in dict.fromkeys(_WORD.findall(text.lower())):
            if (kind := _WORD_TYPES.get(word)) is not None:
                weights[kind] = weights.get(kind, 0) + weight
    best = max(weights.values(), default=0)
    if best < _LEAST:
        return "general"
    return next(kind for kind in _TYPES if weights.get(kind) == best)


def infer_risk(
    tools: Iterable[str], body: str, files: Iterable[str], texts: Mapping[str, str]
) -> Risk:
    """The least risk that tools, instructions and scripts show.

    Args:
        tools: Declared tools.
        body: The instructions; only shell blocks in them count, not prose.
        files: POSIX paths of the skill's files.
        texts: Text of the files that can be read as text, by path.
    """
    scripts = [path for path in files if is_script(path, texts.get(path, ""))]
    found = {Risk.SAFE}
    for tool in tools:
        if _EXEC_TOOL.match(tool) or tool == "*":
            found.add(Risk.EXEC)
        elif _NETWORK_TOOL.search(tool):
            found.add(Risk.NETWORK)
    if scripts or _SHELL_FENCE.search(body):
        found.add(Risk.EXEC)
    for path in scripts:
        if _CRITICAL_CODE.search(texts.get(path, "")):
            found.add(Risk.CRITICAL)
        elif _NETWORK_CODE.search(texts.get(path, "")):
            found.add(Risk.NETWORK)
    return max(found, key=list(Risk).index)


def is_script(path: str, text: str = "") -> bool:
    """A file that an agent could run: by its suffix or by its first line."""
    return PurePosixPath(path).suffix.lower() in _SCRIPT_SUFFIXES or text.startswith("#!")
