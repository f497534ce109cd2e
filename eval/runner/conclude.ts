import { z } from 'zod'
import { SightBrief } from '../../src/core/brief.ts'
import { readCalls } from '../../src/store/call-log/resume.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import { type AskRecord, isUnjudged, type SampleLine } from '../data/sample-line.ts'
import { keptCheck } from '../judges/calibration/judge-check.ts'
import { callFolder } from './ask/call-folder.ts'
import type { BenchParts } from './bench-parts.ts'
import type { RunCost } from './files/past-runs.ts'
import type { BenchRun, RunFiles } from './files/run-files.ts'
import { replyLines, scoreRun } from './score-run.ts'

export interface BenchResult {
  folder: string
  run: BenchRun
  lines: SampleLine[]
  scores: Record<Scoring, Scores>
  failed: number
  unjudged: number
}

// Puts the run's files in order, scores it both ways, and marks it as finished.
export async function conclude({ benchmark, collected, world }: BenchParts, files: RunFiles): Promise<BenchResult> {
  const lines = await files.tidy()
  const { strict, official } = await scoreRun(benchmark, collected, lines)
  const fileText = (texts: readonly string[]) => texts.map(text => `${text}\n`).join('')
  await files.text('replies.jsonl', fileText(replyLines(benchmark, collected, lines)))
  const seen = await listSeenFrames(files.folder, lines)
  await files.text('frames.jsonl', fileText(seen.map(line => JSON.stringify(line))))
  const check = await keptCheck(world.home, files.run)
  if (check) await files.json('judge-check.json', check)
  await files.json('scores.json', { strict, official })
  const failed = lines.filter(line => line.error !== undefined).length
  const unjudged = lines.filter(isUnjudged).length
  await files.json('summary.json', {
    state: 'finished',
    benchmark: benchmark.name,
    samples: lines.length,
    failed,
    unjudged,
    spent: spentBy(lines),
    scores: { strict: strict.metrics, official: official.metrics },
  })
  return { folder: files.folder, run: files.run, lines, scores: { strict, official }, failed, unjudged }
}

function spentBy(lines: readonly SampleLine[]): RunCost {
  const asks = lines.flatMap(line => line.asks).filter(ask => ask.error === undefined)
  const sum = (of: (ask: (typeof asks)[number]) => number) => asks.reduce((total, ask) => total + of(ask), 0)
  const judged = lines.flatMap(line => line.judge?.usage ?? [])
  const judging = (name: keyof (typeof judged)[number]) => judged.reduce((total, usage) => total + usage[name], 0)
  return {
    questions: asks.length,
    seconds: sum(ask => ask.seconds),
    calls: sum(ask => ask.usage.calls),
    tokens: sum(ask => ask.usage.inputTokens + ask.usage.outputTokens),
    inputTokens: sum(ask => ask.usage.inputTokens),
    outputTokens: sum(ask => ask.usage.outputTokens),
    money: sum(ask => ask.usage.money),
    judgments: judging('calls'),
    judgeInputTokens: judging('inputTokens'),
    judgeOutputTokens: judging('outputTokens'),
  }
}

// What an answer rests on, for readers who have no right to the texts and pictures: a line of frames.jsonl.
interface SeenFrames {
  id: string
  ask: string
  times: number[] // of frames that a model was shown, in seconds
  frames: number // that models were shown in all
  rows: { id: string; track: string; start: number; end: number; cited: boolean }[]
  prompts: string[] // sha256 of each request
}

// From the recorded calls of each question. A request that several questions shared belongs to none of them.
export async function listSeenFrames(folder: string, lines: readonly SampleLine[]): Promise<SeenFrames[]> {
  const seen: SeenFrames[] = []
  for (const { id, asks } of lines) for (const ask of asks) seen.push(await readSeen(folder, id, ask))
  return seen
}

async function readSeen(folder: string, id: string, { name, usage, evidence }: AskRecord): Promise<SeenFrames> {
  const chats = (await readCalls(callFolder(folder, `${id}-${name}`))).filter(({ kind }) => kind === 'chat')
  const times = chats.flatMap(({ request }) => [
    ...(SightBrief.safeParse(request.brief).data?.pictures.flat() ?? []),
    ...shownTimes(request),
  ])
  return {
    id,
    ask: name,
    times: [...new Set(times)].sort((a, b) => a - b),
    frames: usage.frames,
    rows: evidence.map(({ id, track, span, cited }) => ({ id, track, start: span.start, end: span.end, cited })),
    prompts: [...new Set(chats.flatMap(({ key }) => key ?? []))].sort(),
  }
}

const ShownFrames = z.object({
  messages: z.array(z.object({ content: z.array(z.object({ type: z.string(), time: z.number().optional() })) })),
})

// Of the pictures in the messages of a conversation, each of which has its time.
function shownTimes(request: object): number[] {
  const content = ShownFrames.safeParse(request).data?.messages.flatMap(message => message.content) ?? []
  return content.flatMap(({ type, time }) => (type === 'image' && time !== undefined ? [time] : []))
}
