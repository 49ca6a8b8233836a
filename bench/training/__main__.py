"""Trains the nets, all or some: ``python -m bench.training [race] [contact] [--finish FINISH]``.

They are trained from a fixed seed and written to where the package reads them; contact is taught with the
race net that is there. On one processor the same numbers come out; on another their last digits may differ,
so the weights that are kept are what counts.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from adjudicator.happy_end import values
from adjudicator.happy_end.ruleset import Finish
from adjudicator.happy_end.values.net import load_net
from adjudicator.happy_end.values.race import Race
from adjudicator.happy_end.values.tables import build_tables
from bench.training import contact, race
from bench.training.learner import Learner

SEED = 1
WEIGHTS = Path(values.__file__).parent / "weights"


def race_net(finish: Finish) -> Learner:
    return race.Teacher(finish, build_tables(finish), SEED).teach()


def contact_net(finish: Finish) -> Learner:
    tables = build_tables(finish)
    return contact.Teacher(finish, tables, Race(tables, load_net("race", finish)), SEED).teach()


NETS: dict[str, Callable[[Finish], Learner]] = {"race": race_net, "contact": contact_net}


def main() -> None:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("net", choices=NETS, nargs="*", help="only this net")
    parser.add_argument("--finish", type=Finish, choices=Finish, help="only this finish")
    options = parser.parse_args()
    for name in options.net or NETS:
        for finish in [options.finish] if options.finish else Finish:
            began = time.process_time()
            NETS[name](finish).save(WEIGHTS / f"{name}-{finish.value}.json")
            print(f"{name} {finish.value}: {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
