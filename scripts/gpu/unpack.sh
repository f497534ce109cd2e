#!/usr/bin/env bash
# Unpacks .measure/base, and the parts of the CUDA provider that are there, into .measure/run.
set -euo pipefail
cd "$(dirname "$0")/../../.measure"
[ -e run/node ] || { mkdir -p run; tar xJf base/base.tar.xz -C run; }
binaries=$(find run/node_modules/onnxruntime-node/bin -type d -path '*/linux/x64' | head -n 1)
if [ -d cuda-1 ] && [ ! -e "$binaries/libonnxruntime_providers_cuda.so" ]; then
  find . -path './cuda-*/piece' | sort -V | xargs cat | tar xJ -C "$binaries"
fi
