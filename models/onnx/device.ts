import { z } from 'zod'

// Where a model may run. `auto` takes CUDA where it works and the processor elsewhere, and says which.
export const Device = z.enum(['auto', 'cuda', 'webgpu', 'cpu'])
export type Device = z.infer<typeof Device>
export type Provider = Exclude<Device, 'auto'>

// The settings every backend with an ONNX model shares: spread them into its schema.
export const onnxSettings = {
  device: Device.default('auto').describe('where the model runs'),
  threads: z.number().int().positive().default(1).describe('processor threads of one model'),
}

export interface OnnxSettings {
  device: Device
  threads: number
}

// What to try, in order. One provider at a time: a list of them hides which one ran.
export function providersFor(device: Device): Provider[] {
  return device === 'auto' ? ['cuda', 'cpu'] : [device]
}

export const mends: Record<Provider, string> = {
  cuda: 'Fetch the CUDA libraries of ONNX Runtime with "node node_modules/onnxruntime-node/script/install --onnxruntime-node-install" (CUDA 12 and cuDNN 9 must be on the machine), or set device to cpu.',
  webgpu: 'WebGPU needs a graphics driver with Vulkan, Metal or Direct3D 12; set device to cpu to go without.',
  cpu: 'Check that the model file is whole: fetch it again.',
}
