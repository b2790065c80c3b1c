"""Judging a router on queries with known answers: metrics, paired comparison, abstention.

Nothing here knows how routing is done. A router is any callable of :data:`asf_core.bench.answer.Route`;
the services layer hands in the real one.
"""
