import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The libraries through which ONNX Runtime reaches CUDA. They do not come with the package: they are fetched apart.
export interface CudaLibraries {
  folder: string // where they belong, beside the runtime itself
  version: string // of ONNX Runtime: they must be of exactly this one
  missing: string[]
}

const byPlatform: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['libonnxruntime_providers_shared.so', 'libonnxruntime_providers_cuda.so'],
  win32: ['onnxruntime_providers_shared.dll', 'onnxruntime_providers_cuda.dll'],
}

// Undefined where ONNX Runtime has no CUDA at all: on macOS, and on other processors than x64.
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

// The reason why CUDA cannot run that can be told without trying; ONNX Runtime itself complains loudly on the way.
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
  } catch {
    return []
  }
}
