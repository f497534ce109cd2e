import type { SightBrief } from '../../src/core/brief.ts'
import type { ChatModel, ContentPart } from '../../src/core/chat.ts'

const jpeg = new Uint8Array([1]) // it reads what the brief tells, and no picture

type Shown = Omit<SightBrief, 'kind' | 'video'> & { name: string }

// What a model says of frames that are shown to it with their brief.
export async function shown(
  model: ChatModel,
  { name, ...brief }: Shown,
  signal = new AbortController().signal,
): Promise<string> {
  const content = brief.pictures.map((): ContentPart => ({ type: 'image', jpeg }))
  const video = { id: `v-${name}`, name }
  const request = {
    purpose: brief.task,
    messages: [{ role: 'user' as const, content }],
    brief: { kind: 'sight', video, ...brief },
  }
  return (await model.reply(request, signal)).text
}

// What a look of eight frames at a span says.
export async function looked(
  model: ChatModel,
  { name, start, end, question }: { name: string; start: number; end: number; question: string },
): Promise<string> {
  const pictures = Array.from({ length: 8 }, (_, i) => [start + ((i + 0.5) * (end - start)) / 8])
  return shown(model, { name, task: 'look', pictures, span: { start, end }, question })
}
