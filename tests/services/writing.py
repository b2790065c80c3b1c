"""Texts for skills of tests that are to pass the gate."""

from __future__ import annotations


def procedure(topic: str) -> str:
    """A body of instructions, every line of which is about the topic.

    A stub ("Do it.") is taken out of routing by the gate, and so are lines that many skills share.
    """
    return f"""Before {topic} begins, write down what {topic} is for; if nobody can say, stop.

1. Collect what {topic} needs: names, dates and the last three results of {topic}.
2. If an entry about {topic} is missing, ask for it, because a guess in {topic} is never noticed later.
3. Do the first step of {topic} by hand, compare it with last time, and never skip that comparison.
4. If {topic} fails twice in the same place, undo the last change to {topic} instead of trying again.
5. Unless {topic} is urgent, let a second person read the result of {topic} until both agree.

When {topic} is done, keep the notes on {topic} for a year, otherwise the next one starts from nothing.
"""
