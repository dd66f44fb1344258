"""`snakemake --lint`, less the one finding that we do not share.

Snakemake wants a conda environment or a container in every rule. Ours is one environment, locked with hashes by pip
(`envs/core.txt`), in which Snakemake itself runs.
"""

import re
import subprocess
import sys

ACCEPTED = "Specify a conda environment or container for each rule.:"


def main() -> int:
    command = [sys.executable, "-m", "snakemake", "--lint", "text"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    said = ran.stdout + ran.stderr
    titles = re.findall(r"^    \* (.+)$", said, re.MULTILINE)
    if ACCEPTED not in titles:
        print(
            "Snakemake's findings have another form than this script reads. See .ci/lint_workflow.py.", said, sep="\n"
        )
        return 1
    findings = [title for title in titles if title != ACCEPTED]
    print("\n".join(findings) or "snakemake --lint: no finding but the accepted one")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
