import { family } from '../../src/core/backend.ts'
import type { TextEncoder } from '../../src/core/services.ts'

// Lines and queries in one vector space, so that a line is found by what it means.
export const textEncoders = family<TextEncoder>('embed-text', {
  onnx: () => import('./onnx.ts'),
  openai: () => import('./openai.ts'),
  ollama: () => import('./ollama.ts'),
})
