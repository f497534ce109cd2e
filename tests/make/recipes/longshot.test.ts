import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadBenchmark } from '../../../eval/benchmarks/index.ts'
import { faultOfRubric, weigh } from '../../../eval/benchmarks/longshot/recipe/answer.ts'
import { faultOfQuestions } from '../../../eval/benchmarks/longshot/recipe/ask.ts'
import { faultOfDialogue } from '../../../eval/benchmarks/longshot/recipe/dialogues.ts'
import { analyzeSamples, cleanSample, finalSamples } from '../../../eval/benchmarks/longshot/recipe/released.ts'
import type { DraftItem } from '../../../eval/recipes/item.ts'
import type { Span } from '../../../src/core/time.ts'
import { type ChatBody, startChatServer } from '../../servers/chat-server.ts'
import { scoreReplyLines } from '../../support/benchmark.ts'
import { linesIn } from '../../support/line-file.ts'
import { oracle, withOracle } from '../../support/oracle.ts'
import { longshotAuthor } from './longshot-author.ts'
import { askedFor, ownVideoAndModel, serverSettings, toneAt } from './own-video.ts'

interface Turn {
  role: string
  content: string
  difficulty?: number
  modalities?: string[]
  key_segments?: number[]
  criteria?: { weight: number; is_penalty: boolean; description: string }[]
}
interface Sample {
  sample_id: string
  task: string
  sample_type: string
  duration: number
  categories: string[]
  conversations: Turn[]
  canary: string
}

const author = longshotAuthor()
const world = ownVideoAndModel(author.reply)

const make = (out: string, ...more: string[]) =>
  world.line.run('bench', 'make', 'longshot', '--from', 'talk.mp4', '--out', out, ...world.quick, ...more)

// By the official scorer's rules, with every criterion of every answer as given.
async function scoreOf(samples: readonly Sample[], isMet: boolean, scoring: 'official' | 'strict') {
  const longshot = await loadBenchmark('longshot')
  const judged = samples.map(sample => ({
    ...sample,
    conversations: sample.conversations.map(turn => ({
      ...turn,
      ...(turn.criteria && {
        candidate_response: isMet ? turn.content : 'I do not know.',
        criteria: turn.criteria.map(one => ({ ...one, criteria_met: isMet })),
      }),
    })),
  }))
  async function* replies() {
    for (const one of judged) yield JSON.stringify(one)
  }
  return (await scoreReplyLines(longshot, { records: samples, replies: replies(), scoring })).metrics.overall
}

describe('by rules alone', () => {
  test('a set is made that the benchmark reads, and every question of it can be asked', async () => {
    const made = await make('rules')
    expect(made.stderr).not.toContain('error')
    const samples = linesIn<Sample>(join(world.line.cwd, 'rules', 'final_dataset.jsonl'))
    expect(samples.length).toBeGreaterThanOrEqual(4)
    expect(samples.length).toBeLessThanOrEqual(12)
    for (const { sample_id, duration, conversations, task } of samples) {
      expect([sample_id, duration]).toEqual([expect.stringMatching(/^sample_\d+$/), 130])
      expect(['speech_transcription', 'information_retrieval', 'temporal_reasoning']).toContain(task)
      const [asked, answered] = conversations
      expect(asked?.modalities?.length).toBeGreaterThan(0)
      expect(asked?.key_segments?.length).toBeGreaterThan(0)
      expect(answered?.criteria?.map(({ weight }) => weight)).toEqual(expect.arrayContaining([5, -5]))
    }
    const run = await world.line.run('bench', 'run', 'longshot', '--data', 'rules', '--dry-run', ...world.quick)
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringMatching(/1 videos? (?:is|are) ready/)])
    expect(run.stdout + run.stderr).toContain(`${samples.length} questions`)
    for (const scoring of ['official', 'strict'] as const) {
      expect(await scoreOf(samples, true, scoring)).toBe(100)
      expect(await scoreOf(samples, false, scoring)).toBeLessThanOrEqual(0)
    }
    expect(await scoreOf(samples, false, 'official')).toBe(0)
  })
})

describe('by a model', () => {
  test('five stages and the telling of the record make single questions and conversations within the limits', async () => {
    const began = performance.now()
    const made = await make('model', ...serverSettings('author', world.server.url), '--json')
    expect(performance.now() - began).toBeLessThan(20_000)
    const { set, forecast, spent } = JSON.parse(made.stdout)
    const count = (name: string) => author.asked.filter(one => one === name).length
    expect([count('summary'), count('scenarios'), count('types')]).toEqual([1, 1, 2])
    expect(count('questions')).toBeGreaterThanOrEqual(4)
    expect(count('questions')).toBeLessThanOrEqual(6)
    expect(spent.calls).toBe(author.asked.length)
    expect(forecast.reduce((sum: number, one: { calls: number }) => sum + one.calls, 0)).toBeGreaterThanOrEqual(
      spent.calls,
    )
    expect(count('answers')).toBe(count('rubric'))
    const samples = linesIn<Sample>(join(world.line.cwd, 'model', 'final_dataset.jsonl'))
    const turns = samples.flatMap(({ conversations }) => conversations.filter(({ role }) => role === 'user'))
    expect(turns).toHaveLength(set.counts.kept)
    expect(set.counts.kept + Object.values<number>(set.counts.rejected).reduce((sum, one) => sum + one, 0)).toBe(
      set.counts.drafted,
    )
    expect(samples.length).toBeLessThanOrEqual(12)
    expect(turns.length).toBeLessThanOrEqual(24)
    expect(samples.map(({ sample_type }) => sample_type)).toEqual(expect.arrayContaining(['single_turn', 'multi_turn']))
    expect(samples[0]?.categories).toEqual(['History'])
    for (const { difficulty = 0, modalities = [], key_segments = [] } of turns) {
      expect(difficulty).toBeGreaterThanOrEqual(1)
      expect(modalities.length).toBeGreaterThanOrEqual(difficulty >= 3 ? 2 : 1)
      expect(key_segments.length).toBeGreaterThan(0)
    }
    const penalty = samples[0]?.conversations[1]?.criteria?.find(one => one.is_penalty)
    expect(penalty).toMatchObject({ description: 'Must not misidentify people, objects, or locations', weight: -5 })
    expect(await scoreOf(samples, true, 'official')).toBe(100)
    expect(await scoreOf(samples, false, 'official')).toBe(0)
  })

  test('what is seen and heard is told of each stretch, and agrees with those before', async () => {
    const roles = ['author', 'look', 'listen'].flatMap(role => serverSettings(role, world.server.url))
    const before = author.asked.length
    const made = await make('senses', ...roles, '--json')
    const asked = author.asked.slice(before)
    const count = (name: string) => asked.filter(one => one === name).length
    const { forecast, spent } = JSON.parse(made.stdout)
    const { segments } = JSON.parse(readFileSync(join(world.line.cwd, 'senses', 'made', 'source', 'talk.json'), 'utf8'))
    const stretches = segments.length
    expect(['seen', 'heard', 'seen-aligned', 'heard-aligned', 'events', 'summary'].map(count)).toEqual([
      ...[stretches, stretches, stretches - 1, stretches - 1],
      ...[stretches, 1],
    ])
    expect(spent.calls).toBe(asked.length)
    const of = (name: string) => forecast.find(({ stage }: { stage: string }) => stage === name)
    expect(['seen', 'heard', 'heard-aligned'].map(name => [of(name).role, of(name).calls])).toEqual([
      ['look', stretches],
      ['listen', stretches],
      ['author', stretches - 1],
    ])
    const heard = linesIn<{ output: { segment: number; description: string } }>(
      join(world.line.cwd, 'senses', 'made', '03-heard.jsonl'),
    )
    const ringing = heard.filter(({ output }) => output.description === 'A tone rings.').map(one => one.output.segment)
    const overlapping = (segments as { temporal: Span }[]).flatMap(({ temporal }, at) =>
      temporal.start < toneAt.end && temporal.end > toneAt.start ? [at] : [],
    )
    expect(ringing).toEqual(overlapping)
    expect(ringing.length).toBeLessThan(stretches)
    const told = JSON.stringify(world.server.seen.map(({ body }) => askedFor(body as ChatBody).text))
    expect(told).toContain('Again: A tone rings.')
    const card = readFileSync(join(world.line.cwd, 'model', 'README.md'), 'utf8')
    expect(card).toContain('heard: make.listen is off')
  })

  test("a person's own prompt changes its stage and those after it, and is known by its hash alone", async () => {
    const before = author.asked.length
    await mkdir(join(world.line.cwd, 'mine'))
    writeFileSync(join(world.line.cwd, 'mine', 'rubric.txt'), 'Zebra words of my own.')
    const made = await make(
      'mine-set',
      ...serverSettings('author', world.server.url),
      '--option',
      'prompts=mine',
      '--json',
    )
    expect(world.server.seen.some(({ body }) => JSON.stringify(body).includes('Zebra words of my own.'))).toBe(true)
    const { set } = JSON.parse(made.stdout)
    const ours = JSON.parse(readFileSync(join(world.line.cwd, 'model', 'benchmark.json'), 'utf8'))
    expect(set.prompts.rubric.sha256).not.toBe(ours.prompts.rubric.sha256)
    expect(set.prompts.answers).toEqual(ours.prompts.answers)
    const card = readFileSync(join(world.line.cwd, 'mine-set', 'README.md'), 'utf8')
    expect(card).toContain(`- rubric: ${set.prompts.rubric.sha256}, a person's own wording`)
    expect(card).toContain(`- answers: ${set.prompts.answers.sha256}, a wording of ours`)
    expect(author.asked.length).toBeGreaterThan(before)
    writeFileSync(join(world.line.cwd, 'mine', 'rubrik.txt'), 'x')
    const wrong = await make('wrong', '--option', 'prompts=mine')
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/rubrik\.txt must be named after a prompt of the recipe/),
    ])
    expect(await readdir(join(world.line.cwd, 'mine-set', 'made'))).not.toContain('prompts')
  })
})

interface AgenticTurn extends Turn {
  tool_calls?: { tool: string; parameters: Record<string, unknown>; expected_response: string }[]
}

type AgenticSample = Omit<Sample, 'conversations'> & { required_tools: string[]; conversations: AgenticTurn[] }

// The reader's own samples, and what each turn's calls score if a model makes them.
async function perfectCalls(path: string): Promise<(number | null)[]> {
  const longshot = await loadBenchmark('longshot')
  return linesIn<Sample>(path).flatMap(record =>
    longshot.samples(record, 0).map(sample => {
      const place = Number(/__t(\d+)$/.exec(sample.id)?.[1])
      const { tool_calls = [] } = record.conversations[place] as AgenticTurn
      const calls = tool_calls.map(({ tool, parameters }) => ({ tool, parameters }))
      const reply = `\`\`\`json\n${JSON.stringify({ tool_calls: calls })}\n\`\`\``
      return longshot.grade(sample, 'tools', { reply, judge: {} }).score
    }),
  )
}

describe('agentic dialogues', () => {
  const agentic = ['--option', 'tasks=agentic', '--option', 'dialogues=16']

  test('each is about another tool, holds its calls with what they return, passes the filters and is read again', async () => {
    const own = longshotAuthor()
    const other = await startChatServer(['scripted'], own.reply)
    const made = await make('tools', ...agentic, ...serverSettings('author', other.url), '--json').finally(other.close)
    const { set, forecast, spent } = JSON.parse(made.stdout)
    expect(new Set(own.asked.filter(name => !['fused', 'events', 'summary'].includes(name)))).toEqual(
      new Set(['dialogues', 'answers']),
    )
    const most = forecast.reduce((sum: number, one: { calls: number }) => sum + one.calls, 0)
    expect(most).toBeGreaterThanOrEqual(spent.calls)
    const path = join(world.line.cwd, 'tools', 'final_dataset.jsonl')
    const samples = linesIn<AgenticSample>(path)
    const answers = samples.flatMap(({ conversations }) => conversations.filter(({ role }) => role === 'assistant'))
    expect(answers).toHaveLength(set.counts.kept)
    expect(answers.length).toBeGreaterThanOrEqual(8)
    expect(samples.every(({ task, required_tools }) => task === 'agentic_task' && required_tools.length === 1)).toBe(
      true,
    )
    const tools = samples.flatMap(one => one.required_tools)
    expect(new Set(tools).size).toBe(tools.length)
    expect(tools).not.toContain('extract_scene_text') // nothing is written in it
    const calls = answers.flatMap(({ tool_calls = [] }) => tool_calls)
    for (const { tool, parameters, expected_response } of calls) {
      if (tool === 'calculator') expect(expected_response).toBe('{"result":"1540"}')
      if (tool === 'transcribe_speech') expect(JSON.parse(expected_response)).toMatchObject(parameters)
      if (tool === 'object_detection') expect(parameters.categories).toEqual(['sacks', 'crowns'])
    }
    expect(new Set(await perfectCalls(path))).toEqual(new Set([1]))
    const given = ['--data', 'tools', '--set', 'tools.sets=longshot', ...world.quick]
    const run = await world.line.run('bench', 'run', 'longshot', '--dry-run', ...given)
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringContaining(`${answers.length} questions`)])
  })

  test('by rules the rows that a question rests on are found and read', async () => {
    await make('tools-rules', ...agentic)
    const path = join(world.line.cwd, 'tools-rules', 'final_dataset.jsonl')
    const answers = linesIn<{ conversations: AgenticTurn[] }>(path).map(({ conversations }) => conversations[1])
    expect(answers.length).toBeGreaterThanOrEqual(4)
    for (const { tool_calls = [], criteria } of answers as AgenticTurn[]) {
      expect(tool_calls.map(({ tool }) => tool)).toContain('transcribe_speech')
      expect(criteria).toEqual([])
    }
    expect(new Set(await perfectCalls(path))).toEqual(new Set([1]))
  })
})

describe('an author with its ways', () => {
  const madeBy = async (out: string, odd: Parameters<typeof longshotAuthor>[0]) => {
    const own = longshotAuthor(odd)
    const other = await startChatServer(['scripted'], own.reply)
    try {
      const made = await make(out, ...serverSettings('author', other.url), '--json')
      expect(made.stderr).not.toMatch(/hint|must be/)
      const { set } = JSON.parse(made.stdout)
      const samples = linesIn<Sample>(join(world.line.cwd, out, 'final_dataset.jsonl'))
      return { set, samples, asked: own.asked, card: readFileSync(join(world.line.cwd, out, 'README.md'), 'utf8') }
    } finally {
      await other.close()
    }
  }
  const count = (asked: string[], name: string) => asked.filter(one => one === name).length

  test('levels that are lacking are asked for twice more, the mix is reported, and nothing is thrown away for it', async () => {
    const { asked, card, set } = await madeBy('easy', { scenarios: 1, level: 1 })
    expect(count(asked, 'questions')).toBe(2 + 2)
    expect(card).toMatch(/Levels of difficulty: 1-2 100 %, 3 0 %/)
    expect(set.counts.kept).toBeGreaterThan(0)
  })

  test('a video that has its twelve samples is asked for no more', async () => {
    const { asked, samples } = await madeBy('full', { scenarios: 3, level: 1 })
    expect(count(asked, 'questions')).toBe(6)
    expect(count(asked, 'answers')).toBeLessThanOrEqual(24)
    expect(samples.length).toBeLessThanOrEqual(12)
  })

  test('a conversation of which one turn has no answer is left out whole', async () => {
    const whole = await madeBy('whole', { scenarios: 1 })
    const opener = whole.samples.find(one => one.sample_type === 'multi_turn')?.conversations[0]?.content ?? ''
    const { samples, set, asked } = await madeBy('broken', { scenarios: 1, mute: opener })
    expect(opener).not.toBe('')
    expect(samples.flatMap(one => one.conversations.map(turn => turn.content))).not.toContain(opener)
    expect(samples.filter(one => one.sample_type === 'multi_turn')).toHaveLength(
      whole.samples.filter(one => one.sample_type === 'multi_turn').length - 1,
    )
    expect(set.counts.rejected).toMatchObject({ reply: 1, conversation: 1 })
    expect(count(asked, 'rubric')).toBe(whole.samples.reduce((sum, one) => sum + one.conversations.length / 2, 0) - 2)
  })
})

test('what the schema cannot say of questions and rubrics is a fault with its name', () => {
  const one = { question: 'Why so?', difficulty: 2, modalities: ['visual'], key_segments: [0] }
  const talk = [
    { ...one, question: 'What then?', conversation_role: 'opener' },
    { ...one, question: 'And then?', conversation_role: 'deepener' },
  ]
  const fault = (change: Partial<typeof one>, turns = [talk], isRound = false, asked: string[] = []) =>
    faultOfQuestions(
      { single_turn_questions: [{ ...one, ...change }], multi_turn_questions: turns },
      isRound,
      new Set([0, 1]),
      asked,
    )
  expect(fault({})).toBeUndefined()
  expect(fault({ difficulty: 3 })).toMatch(/needs two modalities/)
  expect(fault({ key_segments: [7] })).toBe('there is no stretch 7')
  expect(fault({ question: 'what THEN?' })).toMatch(/asked twice/)
  expect(fault({}, [talk], false, ['Why so?'])).toMatch(/asked twice/)
  expect(fault({}, [])).toBe('the conversation is missing')
  expect(fault({}, [talk], true)).toBe('no conversation was asked for')
  expect(fault({}, [[...talk].reverse()])).toMatch(/must begin with its opener/)
  const fact = { name: 'accuracy', description: 'Must say 3', category: 'high_priority', is_penalty: false }
  expect(faultOfRubric({ criteria: [fact] })).toBeUndefined()
  expect(faultOfRubric({ criteria: [fact, fact] })).toMatch(/two criteria are called "accuracy"/)
  expect(faultOfRubric({ criteria: [{ ...fact, category: 'low_priority' }] })).toMatch(/high priority/)
  expect(faultOfRubric({ criteria: [{ ...fact, category: 'penalty' }] })).toMatch(/not the name of a penalty/)
  expect(faultOfRubric({ criteria: [fact, { ...fact, name: 'hallucination' }] })).toMatch(/category penalty/)
})

test('calls that a tool does not take, or that return what the video does not hold, are a fault with its name', () => {
  const rows = [{ id: 'r1', track: 'speech' as const, span: { start: 10, end: 14 }, text: 'Anna sold 75 barrels' }]
  const segment = { segment_index: 0, temporal: { start: 0, end: 30, duration: 30 }, key_events: [], rows: ['r1'] }
  const modalities = { speech: 'Anna sold 75 barrels', visual: '', audio_environment: '' }
  const segments = [{ ...segment, modalities, multimodal_description: 'Anna sold 75 barrels' }]
  const statistics = { segments: 1, duration: 30, fps: 1, frames: 30, rows: 1 }
  const record = { video_id: 'v', video: 'v.mp4', segments, statistics, meta: {}, rows }
  const read = { tool: 'transcribe_speech', parameters: [{ name: 'timestamp', value: '0:10-0:14' }], response: 'x' }
  const asked = { question: 'What was sold?', difficulty: 1, modalities: ['speech' as const], key_segments: [0] }
  const fault = (calls: (typeof read)[], tool = 'transcribe_speech', question = asked.question) =>
    faultOfDialogue(
      { scenario: 'They want to know.', turns: [{ ...asked, question, conversation_role: 'opener', calls }] },
      tool,
      record,
      [],
    )
  const count = (response: string) => ({
    tool: 'count_objects',
    parameters: [...read.parameters, { name: 'object_query', value: 'barrels' }],
    response,
  })
  const sum = (value: string) => ({ tool: 'calculator', parameters: [{ name: 'expression', value }], response: '1' })
  expect(fault([read])).toBeUndefined()
  expect(fault([count('{"count": 75}')], 'count_objects')).toBeUndefined()
  expect(fault([count('{"count": 76}')], 'count_objects')).toMatch(/does not hold: 76/)
  expect(fault([read], 'count_objects')).toBe('no turn calls count_objects')
  expect(fault([read, read])).toMatch(/twice with the same/)
  expect(fault([{ ...read, parameters: [] }])).toBe('transcribe_speech: the parameter "timestamp" is missing')
  expect(fault([{ ...read, parameters: [...read.parameters, { name: 'speed', value: '2' }] }])).toMatch(/no parameter/)
  const at = (value: string) => [{ ...read, parameters: [{ name: 'timestamp', value }] }]
  expect(fault(at('0:20-0:25'))).toBe('transcribe_speech: nothing is said at 0:20-0:25')
  expect(fault(at('1:20-1:25'))).toMatch(/after the end/)
  expect(fault([sum('75 *')], 'calculator')).toMatch(/calculator: /)
  expect(fault([read], 'transcribe_speech', 'What does transcribe speech say?')).toMatch(/names the tool/)
})

withOracle('longshot/outputs/datagen_finalization.json')('the generation of the release', () => {
  interface Released {
    criteria: { single_turn_criteria: Asked[]; multi_turn_criteria: Asked[][]; video_id: string; task_id: string }[]
    final_dataset: unknown[]
    clean_dataset: unknown[]
    dataset_analysis: { dataset_info: Record<string, unknown> }
  }
  type Asked = Record<string, unknown> & { question: string; answer: string }
  const read = () => oracle<Released>('longshot/outputs/datagen_finalization.json')

  test('its samples, clean samples and analysis are ours where its losses are asked for', () => {
    const wanted = read()
    const [{ single_turn_criteria, multi_turn_criteria, video_id: video, task_id } = never()] = wanted.criteria
    const conversations = [...single_turn_criteria.map(one => [one]), ...multi_turn_criteria]
    const items = conversations.flatMap((turns, conversation) =>
      turns.map(
        ({ question, answer, ...extra }, place): DraftItem => ({
          ...{ id: `${conversation}.${place}`, video, kind: 'summarization', question, answer, clues: [], rows: [] },
          extra: { ...extra, conversation, scenario: 'S', scenario_id: 'v1_s1', task_id },
        }),
      ),
    )
    const samples = finalSamples(items, { records: [], fields: 'as released' })
    expect(samples).toEqual(wanted.final_dataset)
    expect(samples.map(cleanSample)).toEqual(wanted.clean_dataset)
    const { generation_timestamp: _, ...info } = wanted.dataset_analysis.dataset_info
    expect(analyzeSamples(samples)).toEqual({ ...wanted.dataset_analysis, dataset_info: info })
  })
})

withOracle('longshot/outputs/datagen_weights.json')('weights', () => {
  test('are those of the release', () => {
    const { in: given, out } = oracle<{ in: Parameters<typeof weigh>[0][]; out: unknown[] }>(
      'longshot/outputs/datagen_weights.json',
    )
    expect(given.map(weigh)).toEqual(out)
  })
})

function never(): never {
  throw new Error('nothing in the oracle')
}
