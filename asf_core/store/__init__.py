"""The workspace: database, vectors, snapshots."""
