"""Trains the race nets, that of one ``finish`` or of each: ``python -m bench.training [FINISH]``.

They are trained from a fixed seed and written to where the package reads them. On one processor the same
numbers come out; on another their last digits may differ, so the weights that are kept are what counts.
"""

import argparse
import time
from pathlib import Path

from adjudicator.happy_end import values
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.tables import build_tables
from bench.training.race import Teacher

SEED = 1
WEIGHTS = Path(values.__file__).parent / "weights"


def main() -> None:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("finish", type=Finish, choices=Finish, nargs="*", help="only this finish")
    for finish in parser.parse_args().finish or Finish:
        began = time.process_time()
        Teacher(finish, build_tables(finish), SEED).teach().save(WEIGHTS / f"race-{finish.value}.json")
        print(f"{finish.value}: {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
