import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatModel, ChatRequest } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
import { cgBenchProtocol as cgBench } from '../benchmarks/cg-bench/judge.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { infiniBenchProtocol as infiniBench, readScore } from '../benchmarks/infinibench/judge.ts'
import { videoEvalProProtocol as videoEvalPro } from '../benchmarks/videoeval-pro/judge.ts'
import type { Sample } from '../data/sample.ts'
import { gradeShortAnswer } from '../metrics/short-answer.ts'
import { readJudgeWording } from './bench-judge.ts'
import { modelJudge, wordsJudge } from './judge-service.ts'

const signal = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-judges-'))
})
afterAll(() => rm(folder, { recursive: true }))

function sampleOf(more: Partial<Sample>): Sample {
  return { id: '1', video: 'v.mp4', question: { text: 'What colour is the car?' }, groups: {}, record: {}, ...more }
}

describe('a short answer by its words', () => {
  test.each([
    ['It is red.', 'red', '', 1, 'same words'],
    ['It is blue.', 'red', '', 0, 'other'],
    ['The crane lifts the container onto a ship.', 'A container is lifted onto the ship', '', 1, 'holds'],
    ['Thirty people came.', '30', '', 1, 'same words'],
    ['31 people came.', '30 people', '', 0, 'number'],
    ['At [1:02-1:05] she says 30.', '62', '', 0, 'number'],
    ['That happens at 1:24.', '1:22', '', 1, 'time'],
    ['That happens at 2:24.', '1:22', '', 0, 'time'],
    ['No, she does.', 'No', '', 1, 'yes or no'],
    ['Yes.', 'No', '', 0, 'yes or no'],
    ['The video does not say.', 'red', '', 0, 'abstained'],
    ['The video does not say.', 'The video does not show that.', '', 1, 'abstained'],
    ['red and green', 'red, green and blue', '', 0.67, 'partly'],
    [
      'answer to which are right: 1. red, 2. blue, 3. green',
      '1 and 2',
      'Which are right: 1. red, 2. blue, 3. green?',
      0,
      'other',
    ],
    ['1 and 2', '1 and 2', 'Which are right: 1. red, 2. blue, 3. green?', 1, 'same words'],
  ])('%j against %j', (answer, reference, question, score, rule) => {
    const grade = gradeShortAnswer(answer, reference, question)
    expect(grade.rule).toBe(rule)
    expect(grade.score).toBeCloseTo(score, 1)
  })
})

function scripted(replies: (string | Error)[], accepts: ('text' | 'image')[] = ['text']) {
  const requests: ChatRequest[] = []
  const chat: ChatModel = {
    id: 'chat/judge',
    accepts: new Set(accepts),
    async reply(request) {
      requests.push(request)
      const next = replies.shift() ?? ''
      if (next instanceof Error) throw next
      return { text: next, calls: [], stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'judge' }
    },
  }
  return { chat, requests }
}

const cgSample = sampleOf({
  reference: 'red',
  record: {
    qid: 7,
    video_uid: 'x',
    question: 'What colour is the car?',
    answer: 'red',
    choices: ['red', 'blue'],
    right_answer: 'A',
    clue_intervals: [[10, 12]],
    duration: 60,
  },
})

describe('the two-step judge of CG-Bench', () => {
  const sight = async () => ({
    framesPerSecond: 10,
    frames: async (times: number[]) => times.map(time => Uint8Array.of(0xff, 0xd8, time)),
  })

  test('looks at the clues only where the texts leave it open, and is then not shown the truth', async () => {
    const { chat, requests } = scripted(
      ['```json\n{"result": 2}\n```', '```json\n{"result": 1}\n```'],
      ['text', 'image'],
    )
    const judgment = await modelJudge(cgBench, chat).judge({ sample: cgSample, reply: 'crimson', sight, signal })
    expect(judgment.failed).toEqual({})
    expect(Object.keys(judgment.replies)).toEqual(['step_1', 'step_2'])
    const texts = requests.map(request =>
      request.messages[0]!.content.map(part => (part.type === 'text' ? part.text : part.type)),
    )
    expect(texts[0]!.join()).toContain("The right answer is 'red'")
    expect(texts[1]!.slice(0, -1)).toEqual(new Array(20).fill('image'))
    expect(texts[1]!.at(-1)).toContain("The answer to judge is 'crimson'")
    expect(texts[1]!.at(-1)).not.toContain("'red'")
  })

  test('is done after the first step where that decides', async () => {
    const { chat, requests } = scripted(['```json\n{"result": 0}\n```'])
    const judgment = await modelJudge(cgBench, chat).judge({ sample: cgSample, reply: 'blue', sight, signal })
    expect(judgment.replies).toEqual({ step_1: '```json\n{"result": 0}\n```' })
    expect(requests).toHaveLength(1)
  })

  test.each([
    { mode: 'text', truth: [true], frames: [false] },
    { mode: 'vision', truth: [false], frames: [true] },
    { mode: 'text+vision', truth: [true], frames: [true] },
    { mode: 'heuristic', truth: [true, false], frames: [false, true] },
  ] as const)('in the mode $mode is shown no more than that', async ({ mode, truth, frames }) => {
    const said = (result: number) => `\`\`\`json\n{"result": ${result}}\n\`\`\``
    const { chat, requests } = scripted(mode === 'heuristic' ? [said(2), said(1)] : [said(1)], ['text', 'image'])
    const sample = {
      ...cgSample,
      reference: 'vermilion',
      record: { ...(cgSample.record as object), answer: 'vermilion' },
    }
    const judge = modelJudge(cgBench, chat, undefined, mode)
    const judgment = await judge.judge({ sample, reply: 'crimson', sight, signal })
    expect(requests.map(request => JSON.stringify(request.messages).includes('vermilion'))).toEqual(truth)
    const hasImage = (request: ChatRequest) => request.messages[0]!.content.some(part => part.type === 'image')
    expect(requests.map(hasImage)).toEqual(frames)
    expect(cgBench.verdictOf('open', judgment.replies)).toBe(1)
    expect(cgBench.verdictOf('step_1', judgment.replies)).toBe(mode === 'heuristic' ? 2 : 1)
    expect(judge.name).toBe(mode === 'heuristic' ? 'chat/judge' : `chat/judge (${mode})`)
  })

  test('leaves open what a judge without eyes cannot see', async () => {
    const { chat } = scripted(['2'])
    const judgment = await modelJudge(cgBench, chat).judge({ sample: cgSample, reply: 'crimson', sight, signal })
    expect(judgment.failed).toEqual({ step_2: 'chat/judge takes no images, and this step shows frames' })
  })
})

describe('a judge model', () => {
  const sample = sampleOf({ reference: 'red' })

  test('fault 26: is asked again when it talks nonsense or is busy, and never made up for', async () => {
    const busy = new BackendError('busy', { retryable: true })
    const { chat, requests } = scripted([busy, 'hm', 'A'])
    const judgment = await modelJudge(videoEvalPro, chat).judge({ sample, reply: 'red', signal })
    expect(judgment).toMatchObject({ replies: { open: 'A' }, failed: {} })
    expect(requests).toHaveLength(3)
    const silent = await modelJudge(videoEvalPro, scripted(['hm', 'so', 'well']).chat).judge({
      sample,
      reply: 'red',
      signal,
    })
    expect(silent).toMatchObject({ replies: { open: 'well' }, failed: { open: 'no verdict in the reply' } })
  })

  test('is not asked again where asking cannot help', async () => {
    const { chat, requests } = scripted([new BackendError('the key is wrong')])
    const judgment = await modelJudge(videoEvalPro, chat).judge({ sample, reply: 'red', signal })
    expect(judgment).toMatchObject({ replies: { open: null }, failed: { open: 'the key is wrong' } })
    expect(requests).toHaveLength(1)
  })

  test('may be asked in a wording of one’s own, which must have a place for what is judged', async () => {
    const { chat, requests } = scripted(['A'])
    await modelJudge(videoEvalPro, chat, 'Q {question} T {target} P {predicted}').judge({
      sample,
      reply: 'red',
      signal,
    })
    expect(requests[0]!.messages[0]!.content).toEqual([{ type: 'text', text: 'Q What colour is the car? T red P red' }])
    expect(requests[0]!.maxTokens).toBe(5)
    const checked = async (benchmark: string, text: string) => {
      const file = join(folder, 'mine.txt')
      await writeFile(file, text)
      return readJudgeWording(await loadBenchmark(benchmark), file)
    }
    await expect(checked('videoeval-pro', 'Is it right?')).rejects.toThrow('mine.txt has no place for {question}.')
    expect((await checked('longshot', '{reference} {candidate} {criterion}')).wording).toMatchObject({
      released: false,
    })
    await expect(checked('mlvu', 'x')).rejects.toThrow('mlvu has no judge')
  })
})

test('the judge by words replies in the form that each scorer reads', async () => {
  const words = (protocol: Parameters<typeof wordsJudge>[0], reply: string) =>
    wordsJudge(protocol).judge({ sample: cgSample, reply, signal })
  expect((await words(videoEvalPro, 'red')).replies).toEqual({ open: 'A' })
  expect((await words(videoEvalPro, 'The video does not say.')).replies).toEqual({ open: 'C' })
  expect((await words(cgBench, '```json\n{"result": "it is red"}\n```')).replies.step_1).toContain('{"result": 1}')
  expect(readScore((await words(infiniBench, 'red')).replies.open!)).toMatchObject({ score: 10 })
})
