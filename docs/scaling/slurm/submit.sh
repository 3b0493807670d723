#!/bin/bash
# Grades a class as a job array. Run it in the folder that holds `submitted/` and `handout/`, which all
# nodes have to see:
#
#     bash submit.sh [SHARDS]
#
# `prepare` makes seed and key once, `grade` judges a shard per task, `merge` joins them into `results/`.
# Each waits for the one before, and is cancelled if that has failed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SHARDS=${1:-50}
mkdir -p logs parts

prepared=$(sbatch --parsable "$here/prepare.sbatch")
graded=$(sbatch --parsable --kill-on-invalid-dep=yes --dependency="afterok:${prepared%%;*}" \
  --array="1-$SHARDS%10" "$here/grade.sbatch")
sbatch --kill-on-invalid-dep=yes --dependency="afterok:${graded%%;*}" "$here/merge.sbatch"
