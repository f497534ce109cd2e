import { z } from 'zod'
import { optionalPackage } from '../optional-package.ts'

export const sherpaPackage = optionalPackage('sherpa-onnx-node')

// The settings of every backend that runs on it: spread them into its schema.
export const sherpaSettings = {
  packageFolder: sherpaPackage.setting,
  threads: z.number().int().positive().default(1).describe('processor threads of one model'),
}
