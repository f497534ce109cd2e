import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Settings of a run that asks a scripted model alone.
export const model = ['--profile', 'embedded', '--by', 'model', '--set', 'models.vision.backend=scripted']
export const says = (...replies: string[]) => [
  ...['--set', `models.vision.replies=${JSON.stringify(replies)}`],
  ...['--set', 'models.vision.atEnd=cycle'],
]

// What the model was sent: the texts, and how many pictures.
export function sent(out: string): { texts: string[]; pictures: number }[] {
  const calls = join(out, 'calls')
  const files = (readdirSync(calls, { recursive: true }) as string[]).filter(name => name.endsWith('.json'))
  return files.flatMap(name => {
    const text = readFileSync(join(calls, name), 'utf8')
    const { request } = JSON.parse(text) as {
      request?: { messages: { content: { type: string; text?: string }[] }[] }
    }
    const parts = request?.messages.flatMap(({ content }) => content) ?? []
    if (!request) return []
    return [
      { texts: parts.flatMap(part => part.text ?? []), pictures: parts.filter(({ type }) => type === 'image').length },
    ]
  })
}
