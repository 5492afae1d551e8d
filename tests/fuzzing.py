"""How many examples the property tests try: few in the default suite, many under `make fuzz`."""

import os

FACTOR = int(os.environ.get("FUZZ", "1"))


def examples(count):
    """Number of examples of a test that tries `count` in the default suite."""
    return count * FACTOR
