import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longtake, longtakeHere, type Ran } from '../../end-to-end/longtake.ts'
import { type ChatBody, startChatServer } from '../../servers/chat-server.ts'
import type { FaultServer } from '../../servers/fault-server.ts'
import { linesIn } from '../../support/line-file.ts'

// Two small videos with subtitles, one fact a line, and a server whose models write, quote and guess by them.

const names = 'Amber Birch Copper Dover Ebony Fern Garnet Hazel Ivory Jasper Kelp Linden'.split(' ')
const places = ['Mill', 'Gate']

export type Say = (model: string, prompt: string, nth: number) => string | undefined // nth time that it is asked this; undefined: as usual

export interface Talks {
  folder: string
  server: FaultServer
  asked(): number // requests so far
  onAsk: { do(count: number): void }
  say: { by: Say }
  settings: string[] // who writes, guesses and quotes
  make(words: string[], more?: { killOn?: AbortSignal; set?: string[] }): Promise<Ran>
  close(): Promise<void>
}

const perVideo = 5
export const units = places.length * perVideo

export async function openTalks(): Promise<Talks> {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-talks-'))
  const videos = join(folder, 'videos')
  execFileSync('mkdir', [videos])
  for (const [at, place] of places.entries()) {
    const to = join(videos, `${place.toLowerCase()}.mp4`)
    execFileSync('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      `color=c=${['navy', 'olive'][at]}:s=64x36:r=2:d=60`, // two videos, also by their content
      '-pix_fmt',
      'yuv420p',
      to,
    ])
    writeFileSync(to.replace('.mp4', '.srt'), names.map((name, n) => cue(`${name} ${place}`, n, at)).join('\n'))
  }
  const say: Talks['say'] = { by: () => undefined }
  const onAsk: Talks['onAsk'] = { do() {} }
  const times = new Map<string, number>()
  let count = 0
  const server = await startChatServer(['author', 'blind', 'check'], ({ model, messages }: ChatBody) => {
    const said = (messages as { content: unknown }[]).map(({ content }) => words(content))
    const prompt = said.join('\n')
    const key = `${model} ${prompt.split('\n\nYour last reply')[0]}`
    const nth = (times.get(key) ?? 0) + 1
    times.set(key, nth)
    onAsk.do(++count)
    return { content: say.by(model, prompt, nth) ?? usual(model, prompt) }
  })
  const models = (['author', 'check'] as const).flatMap(role => [
    ...['--set', `make.${role}.backend=openai`, '--set', `make.${role}.model=${role}`],
    ...['--set', `make.${role}.url=${server.url}/v1`],
  ])
  const blind = JSON.stringify([{ backend: 'openai', model: 'blind', url: `${server.url}/v1` }])
  const all = ['--profile', 'embedded', ...models, '--set', `make.blind=${blind}`]
  return {
    ...{ folder, server, say, onAsk, settings: all, asked: () => count },
    make(args, { killOn, set = [] } = {}) {
      times.clear()
      const words = ['bench', 'make', ...args, ...all, ...set]
      const home = join(folder, 'home')
      return killOn ? longtake(words, { home, killOn }) : longtakeHere(words, { home })
    },
    close: async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// What the command needs to begin: --out is added.
export function begin({ folder }: Talks): string[] {
  return ['cg-bench', '--from', join(folder, 'videos'), '--option', 'minMinutes=0', '--option', `perVideo=${perVideo}`]
}

// Every file of a set with its content, but for the log, which holds times.
export function bytesOf(set: string): Record<string, string> {
  const entries = readdirSync(set, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => !entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
  const hashed = files.map(file => [file.slice(set.length + 1), hashOf(file)] as const)
  return Object.fromEntries(hashed.filter(([name]) => name !== 'made/log.jsonl').sort())
}

export function callsIn(set: string): number {
  return readdirSync(join(set, 'made', 'calls')).filter(name => name.endsWith('.json')).length
}

export const madeLines = <Line>(set: string, file: string) => linesIn<Line>(join(set, 'made', file))

// Titles that a reply was written about, in the order of the units.
export function usual(model: string, prompt: string): string {
  if (model === 'blind') return 'B'
  const rows = [...prompt.matchAll(/^(s\w+) .*?: The (\w+ \w+) has the length (\d+) metres\.$/gm)]
  if (model === 'check') {
    const [, , , length] = rows.find(([, , title]) => prompt.includes(`of the ${title}?`)) ?? []
    return JSON.stringify({ right: [new RegExp(`^([A-Z])\\. ${length} metres$`, 'm').exec(prompt)?.[1] ?? 'none'] })
  }
  const [, id, title, length] = rows.find(([, , title]) => !prompt.includes(`of the ${title}?`)) ?? []
  return triplet(`What is the length of the ${title}?`, Number(length), String(id))
}

export function triplet(question: string, length: number, row: string): string {
  const negatives = [13, 29, -17, 41].map(more => `${length + more} metres`)
  return JSON.stringify({ question, answer: `${length} metres`, negatives, rows: [row] })
}

function cue(title: string, n: number, at: number): string {
  const time = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')},000`
  return `${n + 1}\n${time(5 * n)} --> ${time(5 * n + 4)}\nThe ${title} has the length ${311 + 100 * n + 7 * at} metres.\n`
}

function words(content: unknown): string {
  return typeof content === 'string'
    ? content
    : ((content as { text?: string }[]) ?? []).map(one => one.text).join('\n')
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
