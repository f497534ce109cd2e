import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { absentAs, forbidden } from '../../src/core/errors.ts'

// The libraries through which ONNX Runtime reaches CUDA. They are not in the package and are downloaded separately.
interface CudaLibraries {
  folder: string // of the runtime itself, where they belong
  version: string // of ONNX Runtime: they must be of exactly this one
  missing: string[]
}

const byPlatform: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['libonnxruntime_providers_shared.so', 'libonnxruntime_providers_cuda.so'],
  win32: ['onnxruntime_providers_shared.dll', 'onnxruntime_providers_cuda.dll'],
}

// Undefined where ONNX Runtime does not support CUDA: on macOS, and on other processors than x64.
export function cudaLibraries(): CudaLibraries | undefined {
  const wanted = byPlatform[process.platform]
  if (!wanted || process.arch !== 'x64') return undefined
  const require = createRequire(import.meta.url)
  const entry = require.resolve('onnxruntime-node')
  const root = entry.slice(0, entry.lastIndexOf('onnxruntime-node') + 'onnxruntime-node'.length)
  const { version } = require(join(root, 'package.json')) as { version: string }
  const folder = binaryFolder(root)
  const there = list(folder)
  return { folder, version, missing: wanted.filter(file => !there.includes(file)) }
}

// Why CUDA cannot run, as far as that is known without trying; ONNX Runtime logs noisily when it tries.
export function whyNoCuda(): string | undefined {
  const libraries = cudaLibraries()
  if (!libraries) return `ONNX Runtime has no CUDA on ${process.platform} ${process.arch}`
  return libraries.missing.length > 0 ? `${libraries.missing.join(' and ')} are not installed` : undefined
}

function binaryFolder(root: string): string {
  const [napi = 'napi-v6'] = list(join(root, 'bin')).filter(name => name.startsWith('napi-'))
  return join(root, 'bin', napi, process.platform, process.arch)
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    return absentAs<string[]>([], ...forbidden)(error)
  }
}

// What ONNX Runtime 1.30 with CUDA loads when it starts, by the names of the libraries on Linux. The release on npm is built for
// CUDA 12 and cuDNN 9; a machine with CUDA 13 only needs the libraries of CUDA 12 too.
export const cudaNeeds: { part: string; file: string; pip: string }[] = [
  { part: 'CUDA 12 runtime', file: 'libcudart.so.12', pip: 'nvidia-cuda-runtime-cu12' },
  { part: 'cuBLAS 12', file: 'libcublas.so.12', pip: 'nvidia-cublas-cu12' },
  { part: 'cuBLASLt 12', file: 'libcublasLt.so.12', pip: 'nvidia-cublas-cu12' },
  { part: 'cuFFT 11', file: 'libcufft.so.11', pip: 'nvidia-cufft-cu12' },
  { part: 'cuRAND 10', file: 'libcurand.so.10', pip: 'nvidia-curand-cu12' },
  { part: 'cuDNN 9', file: 'libcudnn.so.9', pip: 'nvidia-cudnn-cu12' },
]
