import { family } from '../../src/core/backend.ts'
import type { Listener } from '../../src/core/services.ts'

// Names sounds that are not words.
export const listeners = family<Listener>('hear', {
  signal: () => import('./signal.ts'),
  clap: () => import('./clap.ts'),
  ast: () => import('./ast.ts'),
  openai: () => import('./openai.ts'),
  onnx: () => import('./onnx.ts'),
})
