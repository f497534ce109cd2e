import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChatModel } from '../../../src/core/chat.ts'
import { BackendError, InterruptedError, UsageError } from '../../../src/core/errors.ts'
import { countingAgent } from '../../../tests/bench/counting-agent.ts'
import { newFolder, openAgain, someSamples } from '../../../tests/bench/run-folder.ts'
import longshot from '../../benchmarks/longshot/index.ts'
import { longshotProtocol as longshotJudge } from '../../benchmarks/longshot/judge.ts'
import videoEvalPro from '../../benchmarks/videoeval-pro/index.ts'
import { videoEvalProProtocol as videoEvalProJudge } from '../../benchmarks/videoeval-pro/judge.ts'
import type { Sample } from '../../data/sample.ts'
import { isUnjudged } from '../../data/sample-line.ts'
import { modelJudge } from '../../judges/judge-service.ts'
import type { RunFiles } from '../files/run-files.ts'
import type { Agent } from './agent.ts'
import { processSamples, type SampleWork } from './process-samples.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'longtake-bench-')), 'run')
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

function work(files: RunFiles, samples: Sample[], agent: Agent, more: Partial<SampleWork> = {}): SampleWork {
  return {
    benchmark: videoEvalPro,
    samples: samples.map((sample, place) => ({
      sample,
      place,
      locate: video => (video.includes('missing') ? { fault: `${video} is nowhere.` } : { path: `/videos/${video}` }),
    })),
    tasks: new Set(['open', 'mcq']),
    trajectory: 'ideal',
    agent,
    store: files,
    concurrency: 1,
    watch: () => {},
    onSample: () => {},
    signal: new AbortController().signal,
    ...more,
  }
}

// Grades A, but fails on every nth call.
function judgeThatFails(every: number): { chat: ChatModel; calls: () => number } {
  let calls = 0
  const chat: ChatModel = {
    id: 'chat/judge',
    accepts: new Set(['text']),
    async reply() {
      if (++calls % every === 0) throw new BackendError('the judge is busy')
      const usage = { inputTokens: 1, outputTokens: 1 }
      return { text: 'A', calls: [], stop: 'end', usage, model: 'judge' }
    },
  }
  return { chat, calls: () => calls }
}

describe('a run', () => {
  test('writes one line for each sample in the order of the data, and opens each video once', async () => {
    const files = await newFolder(folder)
    const agent = countingAgent()
    await processSamples(work(files, someSamples(7, 3), agent, { concurrency: 3 }))
    const lines = await files.tidy()
    files.close()
    expect(lines.map(line => line.id)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    expect((await readFile(join(folder, 'samples.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(7)
    expect(agent.opened.sort()).toEqual(['/videos/video-0.mp4', '/videos/video-1.mp4', '/videos/video-2.mp4'])
    expect(lines[0]).toMatchObject({
      replies: { open: 'answer to question 0', mcq: 'A' },
      grades: { mcq: { score: 1, rule: 'label', value: 'A', gold: 'A' }, open: { score: null, rule: 'no verdict' } },
      asks: [{ name: 'open', evidence: [{ cited: true }], indexed: [{ rows: ['speech'] }] }, { name: 'mcq' }],
    })
  })

  test('goes on after what fails, records it as wrong, and asks it again when it is resumed', async () => {
    const samples = someSamples(4)
    samples[1]!.question.text = 'one to fail'
    samples[2]!.video = 'missing.mp4'
    samples[3]!.video = 'broken.mp4'
    const files = await newFolder(folder)
    const agent = countingAgent()
    await processSamples(work(files, samples, agent))
    expect([...files.lines.values()].map(line => [line.id, line.error, line.grades.mcq!.score])).toEqual([
      ['0', undefined, 1],
      ['1', 'the model went away', 0],
      ['2', 'missing.mp4 is nowhere.', 0],
      ['3', 'the file looks cut short', 0],
    ])
    expect(agent.opened.filter(path => path.includes('broken'))).toHaveLength(1)
    files.close()
    const again = await openAgain(folder)
    const second = countingAgent()
    samples[1]!.question.text = 'one that answers now'
    await processSamples(work(again, samples, second))
    expect(second.asked).toEqual(['1-open', '1-mcq'])
    expect(again.lines.get('1')?.error).toBeUndefined()
    again.close()
  })

  test('stops at wrong settings instead of recording them thousands of times', async () => {
    const files = await newFolder(folder)
    const agent = countingAgent()
    const refuses: Agent = {
      open: async (...given) => ({
        ...(await agent.open(...given)),
        ask: () => Promise.reject(new UsageError('The role "planner" is off in this profile.')),
      }),
    }
    await expect(processSamples(work(files, someSamples(4), refuses))).rejects.toThrow('The role "planner" is off')
    expect(files.lines.size).toBe(0)
    files.close()
  })

  test('that is interrupted keeps what is whole and records nothing of what was cut short', async () => {
    const files = await newFolder(folder)
    const stop = new AbortController()
    const agent = countingAgent({ milliseconds: 20 })
    const onSample = () => files.lines.size === 2 && stop.abort()
    const running = processSamples(work(files, someSamples(6), agent, { signal: stop.signal, onSample }))
    await expect(running).rejects.toThrow(InterruptedError)
    expect(files.lines.size).toBe(2)
    files.close()
  })

  test('is worked on by one process at a time', async () => {
    const files = await newFolder(folder)
    await expect(openAgain(folder)).rejects.toThrow('Another longtake works on the run')
    files.close()
    await (await openAgain(folder)).close()
  })
})

describe('a run that goes on', () => {
  test('drops a torn last line and asks that sample again', async () => {
    const files = await newFolder(folder)
    await processSamples(work(files, someSamples(3, 1), countingAgent()))
    files.close()
    const text = await readFile(join(folder, 'samples.jsonl'), 'utf8')
    await writeFile(join(folder, 'samples.jsonl'), text.slice(0, -40))
    await writeFile(join(folder, 'parts.jsonl'), '')
    const again = await openAgain(folder)
    const agent = countingAgent()
    await processSamples(work(again, someSamples(3, 1), agent))
    expect(agent.asked).toEqual(['2-open', '2-mcq'])
    again.close()
  })

  test('does not ask again what was answered of a sample that is not whole', async () => {
    const files = await newFolder(folder)
    const stop = new AbortController()
    const agent = countingAgent({ milliseconds: 20 })
    const stopsLater: Agent = {
      open: async (...given) => {
        const video = await agent.open(...given)
        return {
          ...video,
          ask: (question, asked) => {
            if (asked.key === '1-mcq') setTimeout(() => stop.abort(), 5)
            return video.ask(question, asked)
          },
        }
      },
    }
    await expect(processSamples(work(files, someSamples(3, 1), stopsLater, { signal: stop.signal }))).rejects.toThrow()
    files.close()
    const again = await openAgain(folder)
    const second = countingAgent()
    await processSamples(work(again, someSamples(3, 1), second))
    expect(second.asked).toEqual(['1-mcq', '2-open', '2-mcq'])
    again.close()
  })

  test('judges again what a failing judge left, without asking the agent', async () => {
    const files = await newFolder(folder)
    const agent = countingAgent()
    const flaky = judgeThatFails(10)
    await processSamples(work(files, someSamples(40), agent, { judge: modelJudge(videoEvalProJudge, flaky.chat) }))
    const unjudged = [...files.lines.values()].filter(isUnjudged)
    expect(unjudged).toHaveLength(4)
    expect(unjudged[0]).toMatchObject({
      judge: { by: 'chat/judge', failed: { open: 'the judge is busy' } },
      grades: { open: { score: null }, mcq: { score: 1 } },
    })
    files.close()
    const again = await openAgain(folder)
    const second = countingAgent()
    const steady = judgeThatFails(1000)
    await processSamples(work(again, someSamples(40), second, { judge: modelJudge(videoEvalProJudge, steady.chat) }))
    expect(second.asked).toEqual([])
    expect(steady.calls()).toBe(4)
    const lines = await again.tidy()
    expect(lines.filter(isUnjudged)).toEqual([])
    expect(lines.every(line => line.grades.open!.score === 1)).toBe(true)
    again.close()
  })

  test('judges only the criteria that are missing of a rubric', async () => {
    const criteria = ['one', 'two', 'three'].map(name => ({ name, description: name, weight: 5, is_penalty: false }))
    const record = {
      sample_id: 's',
      conversations: [
        { role: 'user', content: 'who?' },
        { role: 'assistant', content: 'she', criteria },
      ],
    }
    const sample: Sample = {
      id: 's__t1',
      video: 'v.mp4',
      question: { text: 'who?' },
      reference: 'she',
      groups: { task: 'entity_recognition' },
      record,
    }
    const replies = ['{"criteria_met": true}', 'nonsense', 'nonsense', 'nonsense', '{"criteria_met": false}']
    const asked: string[] = []
    const chat: ChatModel = {
      id: 'chat/judge',
      accepts: new Set(['text']),
      async reply(request) {
        const [part] = request.messages[0]!.content
        asked.push(part!.type === 'text' ? part!.text : '')
        const text = replies.shift() ?? '{"criteria_met": true}'
        return { text, calls: [], stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'judge' }
      },
    }
    const files = await newFolder(folder, 'longshot')
    const more = { benchmark: longshot, tasks: new Set(['answer']), judge: modelJudge(longshotJudge, chat) }
    await processSamples(work(files, [sample], countingAgent(), more))
    expect(files.lines.get('s__t1')?.grades.answer).toMatchObject({ score: null, rule: 'criteria not judged' })
    await processSamples(work(files, [sample], countingAgent(), more))
    expect(asked).toHaveLength(6)
    expect(files.lines.get('s__t1')?.grades.answer).toMatchObject({
      score: 10 / 15,
      criteria: [{ met: true }, { met: true }, { met: false }],
    })
    files.close()
  })
})

describe('a conversation', () => {
  const conversation = {
    sample_id: 's',
    conversations: [
      { role: 'user', content: 'first?' },
      { role: 'assistant', content: 'reference one', criteria: [] },
      { role: 'user', content: 'second?' },
      { role: 'assistant', content: 'reference two', criteria: [] },
    ],
  }
  const base = { video: 'v.mp4', groups: {}, record: conversation }
  const turns: Sample[] = [
    { ...base, id: 's__t1', question: { text: 'first?' } },
    {
      ...base,
      id: 's__t3',
      question: { text: 'second?' },
      turns: [{ question: { text: 'first?' }, reference: 'reference one', id: 's__t1' }],
    },
  ]

  test.each([
    ['ideal', 'answer to second? after reference one'],
    ['free', 'answer to second? after answer to first?'],
  ] as const)('in the %s trajectory rests on the right earlier turns', async (trajectory, expected) => {
    const files = await newFolder(folder, 'longshot')
    const more = { benchmark: longshot, tasks: new Set(['answer']), trajectory, concurrency: 2 }
    await processSamples(work(files, turns, countingAgent({ milliseconds: 5 }), more))
    expect(files.lines.get('s__t3')?.replies.answer).toBe(expected)
    files.close()
  })

  test('asks an earlier turn that is no sample of its own, in the free trajectory', async () => {
    const files = await newFolder(folder, 'longshot')
    const earlier = [{ question: { text: 'first?' }, reference: 'reference one' }]
    const followUp: Sample = { ...turns[1]!, id: 'n1', turns: earlier, record: {} }
    const more = { benchmark: longshot, tasks: new Set(['answer']), trajectory: 'free' as const }
    await processSamples(work(files, [followUp], countingAgent(), more))
    expect(files.lines.get('n1')?.replies.answer).toBe('answer to second? after answer to first?')
    files.close()
  })
})

test('a question whose video was missing waits until that is there, and is then the only one that is asked', async () => {
  const samples = someSamples(4)
  const [gone, other] = [
    { ...samples[1]!, video: 'missing.mp4' },
    { ...samples[2]!, video: 'missing too.mp4' },
  ]
  samples.splice(1, 2, gone, other)
  const first = countingAgent()
  let files = await newFolder(folder)
  await processSamples(work(files, samples, first))
  expect(files.lines.get(gone.id)).toMatchObject({ missing: {}, error: 'missing.mp4 is nowhere.' })
  const whole = files.lines.get(samples[0]?.id ?? '')
  expect(whole && 'missing' in whole).toBe(false)
  files.close()
  const second = countingAgent()
  files = await openAgain(folder)
  const settled: string[] = []
  const again = work(files, samples, second, { onSample: line => settled.push(line.id) })
  const located = again.samples.map(one =>
    one.sample.id === gone.id ? { ...one, locate: () => ({ path: '/videos/found.mp4' }) } : one,
  )
  await processSamples({ ...again, samples: located })
  expect(settled).toEqual([gone.id])
  expect(second.asked.every(key => key.startsWith(`${gone.id}-`))).toBe(true)
  expect(second.opened).toEqual(['/videos/found.mp4'])
  expect(files.lines.get(gone.id)?.missing).toBeUndefined()
  expect(files.lines.get(other.id)?.missing).toEqual({})
  files.close()
})
