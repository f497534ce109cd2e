#!/usr/bin/env bash
# Makes an NVIDIA card usable for the models on this machine: the CUDA libraries of ONNX Runtime, CUDA 12 and cuDNN 9.
#   scripts/setup-cuda.sh           look, then fetch what npm and pip can bring into this folder
#   scripts/setup-cuda.sh --check   only look
# It changes nothing outside the project: libraries of CUDA come into .cuda, and it prints the line that names them.
set -euo pipefail
cd "$(dirname "$0")/.."
check_only=${1:-}

runtime=node_modules/onnxruntime-node
[ -d "$runtime" ] || { echo "Run npm ci first." >&2; exit 1; }
version=$(node -p "require('./$runtime/package.json').version")
echo "ONNX Runtime $version: wants CUDA 12.x and cuDNN 9.x, and its own provider libraries of exactly $version."

if command -v nvidia-smi >/dev/null && nvidia-smi -L; then
  nvidia-smi --query-gpu=driver_version --format=csv,noheader | sed 's/^/driver /'
  echo "CUDA 12 wants driver 525 or newer."
else
  echo "No NVIDIA driver answers (nvidia-smi). Install the one of your distribution first." >&2
  [ "$check_only" = --check ] || exit 1
fi

binaries=$(find "$runtime/bin" -type d -path '*/linux/x64' | head -n 1)
if [ -n "$binaries" ] && [ -e "$binaries/libonnxruntime_providers_cuda.so" ]; then
  echo "The provider libraries are in $binaries."
elif [ "$check_only" = --check ]; then
  echo "The provider libraries are missing from ${binaries:-$runtime/bin}."
else
  echo "Fetching the provider libraries with the script of the package itself ..."
  node "$runtime/script/install" --onnxruntime-node-install ||
    { echo "That failed. On a machine without that network, copy libonnxruntime_providers_cuda.so and" >&2
      echo "libonnxruntime_providers_shared.so of ONNX Runtime $version (GPU, CUDA 12) into $binaries." >&2; exit 1; }
fi

wanted=(libcudart.so.12 libcublas.so.12 libcublasLt.so.12 libcufft.so.11 libcurand.so.10 libcudnn.so.9)
known=$( { ldconfig -p 2>/dev/null || true; tr ':' '\n' <<<"${LD_LIBRARY_PATH:-}" | while read -r folder; do
  [ -n "$folder" ] && ls "$folder" 2>/dev/null; done; } || true)
missing=()
for library in "${wanted[@]}"; do grep -qF "$library" <<<"$known" || missing+=("$library"); done

if [ ${#missing[@]} -eq 0 ]; then
  echo "CUDA 12 and cuDNN 9 are found."
elif [ "$check_only" = --check ]; then
  echo "Missing: ${missing[*]}"
  exit 1
else
  echo "Missing: ${missing[*]}. Bringing them with pip into .cuda (about 3 GB) ..."
  python3 -m venv .cuda
  .cuda/bin/python -m pip install --quiet nvidia-cuda-runtime-cu12 nvidia-cublas-cu12 nvidia-cufft-cu12 \
    nvidia-curand-cu12 'nvidia-cudnn-cu12>=9,<10'
  folders=$(find "$PWD/.cuda" -type d -path '*/nvidia/*/lib' | paste -sd:)
  echo "Put this line into the profile of your shell, then run it once here:"
  echo "  export LD_LIBRARY_PATH=$folders\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
fi
echo "Now: longtake doctor gpu"
