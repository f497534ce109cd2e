#!/usr/bin/env bash
# Unpacks .measure/base-N, and the parts of the CUDA provider that are there, into .measure/run.
set -euo pipefail
cd "$(dirname "$0")/../../.measure"
joined() { find . -path "./$1-*/piece" | sort -V | xargs cat; }
[ -e run/node ] || { mkdir -p run; joined base | tar xJ -C run; }
binaries=$(find run/node_modules/onnxruntime-node/bin -type d -path '*/linux/x64' | head -n 1)
if [ -d cuda-1 ] && [ ! -e "$binaries/libonnxruntime_providers_cuda.so" ]; then
  joined cuda | tar xJ -C "$binaries"
fi
