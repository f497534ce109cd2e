import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLibrary } from '../../../src/store/library/library.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { baseId } from '../matrix/rows.ts'
import { rowChange } from './row-change.ts'

test('with a replay of the base no row is sent to others, the base least of all: its calls are read from this folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-row-'))
  const { signal } = new AbortController()
  const benchmark = await loadBenchmark('needle')
  const sent = async (fromStep?: number) => {
    const change = await rowChange({
      ...{ row: { id: baseId, name: 'base', changes: [] }, seed: 1, study: folder, folder, fromStep, earlier: [] },
      ...{ library: openLibrary(folder), redact: value => value },
      gold: { benchmark, samples: [], pathOf: () => undefined, subtitlesOf: () => undefined, signal },
    })
    await change.close()
    return change.sent?.row.id
  }
  expect([await sent(), await sent(1)]).toEqual([baseId, undefined])
  await rm(folder, { recursive: true })
})
