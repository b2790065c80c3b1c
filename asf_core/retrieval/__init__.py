"""From a task to a plan: recall, rerank, walk, plan."""
