#!/usr/bin/env bash
# npm run demo: what is needed first, then a three-minute video is made, indexed and asked about.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh
exec node --import tsx scripts/demo.ts "$@"
