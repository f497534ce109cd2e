import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLibrary } from '../../../src/store/library/library.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { SampleLine } from '../../data/sample-line.ts'
import type { AgentChange } from '../../runner/bench-request.ts'
import { baseId } from '../matrix/rows.ts'
import { rowChange } from './row-change.ts'

// The change of the base row in a folder of its own, after rows with these lines.
async function inRow<Result>(
  { fromStep, earlier = [] }: { fromStep?: number; earlier?: SampleLine[] },
  use: (change: AgentChange) => Result,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-row-'))
  const { signal } = new AbortController()
  const benchmark = await loadBenchmark('needle')
  const change = await rowChange({
    row: { id: baseId, name: 'base', changes: [] },
    seed: 1,
    study: folder,
    folder,
    fromStep,
    earlier,
    library: openLibrary(folder),
    redact: value => value,
    gold: { benchmark, samples: [], pathOf: () => undefined, subtitlesOf: () => undefined, signal },
  })
  const result = use(change)
  await change.close()
  await rm(folder, { recursive: true })
  return result
}

test('with a replay of the base no row is sent to others, the base least of all: its calls are read from this folder', async () => {
  const sent = (fromStep?: number) => inRow({ fromStep }, change => change.sent?.row.id)
  expect([await sent(), await sent(1)]).toEqual([baseId, undefined])
})

test('a verdict of an earlier row holds for the same reply to the same task by the same judge', async () => {
  const line = (replies: Record<string, string>, by: string, verdict: string) =>
    SampleLine.parse({
      format: 1,
      id: 'a',
      place: 0,
      video: 'v',
      groups: {},
      question: { text: 'Who?' },
      turns: [],
      asks: [],
      replies,
      judge: { by, replies: { open: verdict }, failed: {}, seconds: 0 },
      grades: {},
      seconds: 0,
      finished: '',
    })
  const earlier = [
    line({ open: 'Ann', mcq: 'B' }, 'j', 'of Ann'),
    line({ open: 'B' }, 'other', 'of another judge'),
    line({ open: 'B' }, 'j', 'of B'),
  ]
  const known = (reply: string, by: string) =>
    inRow({ earlier }, change => change.judged({ id: 'a', task: 'open', reply, by })?.replies.open)
  expect([await known('B', 'j'), await known('Ann', 'j'), await known('Ann', 'other')]).toEqual([
    ...['of B', 'of Ann'],
    undefined,
  ])
})
