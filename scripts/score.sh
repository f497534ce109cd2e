#!/usr/bin/env bash
# npm run score: what is needed first, then the regression score. Arguments go to scripts/score.ts.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh
exec node --import tsx scripts/score.ts "$@"
