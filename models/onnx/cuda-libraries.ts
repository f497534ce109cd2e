import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
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
}

// Undefined if the package of ONNX Runtime has no CUDA: elsewhere than on Linux, and on other processors than x64.
export function cudaLibraries(): CudaLibraries | undefined {
  const neededLibraries = byPlatform[process.platform]
  if (!neededLibraries || process.arch !== 'x64') return undefined
  const require = createRequire(import.meta.url)
  const entry = require.resolve('onnxruntime-node')
  const root = entry.slice(0, entry.lastIndexOf('onnxruntime-node') + 'onnxruntime-node'.length)
  const { version } = require(join(root, 'package.json')) as { version: string }
  const folder = binaryFolder(root)
  const there = list(folder)
  return { folder, version, missing: neededLibraries.filter(file => !there.includes(file)) }
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

// What the CUDA provider asks of the machine, by its own file.
export interface CudaNeeds {
  cuda?: number // the release that it was built for
  driver?: number // the first branch of NVIDIA's driver for that release
  needs: CudaNeed[]
  beside: boolean // libraries that lie or are linked beside the provider are found
}

interface CudaNeed {
  file: string // "libcudart.so.13"
  part: string
  pip?: string // the requirement that brings it; none brings the driver
  atStart: boolean // else it is loaded when a model first asks for it
}

const parts: Record<string, { part: string; pip?: string }> = {
  cuda: { part: 'the driver' },
  cudart: { part: 'CUDA runtime', pip: 'nvidia-cuda-runtime' },
  cublas: { part: 'cuBLAS', pip: 'nvidia-cublas' },
  cublasLt: { part: 'cuBLASLt', pip: 'nvidia-cublas' },
  cufft: { part: 'cuFFT', pip: 'nvidia-cufft' },
  curand: { part: 'cuRAND', pip: 'nvidia-curand' },
  cudnn: { part: 'cuDNN', pip: 'nvidia-cudnn' },
  nvrtc: { part: 'NVRTC', pip: 'nvidia-cuda-nvrtc' },
}
const drivers: Partial<Record<number, number>> = { 11: 450, 12: 525, 13: 580 }
const usualCudnn = 9
const cufftOf: Partial<Record<number, number>> = { 11: 10, 12: 11, 13: 12 }

export function readCudaNeeds(provider: string): CudaNeeds {
  return cudaNeeds(readElf(provider))
}

// From the names of the libraries that the provider is linked with, and the two that newer ones load when a model asks for them.
export function cudaNeeds({ needed, folders }: LinkedLibraries): CudaNeeds {
  const linked = needed.flatMap(file => {
    const { stem = '', major } = /^lib(?<stem>\w+)\.so\.(?<major>\d+)$/.exec(file)?.groups ?? {}
    return Object.hasOwn(parts, stem) ? [{ file, stem, major: Number(major), atStart: true }] : []
  })
  const cuda = (linked.find(({ stem }) => stem === 'cudart') ?? linked.find(({ stem }) => stem === 'cublas'))?.major
  const later = (stem: string, major: number | undefined) =>
    major && !linked.some(library => library.stem === stem)
      ? [{ file: `lib${stem}.so.${major}`, stem, major, atStart: false }]
      : []
  const all = [...linked, ...later('cudnn', cuda && usualCudnn), ...later('cufft', cuda && cufftOf[cuda])]
  return {
    cuda,
    driver: cuda && drivers[cuda],
    needs: all.map(({ file, stem, major, atStart }) => ({
      file,
      atStart,
      part: `${parts[stem]?.part} ${stem === 'cuda' ? '' : major}`.trim(),
      pip: requirement(stem, major, cuda),
    })),
    beside: folders.some(folder => /^\$(ORIGIN|\{ORIGIN\})\/?$/.test(folder)),
  }
}

// NVIDIA's packages for CUDA 12 and before have the release in their names; later only that of cuDNN has.
function requirement(stem: string, major: number, cuda = 0): string | undefined {
  const name = parts[stem]?.pip
  if (!name) return undefined
  return `${name}${cuda < 13 || stem === 'cudnn' ? `-cu${cuda}` : ''}~=${major}.0`
}

// What a shared library of Linux asks its loader for.
interface LinkedLibraries {
  needed: string[] // names of libraries, as "libcudart.so.13"
  folders: string[] // where it is looked for first, as "$ORIGIN"
}

const loaded = 1 // PT_LOAD
const dynamic = 2 // PT_DYNAMIC
const tags = { needed: 1, strings: 5, stringBytes: 10, rpath: 15, runpath: 29 }
const maxTable = 16 * 1024 * 1024 // bytes

// Reads the dynamic section of a 64-bit little-endian ELF file: some kilobytes, however large the file is.
export function readElf(path: string): LinkedLibraries {
  const file = openSync(path, 'r')
  try {
    return linkedIn((offset, length) => readAt(file, offset, length))
  } catch (cause) {
    throw new Error(`${path} must be a 64-bit ELF library: ${(cause as Error).message}`, { cause })
  } finally {
    closeSync(file)
  }
}

function linkedIn(read: (offset: number, length: number) => Buffer): LinkedLibraries {
  const header = read(0, 64)
  if (header.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') throw new Error('it begins otherwise')
  const [size, count] = [header.readUInt16LE(54), header.readUInt16LE(56)]
  if (size < 56) throw new Error(`its program headers have ${size} bytes`)
  const table = read(number(header, 32), size * count)
  const segments = Array.from({ length: count }, (_, at) => {
    const row = table.subarray(at * size)
    return { type: row.readUInt32LE(0), offset: number(row, 8), address: number(row, 16), bytes: number(row, 32) }
  })
  const section = segments.find(({ type }) => type === dynamic)
  if (!section) return { needed: [], folders: [] } // linked statically
  const rows = read(section.offset, section.bytes)
  const entries = Array.from({ length: Math.floor(rows.length / 16) }, (_, at) => ({
    tag: number(rows, at * 16),
    value: number(rows, at * 16 + 8),
  }))
  const entry = (tag: number) => entries.find(row => row.tag === tag)?.value ?? 0
  const address = entry(tags.strings)
  const home = segments.find(
    ({ type, address: from, bytes }) => type === loaded && address >= from && address < from + bytes,
  )
  if (!home) throw new Error('its names lie nowhere in it')
  const names = read(home.offset + address - home.address, entry(tags.stringBytes))
  const name = (at: number) => names.toString('utf8', at, names.indexOf(0, at))
  const named = (...wanted: number[]) =>
    entries.filter(({ tag }) => wanted.includes(tag)).map(({ value }) => name(value))
  const folders = named(tags.rpath, tags.runpath).flatMap(path => path.split(':').filter(Boolean))
  return { needed: named(tags.needed), folders }
}

function number(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}

function readAt(file: number, offset: number, length: number): Buffer {
  if (length > maxTable) throw new Error(`a table of it has ${length} bytes`)
  const bytes = Buffer.alloc(length)
  if (readSync(file, bytes, 0, length, offset) < length) throw new Error('it is cut short')
  return bytes
}
