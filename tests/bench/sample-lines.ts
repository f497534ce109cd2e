import type { AskRecord, KeptRow, SampleLine } from '../../eval/data/sample-line.ts'
import type { BenchRun } from '../../eval/runner/files/run-files.ts'
import { emptyUsage } from '../../src/core/chat.ts'

export interface MadeLine {
  id: string
  video?: string
  score: number | null
  confidence?: number
  abstained?: boolean
  rows?: Partial<KeptRow>[]
  indexed?: KeptRow['track'][]
  more?: Partial<SampleLine>
}

export function keptRow(row: Partial<KeptRow>): KeptRow {
  return {
    id: `r${row.span?.start ?? 0}`,
    span: { start: 0, end: 1 },
    track: 'speech',
    text: '',
    by: 'x/y',
    cited: false,
    ...row,
  }
}

// A line of samples.jsonl with one open question.
export function sampleLine({
  id,
  video = 'v.mp4',
  score,
  confidence = 0.5,
  abstained = false,
  rows = [],
  indexed = [],
  more = {},
}: MadeLine): SampleLine {
  const evidence = rows.map(keptRow)
  const ask: AskRecord = {
    name: 'open',
    tasks: ['open'],
    question: { text: 'What did she buy?' },
    answer: { text: 'tea', sentences: [], confidence, abstained, degraded: [] },
    evidence,
    steps: [],
    frames: [],
    indexed: [{ clue: { start: 10, end: 20 }, rows: indexed }],
    usage: { ...emptyUsage, calls: 2 },
    stop: 'answered',
    seconds: 1.5,
  }
  return {
    format: 1,
    id,
    place: Number(id.replace(/\D/g, '')) || 0,
    video,
    duration: 100,
    groups: { kind: 'fact' },
    question: { text: 'What did she buy?' },
    turns: [],
    reference: 'She bought green salad.',
    clues: [{ start: 10, end: 20 }],
    asks: [ask],
    replies: { open: 'tea' },
    grades: { open: { score, rule: 'words' } },
    seconds: 2,
    finished: '2026-11-21T12:00:00.000Z',
    ...more,
  }
}

export function benchRun(run: Partial<BenchRun> = {}): BenchRun {
  return {
    format: 1,
    kind: 'bench',
    name: 'bench',
    started: '2026-11-21T12:00:00.000Z',
    version: '1',
    node: 'v20',
    platform: 'linux x64',
    profile: { name: 'embedded', why: 'asked for' },
    benchmark: '',
    data: '/nowhere',
    tasks: [],
    by: 'alone',
    options: {},
    judge: 'auto',
    models: {},
    samples: 1,
    dataHash: '',
    settingsHash: '',
    flags: { set: [] },
    ...run,
  }
}
