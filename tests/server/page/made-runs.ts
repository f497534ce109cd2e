import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Run folders that nobody asked for, beside those that the server has made.

// Old questions that are over, as many as somebody has who measures a lot.
export function makeCrowd(home: string, count: number): void {
  for (let nr = 0; nr < count; nr++) {
    const folder = join(home, 'runs', `20200101-000000-old-${String(nr).padStart(5, '0')}`)
    mkdirSync(folder, { recursive: true })
    const started = new Date(Date.UTC(2020, 0, 1) + nr * 60_000).toISOString()
    const name = `Old question number ${nr}?`
    const video = { id: 'v00', path: '/old.mp4', name: 'old.mp4', duration: 60 }
    const files = { environment: { format: 1, started, name, video }, config: {}, summary: { status: 'answered' } }
    for (const [file, value] of Object.entries(files))
      writeFileSync(join(folder, `${file}.json`), JSON.stringify(value))
  }
}

// The same run once more, under another name; `change` is given each of its files.
export function copyRun(home: string, run: string, as: string, change: (file: string, text: string) => string | null) {
  const [from, to] = [join(home, 'runs', run), join(home, 'runs', as)]
  cpSync(from, to, { recursive: true, filter: source => !/lock\.sqlite/.test(source) })
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!/\.jsonl?$/.test(file)) continue
    const text = change(file, readFileSync(join(from, file), 'utf8'))
    writeFileSync(join(to, file), text ?? '')
  }
}

const spoken: ReadonlySet<string> = new Set([
  ...['text', 'name', 'tool', 'message', 'title', 'summary', 'reason', 'sentence', 'query', 'about', 'model', 'by'],
  ...['speaker', 'path', 'claim', 'clue', 'route', 'stop', 'graph', 'backend'],
])
const lists = new Set(['notes', 'degraded', 'unknown', 'options', 'aspects', 'hints'])

// Every text that comes from a video, a file or a model says something else; ids, times and kinds stay.
export function poisoned(text: string, payload: () => string, keys = spoken): string {
  return text
    .split('\n')
    .map(line => {
      try {
        return JSON.stringify(changed(JSON.parse(line), payload, keys))
      } catch {
        return line
      }
    })
    .join('\n')
}

function changed(value: unknown, payload: () => string, keys: ReadonlySet<string>, key = ''): unknown {
  if (Array.isArray(value)) {
    if (!lists.has(key)) return value.map(item => changed(item, payload, keys))
    return value.length === 0 || typeof value[0] === 'string' ? [payload(), payload()] : value
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, changed(held, payload, keys, name)]))
  return typeof value === 'string' && keys.has(key) ? payload() : value
}
