import { family } from '../../src/core/backend.ts'
import type { ChatModel } from '../../src/core/chat.ts'

// Models that plan, write, check, look at frames or judge.
export const chatModels = family<ChatModel>('chat', {
  rules: () => import('./rules.ts'),
  scripted: () => import('./scripted.ts'),
  recorded: () => import('./recorded.ts'),
  openai: () => import('./openai.ts'),
  ollama: () => import('./ollama.ts'),
  onnx: () => import('./onnx.ts'),
  'llama-cpp': () => import('./llama-cpp.ts'),
  langchain: () => import('./langchain.ts'),
})
