"""Says what an executable asks for where it runs, and fails if that is more than glibc: python3 Packaging/needs.py FILE"""

import sys

from release import GLIBC, needs

libraries, glibc = needs(sys.argv[1])
print(f"{sys.argv[1]} needs glibc {glibc}: {', '.join(sorted(libraries))}")
if foreign := libraries - GLIBC:
    sys.exit(f"error: it also asks for {', '.join(sorted(foreign))}")
