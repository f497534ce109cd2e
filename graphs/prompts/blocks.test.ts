import { expect, test } from 'vitest'
import type { Overview } from '../../src/core/video.ts'
import { overviewBlock } from './blocks.ts'

const base = { duration: 600, shots: 3, speakers: [], notIndexed: [] }
const chapter = (at: number) => ({
  span: { start: at * 60, end: at * 60 + 60 },
  title: `Part ${at}`,
  summary: `First of ${at}. ${'Then more of it. '.repeat(20)}`,
  cites: ['s0000000001'],
  sentences: [
    { text: `First of ${at}.`, cites: ['s0000000001'] },
    { text: 'Then more of it. '.repeat(20), cites: ['s0000000001'] },
  ],
})
const chapters = Array.from({ length: 10 }, (_, at) => chapter(at))
const written: Overview = {
  ...{ ...base, chapters, by: 'chat/test', scenes: [] },
  whole: [{ text: 'It is about bread.', cites: ['s0000000001'] }],
  threads: [{ text: 'Who bakes it?', cites: ['s0000000001'] }],
}

test('an overview of lines is its chapters, cut at the length', () => {
  const { title, summary, span, cites } = chapter(0)
  const one = { ...base, chapters: [{ title, summary, span, cites }] }
  expect(overviewBlock(one, 40)).toBe(`<data overview>\n${`[0:00-1:00] Part 0: ${summary}`.slice(0, 40)}\n</data>`)
  expect(overviewBlock({ ...base, chapters: [] }, 40)).toBe('')
})

test('of a written one the whole comes first and what is open last, with all chapters between', () => {
  const text = overviewBlock(written, 12_000)
  expect(text).toMatch(/^<data overview>\nIt is about bread\.\n\[0:00-1:00\] Part 0: First of 0\. Then/)
  expect(text).toMatch(/Left open: Who bakes it\?\n<\/data>$/)
})

test('where it does not fit every chapter keeps its first sentence, then its title', () => {
  const short = overviewBlock(written, 800)
  for (const at of chapters.keys()) expect(short).toContain(`Part ${at}: First of ${at}.\n`)
  expect(short).not.toContain('Then more')
  const shorter = overviewBlock(written, 320)
  expect(shorter).toMatch(/Part 9: \nLeft open: Who bakes it\?/)
  expect(shorter).not.toContain('First of')
})
