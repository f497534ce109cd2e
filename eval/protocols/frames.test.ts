import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { oraclePath, withOracle } from '../../tests/support/oracle.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { readPromptFile } from '../benchmarks/prompt-file.ts'
import type { Sample } from '../data/sample.ts'
import { collectSamples } from '../runner/collect-samples.ts'
import type { FrameMedia, FrameProtocol, FrameRequest } from './frames.ts'

const media: FrameMedia = { duration: 100, framesPerSecond: 10, lastFrame: 999 }
const srt = '1\n00:00:10,000 --> 00:00:20,000\n<i>hello there</i>\n\n2\n00:01:30,000 --> 00:01:40,000\nthe end\n'
const framesOf = (request: FrameRequest) =>
  request.turns.flatMap(turn => turn.parts.flatMap(part => ('frame' in part ? [part.frame] : [])))
const textOf = (request: FrameRequest) =>
  request.turns.flatMap(turn => turn.parts.flatMap(part => ('text' in part ? [part.text] : []))).join('\n')
const sampleOf = (more: Partial<Sample>): Sample => ({
  id: '1',
  video: 'v.mp4',
  question: { text: 'Which is it?', options: ['red', 'blue'] },
  groups: {},
  record: {},
  ...more,
})

// With the benchmark's own defaults for what a test does not set.
async function frameProtocolOf(name: string): Promise<FrameProtocol> {
  const { frames, settings } = await loadBenchmark(name)
  const usual = settings.parse({}) as object
  return {
    ...frames,
    request: (sample, task, media, options) => frames.request(sample, task, media, { ...usual, ...options }),
    batch: frames.batch && {
      ...frames.batch,
      request: (samples, media, options) => frames.batch!.request(samples, media, { ...usual, ...options }),
    },
  }
}

withOracle('../data/cg-bench/cgbench_mini.json')('CG-Bench without an agent', () => {
  test('shows the whole video, or the clues alone, and what is said at the frames', async () => {
    const data = oraclePath('../data/cg-bench/cgbench_mini.json')
    const { samples } = await collectSamples(await loadBenchmark('cg-bench'), data, { limit: 1 })
    const { request } = await frameProtocolOf('cg-bench')
    const long = { ...media, duration: 1000, lastFrame: 9999, subtitles: srt }
    const whole = request(samples[0]!, 'long_acc', long, { frames: 4 })
    expect(framesOf(whole)).toEqual([124.9, 374.9, 624.9, 874.8])
    const clue = framesOf(request(samples[0]!, 'clue_acc', long, {}))
    const { start, end } = samples[0]!.clues![0]!
    expect(clue.length).toBeLessThanOrEqual(32)
    expect(clue.every(time => time >= start && time <= end)).toBe(true)
    const said = request(samples[0]!, 'open', { ...media, subtitles: srt }, { frames: 10 })
    expect(textOf(said)).toContain('[10.0, 20.0] hello there')
    expect(
      textOf(request(samples[0]!, 'open', { ...media, subtitles: srt }, { frames: 10, subtitles: false })),
    ).not.toContain('hello')
  })
})

describe('ALLVB without an agent', () => {
  const record = (id: string) => ({
    id,
    video: 'v',
    task: 'VC',
    question: `What of ${id}?`,
    options: ['a', 'b', 'c', 'd', 'e'],
    answer: 'A',
  })
  const samples = ['1', '2', '3'].map(id => sampleOf({ id, record: record(id) }))

  test('asks one question with sixteen frames and what is said at them', async () => {
    const { request } = await frameProtocolOf('allvb')
    const asked = request(samples[0]!, 'answer', { ...media, subtitles: srt }, {})
    expect(framesOf(asked)).toHaveLength(16)
    expect(textOf(asked)).toContain('hello there the end')
  })

  test('asks all questions of a film at once, and reads the answers in their order', async () => {
    const { batch } = await frameProtocolOf('allvb')
    expect(batch?.wanted({})).toBeUndefined()
    expect(batch?.wanted({ batch: 'whole film', chunk: 50 })).toBe(50)
    const asked = batch?.request(samples, media, {}) as FrameRequest
    expect(textOf(asked)).toContain('Question 3: What of 3?')
    expect(batch?.read('Question 1: [C]\nQuestion 3: [A]', samples)).toEqual([
      'Best Answer: C',
      undefined,
      'Best Answer: A',
    ])
  })
})

test('InfiniBench reads the number of the option from the reply, and leaves open answers as they are', async () => {
  const { read, request } = await frameProtocolOf('infinibench')
  const choice = sampleOf({ groups: { skill: 'scene_transitions' } })
  expect(read?.('The answer is 1.', choice)).toBe('1')
  expect(read?.('no idea', choice)).toBe('')
  expect(read?.('no idea', sampleOf({ groups: { skill: 'summarization' } }))).toBe('no idea')
  const asked = request(choice, 'answer', { ...media, subtitles: srt }, { frames: 3, subtitles: 'whole' })
  expect(framesOf(asked)).toEqual([0, 50, 99.9])
  expect(textOf(asked)).toContain('0. red\n1. blue')
})

test('LongVideoBench puts the subtitles between the frames where they are said', async () => {
  const { request } = await frameProtocolOf('longvideobench')
  const subtitles = JSON.stringify([{ timestamp: [40, 60], text: 'in the middle' }])
  const { turns } = request(sampleOf({ record: { record: {} } }), 'answer', { ...media, subtitles }, { frames: 4 })
  expect(turns[0]!.parts.slice(0, 5)).toEqual([
    { frame: 0 },
    { frame: 25 },
    { frame: 50 },
    { text: 'in the middle' },
    { frame: 75 },
  ])
})

test('LongShOTBench shows the frames with the first turn and the reference answers after it', async () => {
  const { request } = await frameProtocolOf('longshot')
  const record = {
    conversations: [
      { role: 'user', content: 'first?' },
      { role: 'assistant', content: 'reference' },
      { role: 'user', content: 'second?' },
      { role: 'assistant', content: 'not shown' },
    ],
  }
  const { turns } = request(sampleOf({ id: 's__t3', record }), 'answer', media, {})
  expect(turns.map(turn => [turn.role, turn.parts.length])).toEqual([
    ['user', 129],
    ['assistant', 1],
    ['user', 1],
  ])
  expect(textOf({ turns, temperature: 0, maxTokens: 1 })).not.toContain('not shown')
})

test('Video-MME shows subtitles only where they are asked for', async () => {
  const { request } = await frameProtocolOf('video-mme')
  expect(textOf(request(sampleOf({}), 'answer', { ...media, subtitles: srt }, { frames: 10 }))).not.toContain('hello')
  const shown = textOf(request(sampleOf({}), 'answer', { ...media, subtitles: srt }, { frames: 10, subtitles: true }))
  expect(shown).toContain('hello there')
  expect(shown).toContain('A. red\nB. blue')
})

describe("a person's own wording of the questions", () => {
  const prompts = { answer: 'SAID {subtitles} ASKED {question} OF {options} END' }

  test('takes the place of ours, with the question, its options and the subtitles where they belong', async () => {
    const { request } = await frameProtocolOf('video-mme')
    const on = { frames: 10, subtitles: true, prompts }
    expect(textOf(request(sampleOf({}), 'answer', { ...media, subtitles: srt }, on))).toBe(
      'SAID hello there\nthe end ASKED Which is it? OF A. red\nB. blue END',
    )
    const infinibench = await frameProtocolOf('infinibench')
    const skill = sampleOf({ groups: { skill: 'scene_transitions' } })
    expect(textOf(infinibench.request(skill, 'answer', media, { frames: 2, prompts }))).toBe(
      'SAID  ASKED Which is it? OF 0. red\n1. blue END',
    )
  })

  test('a task without a text of its own keeps our words', async () => {
    const { request } = await frameProtocolOf('videoeval-pro')
    const record = { question: 'Who?', options: ['A. x', 'B. y'], answer: 'A' }
    const text = (task: string) =>
      textOf(request(sampleOf({ record }), task, media, { frames: 2, prompts: { open: 'Q {question}' } }))
    expect(text('open')).toBe('Q Who?')
    expect(text('mcq')).toContain('A. x B. y')
  })

  test('is refused where it is for no task, or has no place for the question', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longtake-prompts-'))
    try {
      const file = join(folder, 'prompts.json')
      const read = async (content: string) => {
        await writeFile(file, content)
        return readPromptFile(file, ['open', 'mcq'])
      }
      expect((await read('{"open": "{question}!"}')).prompts).toEqual({ open: '{question}!' })
      for (const wrong of ['{"opne": "{question}"}', '{"open": "no place"}', '{}', '["{question}"]', 'text'])
        await expect(read(wrong), wrong).rejects.toMatchObject({ exitCode: 2 })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
