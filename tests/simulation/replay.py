"""Runs one schedule again and tells of it: `python tests/simulation/replay.py SEED`."""

from __future__ import annotations

import logging
import sys

from checker import check
from world import simulate, small_parts


def main(seed: int) -> None:
    """Run the schedule of a seed with the log on; an error ends it with its traceback."""
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s")
    with small_parts() as database:
        logging.disable(logging.NOTSET)
        world = simulate(seed, database)
        sys.stdout.write("\n".join(["", *world.trace, ""]))
        check(world)
    sys.stdout.write(f"Schedule {seed} keeps everything.\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
