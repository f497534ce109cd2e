import { expect, test } from 'vitest'
import { resolveConfig } from '../../../src/config/resolve.ts'
import type { Host } from '../../../src/core/backend.ts'
import { makesNoIndex } from '../../../src/runtime/index/forecast/planned-stages.ts'
import type { MatrixRow } from '../matrix/rows.ts'
import { examineRow } from './study-parts.ts'

const host: Host = { folder: '', environment: {}, signal: new AbortController().signal, say: () => {} }
const settings = async (...set: string[]) =>
  (await resolveConfig({ cwd: '/', environment: {}, flags: { set: ['profile=embedded', ...set] }, search: false }))
    .settings

test('a row whose graph shows pictures to a planner that takes none is refused before anything is asked', async () => {
  const row = { id: 'seek', name: 'graph seek', changes: [{ kind: 'graph', name: 'seek' }] } as unknown as MatrixRow
  const base = await settings()
  await expect(examineRow(row, await settings('graph=seek'), base, host)).rejects.toThrow(/chat\/rules takes none/)
  await examineRow(row, await settings('graph=dvd'), base, host)
})

test('a graph that needs no index makes none, unless it takes the transcript of one', async () => {
  expect(await makesNoIndex(await settings('graph=seek'))).toBe(true)
  expect(await makesNoIndex(await settings('graph=seek', 'seek.words=index'))).toBe(false)
  expect(await makesNoIndex(await settings('graph=dvd'))).toBe(false)
})
