import { z } from 'zod'
import { hubSettings } from '../hub/hub-model.ts'
import { onnxSettings } from './device.ts'

// The settings of a hub model on ONNX Runtime: spread them into a schema. `names` are short names for repositories.
export function onnxModelSettings<Name extends string>(names: Record<Name, string>, standard: NoInfer<Name>) {
  const model = z
    .string()
    .min(1)
    .default(standard)
    .describe(`${Object.keys(names).join(', ')}, or a repository of the hub`)
  return { model, ...hubSettings, ...onnxSettings }
}
