import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import tesseract from '../../models/read-text/tesseract.ts'
import type { TextReader } from '../../src/core/services.ts'
import { decodeImage } from '../../src/media/image.ts'
import { renderVideo } from '../../src/media/render/render-video.ts'
import type { Scene } from '../../src/media/render/scene.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { type ChatBody, startChatServer } from '../servers/chat-server.ts'
import type { FaultServer } from '../servers/fault-server.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'

// Slides whose text is the truth, a set that rules make of them, and a model that reads the pictures it is sent and nothing else.

const [fps, seconds] = [5, 4]
const titles =
  'Corn Mill,Glass House,Tram Depot,Salt Market,Fish Quay,Paper Works,North Gate,Rope Walk,Clock Tower,Wool Exchange,Ice Cellar,Canal Lock'

function slide(title: string, at: number): Scene {
  const line = (text: string, y: number) => ({ text, size: 0.12, at: { x: 0.1, y }, colour: '#ffffff' as const })
  return {
    frames: seconds * fps,
    opens: { kind: 'cut' },
    background: { kind: 'plain', colour: at % 2 === 0 ? '#123a66' : '#7a1f1f' },
    texts: [line(title, 0.2), line(`Budget: ${137 + 61 * at} dollars`, 0.55)],
    things: [],
  }
}

// The option that stands on the page that is meant, or on the one after or before it; a guess where there is none.
function chosen(pages: readonly string[][], question: string, options: readonly string[]): string {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  const read = pages.map(page => page.flatMap(text => [text, text.split(':').at(-1) ?? '']).map(words))
  const different = read.filter((page, at) => page.join() !== read[at - 1]?.join())
  const meant = different.findIndex(page => page.some(text => text.length > 4 && words(question).includes(text)))
  const step = /\b(?:after|follows)\b/.test(question) ? 1 : /\b(?:before|follow)\b/.test(question) ? -1 : 0
  const page = meant < 0 ? undefined : different[meant + step]
  const at = options.findIndex(option => page?.includes(words(option)))
  return 'ABCDEFGH'[Math.max(0, at)] as string
}

let line: CommandLine
let server: FaultServer
let reader: TextReader

beforeAll(async () => {
  line = commandLine(createRuntime, { PATH: process.env.PATH })
  mkdirSync(join(line.cwd, 'films'))
  const script = { title: 'film', width: 384, height: 216, fps, scenes: titles.split(',').map(slide), cues: [] }
  await renderVideo(script, join(line.cwd, 'films', 'film.mp4'), { signal: new AbortController().signal })
  reader = await tesseract.open({ language: 'eng', workers: 2 }, {} as never)
  const read = new Map<string, Promise<string[]>>()
  const page = async (jpeg: Buffer) => {
    const [lines = []] = await reader.read([await decodeImage(jpeg)] as never, new AbortController().signal)
    return lines.map(({ text }) => text)
  }
  server = await startChatServer(['reader'], async ({ messages }: ChatBody) => {
    const parts = (messages as { content: string | { text?: string; image_url?: { url: string } }[] }[]).flatMap(
      ({ content }) => (typeof content === 'string' ? [{ text: content }] : content),
    )
    const pages: string[][] = []
    for (const part of parts) {
      const data = 'image_url' in part ? part.image_url?.url.split(',')[1] : undefined
      if (data === undefined) continue
      const known = read.get(data) ?? page(Buffer.from(data, 'base64'))
      read.set(data, known)
      pages.push(await known)
    }
    const text = parts.map(part => part.text ?? '').join('\n')
    const options = [...text.matchAll(/^[A-H]:(.*)$/gm)].map(([, option = '']) => option)
    const question = text.split('\n\n').findLast(block => block.includes('?')) ?? ''
    return { content: `\`\`\`json\n{"result": "${chosen(pages, question, options)}"}\n\`\`\`` }
  })
  const tracks = ['speech', 'sound'].flatMap(track => ['--set', `index.tracks.${track}=false`])
  const own = ['--option', 'minMinutes=0', '--option', 'perVideo=14', '--profile', 'embedded', ...tracks]
  const made = await line.run('bench', 'make', 'cg-bench', '--from', 'films', '--out', 'set', ...own)
  expect([0, 6], made.stderr).toContain(made.code)
}, 300_000)
afterAll(async () => {
  await server?.close()
  await reader?.close?.()
  rmSync(line.cwd, { recursive: true, force: true })
})

const card = () => readFileSync(join(line.cwd, 'set', 'README.md'), 'utf8').match(/^- Ladder: .*$/m)?.[0]
const measure = (out: string, ...more: string[]) =>
  line.run(
    ...[
      'ablate',
      'cg-bench',
      '--data',
      'set',
      '--base',
      'embedded',
      '--by',
      'model',
      '--task',
      'long_acc',
      '--out',
      out,
    ],
    ...['backend=openai', 'model=reader', `url=${server.url}/v1`].flatMap(one => [
      '--base-set',
      `models.vision.${one}`,
    ]),
    ...['--base-option', 'frames=0', '--json', ...more],
  )

test('the more frames a model that reads is shown, the more it gets right; the card has the numbers of the study', async () => {
  expect(card()).toBe('- Ladder: not measured')
  const ran = await measure('study', '--option', 'frames=0,1,8,32')
  expect(ran.code, ran.stderr).toBe(0)
  const scoreOf = (frames: number): number =>
    JSON.parse(readFileSync(join(line.cwd, 'study', 'rows', `option-frames=${frames}`, 'scores.json'), 'utf8')).strict
      .metrics.long_acc
  const scores = [0, 1, 8, 32].map(scoreOf)
  expect(scores).toEqual(scores.toSorted((a, b) => a - b))
  const [blind = 100, , some = 0, most = 0] = scores // one frame shows a slide that may not be asked about
  expect(some, String(scores)).toBeGreaterThan(blind)
  expect(most, String(scores)).toBeGreaterThan(some)

  const checked = await line.run('bench', 'check', 'set', '--ladder', 'study', '--json')
  expect([0, 6], checked.stderr).toContain(checked.code)
  const { ladder, questions } = JSON.parse(checked.stdout)
  expect(ladder.tasks.long_acc.map(({ score }: { score: number }) => score.toFixed(2))).toEqual(
    scores.map(score => score.toFixed(2)),
  )
  const [none, one, eight, all] = scores.map(score => score.toFixed(2))
  expect(card()).toBe(
    `- Ladder: long_acc ${none} % with 0 frames, ${one} % with 1, ${eight} % with 8, ${all} % with 32 (openai/reader, ${questions} questions)`,
  )
  expect(JSON.parse(readFileSync(join(line.cwd, 'set', 'benchmark.json'), 'utf8')).ladder).toEqual(ladder)
})

test('a set that is written anew keeps its ladder, and the card says when its questions were changed since', async () => {
  const before = card()
  const again = await line.run('bench', 'make', '--resume', 'set', '--profile', 'embedded')
  expect([0, 6], again.stderr).toContain(again.code)
  expect(card()).toBe(before)
  const kept: { items: { id: string }[] } = JSON.parse(readFileSync(join(line.cwd, 'set', 'made', 'kept.json'), 'utf8'))
  const verdict = { item: kept.items[0]?.id, verdict: 'drop', reasons: ['trivial'] }
  writeFileSync(join(line.cwd, 'ann.jsonl'), JSON.stringify(verdict))
  const dropped = await line.run('bench', 'review', 'set', '--import', 'ann.jsonl', '--as', 'ann')
  expect(dropped.code, dropped.stderr).toBe(0)
  expect(card()).toBe(before?.replace(/\)$/, '; the questions were changed since)'))
  const late = await line.run('bench', 'check', 'set', '--ladder', 'study')
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('asked other questions than')])
})

test('no ladder comes of a study that is not over, shows no frames, or is of other data than a made set', async () => {
  const part = await measure('part', '--option', 'frames=0,1', '--task', 'open', '--judge', 'words')
  expect(part.code, part.stderr).toBe(0)
  const byWords = await line.run('bench', 'check', 'set', '--ladder', 'part', '--json')
  expect(Object.keys(JSON.parse(byWords.stdout).ladder.tasks)).toEqual(['long_acc', 'open (words)'])
  expect(card()).toMatch(/; open \(words\) [\d.]+ % with 0 frames, /)
  rmSync(join(line.cwd, 'part', 'rows', 'option-frames=1', 'summary.json'))
  const half = await line.run('bench', 'check', 'set', '--ladder', 'part')
  expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('The row "option frames=1" of')])
  const other = await measure('other', '--option', 'picture=high')
  expect(other.code, other.stderr).toBe(0)
  const flat = await line.run('bench', 'check', 'set', '--ladder', 'other')
  expect([flat.code, flat.stderr]).toEqual([2, expect.stringContaining('several numbers of frames')])
  const bare = join(line.cwd, 'bare')
  mkdirSync(bare)
  for (const name of readdirSync(join(line.cwd, 'set')).filter(one => one === 'cgbench.json'))
    writeFileSync(join(bare, name), readFileSync(join(line.cwd, 'set', name)))
  const published = await line.run('bench', 'check', bare, '--ladder', 'part')
  expect([published.code, published.stderr]).toEqual([2, expect.stringContaining('is not a made set')])
})
