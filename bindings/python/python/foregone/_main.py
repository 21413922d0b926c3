"""The program ``foregone``, which the wheel holds, too."""

from __future__ import annotations

import signal
import sys

from . import _foregone


def main() -> int:
    """Run the words of the command line, and return the exit code."""
    # Ctrl-C is the program's own business: it tells what was found.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _foregone.run(["foregone", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
