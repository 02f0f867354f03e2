"""Start-up of `import voxpop` and of an embedded service, in fresh processes: `python bench_startup.py`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 5
START = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
IMPORT_HTTPX = "import httpx"
IMPORT = "import voxpop"
LOCAL = "import voxpop as vp; c = vp.local(agents=100_000)"


def seconds(code: str) -> float:
    """Run code in a fresh process and return what it says it took."""
    ran = subprocess.run(
        [sys.executable, "-c", START.format(code)], capture_output=True, text=True, check=True, timeout=120
    )
    return float(ran.stdout.split()[-1])


def middle(code: str) -> float:
    return statistics.median(seconds(code) for _ in range(RUNS))


def main() -> None:
    begun = time.perf_counter()
    first = seconds(LOCAL)
    httpx_s, import_s, local_s = middle(IMPORT_HTTPX), middle(IMPORT), middle(LOCAL)
    say = sys.stdout.write
    say(f"import httpx                      {httpx_s * 1000:7.0f} ms\n")
    say(f"import voxpop                     {import_s * 1000:7.0f} ms, {import_s / httpx_s:.2f} x httpx")
    say(f" (budget: at most {httpx_s * 1000:.0f} + 100 ms)\n")
    say(f"vp.local(), first in this run     {first:7.2f} s  (budget with a build: 5 s)\n")
    say(f"vp.local(), population there      {local_s:7.2f} s (budget 0.7 s), {local_s / httpx_s:.1f} x\n")
    say(f"in all {time.perf_counter() - begun:.0f} s\n")


if __name__ == "__main__":
    main()
