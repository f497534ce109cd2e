#!/usr/bin/env bash
# Brings everything that the demo needs, with --tests also a browser and PostgreSQL. Safe to run again: where nothing is missing it says nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

stop() { # one sentence, what to do, exit code 2
  printf '%s\n' "$1" >&2
  exit 2
}

check_node() {
  command -v node >/dev/null || stop 'Node.js 20.19 or newer is needed and was not found: install it from https://nodejs.org, then run this again.'
  local found major minor
  found=$(node -p 'process.versions.node')
  IFS=. read -r major minor _ <<<"$found"
  if ((major < 20 || (major == 20 && minor < 19))); then
    stop "Node.js 20.19 or newer is needed and this is $found: install a newer one from https://nodejs.org, then run this again."
  fi
}

# Debian packages whose program or file is not there; LONGTAKE_FFMPEG and the like count as there.
missing_packages() {
  local build=$1 list=()
  [[ -n ${LONGTAKE_FFMPEG:-} && -n ${LONGTAKE_FFPROBE:-} ]] || { command -v ffmpeg && command -v ffprobe; } >/dev/null || list+=(ffmpeg)
  [[ -n ${LONGTAKE_POCKETSPHINX_CONTINUOUS:-} ]] || command -v pocketsphinx_continuous >/dev/null || list+=(pocketsphinx)
  compgen -G '/usr/share/pocketsphinx/model/en-us/en-us.lm*' >/dev/null || list+=(pocketsphinx-en-us)
  [[ -n ${LONGTAKE_FLITE:-} ]] || command -v flite >/dev/null || list+=(flite)
  [[ -n ${LONGTAKE_FONT:-} || -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ]] || list+=(fonts-dejavu-core)
  if [[ $build == yes && $native == *sqlite* ]]; then # nothing works without it
    command -v g++ >/dev/null || list+=(g++)
    command -v make >/dev/null || list+=(make)
    command -v python3 >/dev/null || list+=(python3)
  fi
  echo "${list[*]}"
}

install_packages() {
  local packages=$1 root=() log
  local command="apt-get update && apt-get install -y --no-install-recommends $packages"
  command -v apt-get >/dev/null || stop "These are needed and were not found: $packages (Debian's names). Install them with your package manager, then run this again."
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null || stop "These Debian packages are missing; to install them, type: sudo sh -c '$command'"
    root=(sudo -n)
  fi
  echo "Installing with apt-get: $packages"
  log=$(mktemp)
  compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || "${root[@]}" apt-get update >"$log" 2>&1 || fail_with_log 'apt-get update failed' "$log"
  apt_install "$log" $packages || {
    "${root[@]}" apt-get update >"$log" 2>&1 || true # the lists may be older than the archive
    apt_install "$log" $packages || fail_with_log "apt-get could not install: $packages" "$log"
  }
  rm -f "$log"
}

apt_install() { # uses the caller's `root`
  local log=$1
  shift
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >"$log" 2>&1
}

bring_browser() {
  local name
  [[ -z ${LONGTAKE_CHROMIUM:-} ]] || return 0
  for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then return 0; fi
  done
  (install_packages chromium-headless-shell 2>/dev/null) || (install_packages chromium 2>/dev/null) ||
    echo 'There is no Chromium (Debian: chromium), so the tests of the page are skipped.'
}

# A wrong clock for one process. Without it one fault is not tried, and the test says so.
bring_faketime() {
  compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null || ! command -v apt-get >/dev/null || (install_packages faketime 2>/dev/null) || true
}

# Only PostgreSQL's programs: Debian's package would make a database and start it.
bring_postgres() {
  local conf=/etc/postgresql-common/createcluster.conf root=()
  ! { compgen -G '/usr/lib/postgresql/*/bin/initdb' || command -v initdb; } >/dev/null || return 0
  command -v apt-get >/dev/null || stop 'The tests need PostgreSQL 13 or newer (initdb, pg_ctl). Install it with your package manager, then run this again.'
  ((EUID == 0)) || root=(sudo -n)
  "${root[@]}" sh -c "mkdir -p ${conf%/*} && { test -e $conf || echo 'create_main_cluster = false' >$conf; }" 2>/dev/null || true
  install_packages postgresql
}

fail_with_log() {
  tail -n 25 "$2" >&2
  rm -f "$2"
  stop "$1 (its last lines are above)."
}

# What node_modules must agree with: the lockfile, and the Node whose binary interface the native modules were built for.
lock_state() { echo "$(cksum <package-lock.json) node-abi $(node -p 'process.versions.modules')"; }

stamp=node_modules/.longtake-setup
# The packages that are compiled here: the first where there is a compiler, the second where Node has no SQLite that will do
# (src/store/sqlite.ts).
native='hnswlib-node'
own_sqlite="'setReturnArrays' in (process.getBuiltinModule('node:sqlite')?.StatementSync.prototype ?? {})"
[[ $(node --no-warnings -p "$own_sqlite" 2>/dev/null) == true ]] || native+=' better-sqlite3'

modules_state() {
  if [[ -f $stamp ]]; then
    [[ $(<$stamp) == "$(lock_state)" ]] && echo ready || echo old
  elif [[ node_modules/.package-lock.json -nt package-lock.json ]] &&
    [[ $native != *sqlite* || -f node_modules/better-sqlite3/build/Release/better_sqlite3.node ]]; then
    echo foreign # someone ran npm themselves
  else
    echo missing
  fi
}

install_modules() {
  local prefix log package started=$SECONDS
  prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  # Native modules need Node's headers. Those beside Node spare a download, and are of this Node, as configured ones may not be.
  [[ ! -f $prefix/include/node/node.h ]] || export npm_config_nodedir=$prefix
  echo 'Installing the npm packages of package-lock.json, which takes one or two minutes.'
  log=$(mktemp)
  # No package runs a script of its own, whatever the version of npm; those that are native are then built from their source.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >"$log" 2>&1 || fail_with_log 'npm ci failed' "$log"
  for package in $native; do
    if [[ $package == hnswlib-node ]] && ! { command -v g++ && command -v make && command -v python3; } >/dev/null; then
      echo 'There is no compiler: hnswlib-node is left out. Nothing needs it, and its tests are skipped.'
    else
      npm rebuild --build-from-source --loglevel=error "$package" >"$log" 2>&1 || fail_with_log "npm rebuild $package failed" "$log"
    fi
  done
  rm -f "$log"
  lock_state >$stamp
  echo "Installed the npm packages in $((SECONDS - started)) s."
}

check_node
modules=$(modules_state)
case $modules in
missing | old) packages=$(missing_packages yes) ;;
*) packages=$(missing_packages no) ;;
esac
[[ -z $packages ]] || install_packages "$packages"
case $modules in
missing | old) install_modules ;;
foreign) lock_state >$stamp ;;
esac
if [[ ${1:-} == --tests ]]; then
  bring_browser
  bring_postgres
  bring_faketime
  node bin/compile.mjs
else
  node bin/compile.mjs --bundle
fi
