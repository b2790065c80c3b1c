"""GitPython as the oracle of a skill's last commit, over histories made at random."""

from __future__ import annotations

import git
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asf_core.registry.source import RegistrySource

SKILLS = ("seeds", "weeds", "reeds")
STEPS = st.lists(st.sets(st.sampled_from(SKILLS), min_size=1), min_size=1, max_size=5)


@given(steps=STEPS)
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_last_commit_of_each_skill_is_gitpythons(tmp_path_factory, steps) -> None:
    root = tmp_path_factory.mktemp("history")
    with git.Repo.init(root, initial_branch="main") as repo:
        author = git.Actor("Ada", "ada@example.invalid")
        for number, touched in enumerate(steps):
            for name in sorted(touched):
                file = root / "skills" / name / "SKILL.md"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(
                    f"---\nname: {name}\ndescription: Step {number}.\n---\nDo it.\n",
                    encoding="utf-8",
                )
            repo.git.add(all=True)
            repo.index.commit(f"step {number}", author=author, committer=author, skip_hooks=True)
        with RegistrySource.open(root, "reg") as source:
            found = {item.path: source.read(item) for item in source.discover().skills}
        for path, skill in found.items():
            expected = next(repo.iter_commits(paths=path, max_count=1))
            last = skill.provenance.last_commit
            assert last is not None
            assert last.sha == expected.hexsha
            assert last.subject == expected.summary
            assert skill.provenance.dirty is False
