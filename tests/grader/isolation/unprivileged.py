"""Commands run as a user without privileges, also where only root can read Python itself.

There a private mount namespace shows that user the same Python at the same place.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NOBODY = 65534
# PREFIX: where Python lies; TOP: the folder around it that only root may enter, else empty.
SCRIPT = """
set -e
if [ -n "$TOP" ]; then
  mount --make-rprivate /
  held=$(mktemp -d)
  mount --bind "$PREFIX" "$held"
  mount -t tmpfs -o mode=755 none "$TOP"
  mkdir -p "$PREFIX"
  mount --bind "$held" "$PREFIX"
fi
exec setpriv $DROP -- "$@"
"""
DROP = f"--reuid={NOBODY} --regid={NOBODY} --clear-groups"


def command(*words: str, drop: str = DROP) -> list[str]:
    """``words`` as a command that runs as nobody; as root with all readable, without ``drop``."""
    settings = [f"PREFIX={sys.base_prefix}", f"TOP={closed()}", f"DROP={drop}"]
    return ["env", *settings, "unshare", "-m", "sh", "-c", SCRIPT, "sh", *words]


def closed() -> str:
    """Return the outermost folder around Python that others may not enter, or an empty text."""
    path = "/"
    for name in sys.base_prefix.strip("/").split("/"):
        path = os.path.join(path, name)
        if not os.stat(path).st_mode & 0o001:
            return path
    return ""


def why_not() -> str:
    """Return the reason why no command can run as nobody here; empty if one can."""
    if sys.platform != "linux" or os.getuid() != 0:
        return "only root can become somebody else"
    for tool in ("unshare", "setpriv", "mount"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    reads_itself = "import os, sys; os.stat(sys.executable)"
    done = subprocess.run(
        command(sys.executable, "-c", reads_itself), capture_output=True, check=False
    )
    return "" if done.returncode == 0 else done.stderr.decode().strip()
