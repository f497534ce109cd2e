#!/usr/bin/env bash
# npm test: what is needed first, then the whole suite. Arguments go to vitest.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh --tests
exec node_modules/.bin/vitest run "$@"
