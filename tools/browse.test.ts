import { expect, test } from 'vitest'
import type { Finding, SummaryLevel } from '../src/core/evidence.ts'
import { filterOffered } from '../src/core/tool.ts'
import { handMadeContext, handMadeIndex } from '../tests/agent/hand-made-index.ts'
import browse from './browse.ts'
import { openTools } from './index.ts'
import overview from './overview.ts'

const part = (level: SummaryLevel, start: number, end: number): Finding => ({
  ...{ span: { start, end }, track: 'summary', text: `${level} at ${start}`, level },
})
const rows = [
  ...Array.from({ length: 30 }, (_, at) => part('clip', at * 60, at * 60 + 60)),
  ...Array.from({ length: 6 }, (_, at) => part('scene', at * 300, at * 300 + 300)),
  ...[part('chapter', 0, 900), part('chapter', 900, 1800), part('whole', 0, 1800)],
]
const made = handMadeIndex({ duration: 1800, rows })
const told = [{ text: 'It is about bread.', cites: [] }]
const index = {
  ...made,
  overview: { ...made.overview, scenes: [], whole: told, threads: [{ text: 'Why?', cites: [] }] },
}
const run = async (input: object) => browse.run(browse.input.parse(input), handMadeContext(index))

test('a long span is shown by its scenes and a short one by its clips, as rows that can be cited', async () => {
  const scenes = await run({ start: 0, end: 900 })
  expect(scenes.evidence.map(({ text }) => text)).toEqual(['scene at 0', 'scene at 300', 'scene at 600'])
  const clips = await run({ start: 300, end: 420 })
  expect(clips.evidence.map(({ text }) => text)).toEqual(['clip at 300', 'clip at 360'])
  expect((await run({ level: 'chapter' })).evidence).toHaveLength(2)
})

test('what does not fit is said with where it goes on', async () => {
  const { evidence, text } = await run({ level: 'clip', k: 10 })
  expect(evidence).toHaveLength(10)
  expect(text).toBe('20 more clips from [10:00-30:00] on.')
})

test('it is offered only where an overview was written', async () => {
  const names = (of: typeof made) => openTools().then(tools => filterOffered(tools, of).map(({ name }) => name))
  expect(await names(index)).toContain('browse')
  expect(await names(made)).not.toContain('browse')
})

test('the overview tells the whole first, the chapters, and what is left open, and leaves finer levels to browse', async () => {
  const { text, evidence } = await overview.run({}, handMadeContext(index))
  expect(text).toMatch(/shots?\.\nIt is about bread\..*Left open: Why\?/s)
  expect(new Set(evidence.map(({ level }) => level))).toEqual(new Set(['chapter', 'whole']))
})
