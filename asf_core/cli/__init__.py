"""The ``asf`` command line. Exit codes and stderr live here only."""
