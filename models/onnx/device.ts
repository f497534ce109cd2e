import { z } from 'zod'
import { hubSettings } from '../hub/hub-model.ts'

// Where a model may run. `auto` takes CUDA where it works and the CPU elsewhere, and reports which.
export const Device = z.enum(['auto', 'cuda', 'webgpu', 'cpu'])
export type Device = z.infer<typeof Device>
export type Provider = Exclude<Device, 'auto'>

// The settings every backend with an ONNX model shares: spread them into its schema.
export const onnxSettings = {
  device: Device.default('auto').describe('where the model runs'),
  threads: z.number().int().positive().default(1).describe('processor threads of one model'),
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
  threads: number
}

// The providers to try, in order and one at a time: given a list, ONNX Runtime hides which one ran.
export function providersFor(device: Device): Provider[] {
  return device === 'auto' ? ['cuda', 'cpu'] : [device]
}

export const fixes: Record<Provider, string> = {
  cuda: 'See what is missing with "longtake doctor gpu" (CUDA 12, cuDNN 9 and the CUDA libraries of ONNX Runtime), or set device to cpu.',
  webgpu: 'WebGPU needs a graphics driver with Vulkan, Metal or Direct3D 12; set device to cpu to go without.',
  cpu: 'The file is damaged or no ONNX model: find out with "longtake models verify", then "longtake models pull" brings it again; a file of your own must be copied again.',
}
