import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { hubSettings } from '../hub/hub-model.ts'
import { whyNoCuda } from './cuda-libraries.ts'

// Where a model may run. `auto` takes the card by the way that this system has, the CPU elsewhere, and reports which.
export const Device = z.enum(['auto', 'cuda', 'dml', 'coreml', 'webgpu', 'cpu'])
export type Device = z.infer<typeof Device>
export type Provider = Exclude<Device, 'auto'>

// The settings every backend with an ONNX model shares: spread them into its schema.
export const onnxSettings = {
  device: Device.default('auto').describe('where the model runs'),
  threads: z
    .union([z.literal('auto'), z.number().int().positive()])
    .default('auto')
    .describe('processor threads of one model; auto: half the cores'),
}

// The settings of a hub model on ONNX Runtime: spread them into a schema. `names` are short names for repositories.
export function onnxModelSettings(names: Record<string, string>, standard: string) {
  const model = z
    .string()
    .min(1)
    .default(standard)
    .describe(`${Object.keys(names).join(', ')}, or a repository of the hub`)
  return { model, ...hubSettings, ...onnxSettings }
}

export interface OnnxSettings {
  device: Device
  threads: 'auto' | number
  precision?: string // of the model's files, for the report
}

// What another program does meanwhile keeps the other half; at hyper-threads a second one on a core brings little.
export function countThreads(threads: OnnxSettings['threads'], cores = availableParallelism()): number {
  return threads === 'auto' ? Math.max(1, Math.floor(cores / 2)) : threads
}

// WebGPU goes before CoreML, which calculates in 16 bits whatever the file holds and takes only shapes that it knows.
const byPlatform: Partial<Record<NodeJS.Platform, Provider[]>> = {
  linux: ['cuda'],
  win32: ['dml'],
  darwin: ['webgpu', 'coreml'],
}

// The providers to try, in order and one at a time: given a list, ONNX Runtime hides which one ran.
export function providersFor(device: Device, platform = process.platform): Provider[] {
  return device === 'auto' ? [...(byPlatform[platform] ?? []), 'cpu'] : [device]
}

// What the driver of a card puts there: on Linux, on its Windows Subsystem, on small boards.
const cards = ['/dev/nvidiactl', '/dev/nvidia0', '/dev/dxg', '/dev/nvhost-ctrl-gpu']

// The provider that will run a model, as far as that is known without loading ONNX Runtime.
export function expectedProvider(device: Device): Provider {
  const providers = providersFor(device)
  const may = (provider: Provider) => provider !== 'cuda' || (!whyNoCuda() && cards.some(existsSync))
  return providers.find(may) ?? providers[0] ?? 'cpu'
}

// The providers that this build of ONNX Runtime lists.
export async function supportedProviders(): Promise<string[]> {
  const { listSupportedBackends } = await import('onnxruntime-node')
  return listSupportedBackends().map(({ name }) => name)
}

// Why a provider cannot run, of those that this build of ONNX Runtime lists; it logs noisily when it tries.
export function whyNot(provider: Provider, supported: readonly string[]): string | undefined {
  if (provider === 'cpu') return undefined
  if (supported.includes(provider)) return provider === 'cuda' ? whyNoCuda() : undefined
  return `ONNX Runtime has no ${provider} on ${process.platform} ${process.arch}`
}

export const fixes: Record<Provider, string> = {
  cuda: 'See what is missing with "longtake doctor gpu" (the CUDA libraries of ONNX Runtime, and what they need), or set device to cpu.',
  dml: 'DirectML is there on Windows 10 and later, with a graphics card of Direct3D 12; set device to cpu to go without.',
  coreml: 'CoreML is there on macOS; set device to cpu to go without.',
  webgpu: 'WebGPU needs a graphics driver with Vulkan, Metal or Direct3D 12; set device to cpu to go without.',
  cpu: 'The file is damaged or no ONNX model: find out with "longtake models verify", then "longtake models pull" brings it again; a file of your own must be copied again.',
}
