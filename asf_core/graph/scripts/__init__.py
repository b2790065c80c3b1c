"""What the scripts of a skill reach in other skills, read by tree-sitter; nothing is ever run.

A path in a script is followed as far as the text tells it: ``Path(__file__).parents[2] / "x"``,
``path.join(__dirname, "..")``, ``$(dirname "$0")/..`` and variables that hold such a value lead to a
place that is known from the skill's own directory; a plain ``../x`` leads somewhere from where the
script is run; what begins with an argument or the environment is known by its end only.

What it means, by the way it is used (DESIGN 6):

- ``import``, ``require``, ``export from``, ``sys.path``, ``runpy``, ``source``, and in shell scripts
  a script that is run by a path which the text fixes: the skill does not work without that file.
  ``depends_on``, EXTRACTED, 1.0;
- a process that is started with such a path (``subprocess``, ``child_process``), a file of another
  skill that is opened, a path of which only the end is known, a command in the instructions, and a
  skill that is called by its name: ``depends_on``, INFERRED, 0.6.
"""
