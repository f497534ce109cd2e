#!/usr/bin/env bash
# Proves that kills lose nothing: indexes generated videos on a cluster of this machine, kills its workers and its database on the way, and
# compares every file with those of one undisturbed process. It needs PostgreSQL's programs and the checkout; it leaves nothing.
#   scripts/cluster/prove.sh --workers 3 --kills 20 --database-kills 1 --seed 7 [--bench needle]
set -euo pipefail
cd "$(dirname "$0")/../.."
exec node --import tsx tests/cluster/prove/prove.ts "$@"
