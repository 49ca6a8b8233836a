"""``python -m adjudicator.cli``: the same as ``adjudicator``, where the script is not on the path."""

from adjudicator.cli import main

if __name__ == "__main__":
    main()
