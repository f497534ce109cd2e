#!/usr/bin/env bash
# Indexes generated videos on two hosts that reach the database and the store by a network only: each has a namespace with an address of its
# own. On the way the link of a host is cut, another one is slow, and then that of the database is cut. Needs root (namespaces), iproute2,
# openssl and PostgreSQL's programs; skipped with exit 77 where these are not there. It leaves nothing.
#   scripts/cluster/two-hosts.sh [--videos 4] [--seconds 40] [--seed 1] [--keep]
set -euo pipefail
cd "$(dirname "$0")/../.."
skip() {
  echo "skipped: $1"
  exit 77
}
((EUID == 0)) || skip 'network namespaces need root'
command -v ip >/dev/null || skip 'there is no ip (Debian: iproute2)'
command -v openssl >/dev/null || skip 'there is no openssl'
ip netns add longtake-try 2>/dev/null || skip 'this kernel or container makes no network namespaces'
ip netns del longtake-try
exec node --import tsx scripts/cluster/two-hosts/run.ts "$@"
