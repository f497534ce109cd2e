import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeImage } from '../../src/media/image.ts'

// Settings of a run that asks a scripted model alone.
export const model = ['--profile', 'embedded', '--by', 'alone', '--set', 'models.vision.backend=scripted']
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

// The parts of all requests, in order; of one kind where it is named.
export function partsOf(out: string, type?: string): { type: string }[] {
  const calls = join(out, 'calls')
  const files = (readdirSync(calls, { recursive: true }) as string[]).filter(name => name.endsWith('.json'))
  return files.flatMap(name => {
    const { request } = JSON.parse(readFileSync(join(calls, name), 'utf8')) as {
      request: { messages: { content: { type: string }[] }[] }
    }
    const parts = request.messages.flatMap(({ content }) => content)
    return type === undefined ? parts : parts.filter(part => part.type === type)
  })
}

// The pictures of all requests, by their time.
export async function imagesOf(
  out: string,
): Promise<{ width: number; height: number; time: number; detail?: string }[]> {
  const calls = join(out, 'calls')
  const files = readdirSync(calls, { recursive: true }) as string[]
  const found = files
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      const { request } = JSON.parse(readFileSync(join(calls, name), 'utf8'))
      const parts = request.messages.flatMap(({ content }: { content: object[] }) => content)
      return parts.filter((part: { type: string }) => part.type === 'image')
    })
  const images = found.map(async ({ jpeg, time, detail }) => {
    const hash = /[0-9a-f]{64}/.exec(JSON.stringify(jpeg))?.[0] ?? ''
    const file = files.find(name => name.endsWith(`bytes/${hash}`)) ?? ''
    const { width, height } = await decodeImage(readFileSync(join(calls, file)))
    return { width, height, time, detail }
  })
  return (await Promise.all(images)).sort((a, b) => a.time - b.time)
}

export function optionsOf(out: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(out, 'environment.json'), 'utf8')).options
}
