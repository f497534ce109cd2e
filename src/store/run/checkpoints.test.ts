import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { KeptCheckpoint } from '../../core/run/checkpoints.ts'
import { openCheckpoints, readCheckpoints } from './checkpoints.ts'
import { makeRunFolder } from './run-folder.ts'

async function newRun() {
  const home = mkdtempSync(join(tmpdir(), 'longtake-checkpoints-'))
  return makeRunFolder(home, { name: 'why', config: {}, environment: {}, secrets: ['hush-hush'] })
}

function made(id: string, channel_values: object, parent?: string): Omit<KeptCheckpoint, 'writes'> {
  const head = { v: 4, id, ts: '2026-11-22T00:00:00.000Z', channel_versions: { steps: 1 }, versions_seen: {} }
  return {
    checkpoint: { ...head, channel_values: { ...channel_values } },
    metadata: { source: 'loop', step: 1, parents: {} },
    ...(parent === undefined ? {} : { parent }),
  }
}

const rows = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}`, text: `line ${i}` }))
const values = async (folder: string) => (await readCheckpoints(folder)).map(one => one.checkpoint.channel_values)

test('every checkpoint comes back whole, though each line holds only what is new', async () => {
  const run = await newRun()
  const checkpoints = await openCheckpoints(run)
  const states = [
    { evidence: rows.slice(0, 100), round: 0, next: true },
    { evidence: rows.slice(0, 150), round: 1 },
    { evidence: rows, round: 1, hints: [] },
  ]
  for (const [at, state] of states.entries()) await checkpoints.put(made(`${at}`, state, at ? `${at - 1}` : undefined))
  expect(await values(run.folder)).toEqual(states)
  const lines = readFileSync(join(run.folder, 'checkpoints.jsonl'), 'utf8').trim().split('\n')
  expect(lines[2]?.length).toBeLessThan(lines[0]?.length ?? 0)
})

test('a branch goes on from its own parent, and not from the line before it', async () => {
  const run = await newRun()
  const checkpoints = await openCheckpoints(run)
  await checkpoints.put(made('a', { steps: rows.slice(0, 2) }))
  await checkpoints.put(made('b', { steps: rows.slice(0, 5) }, 'a'))
  await checkpoints.put(made('c', { steps: rows.slice(0, 3) }, 'a'))
  expect((await values(run.folder)).map(one => (one.steps as unknown[]).length)).toEqual([2, 5, 3])
})

test('a torn line is dropped, and the run goes on from the one before', async () => {
  const run = await newRun()
  await (await openCheckpoints(run)).put(made('a', { evidence: rows.slice(0, 2) }))
  appendFileSync(join(run.folder, 'checkpoints.jsonl'), '{"format":1,"checkpoint":{"id"')
  await (await openCheckpoints(run)).put(made('b', { evidence: rows.slice(0, 3) }, 'a'))
  expect((await values(run.folder))[1]?.evidence).toHaveLength(3)
})

test('a list that was changed is kept as it is now', async () => {
  const run = await newRun()
  const checkpoints = await openCheckpoints(run)
  await checkpoints.put(made('a', { evidence: rows.slice(0, 3) }))
  await checkpoints.put(made('b', { evidence: [rows[0], rows[5]] }, 'a'))
  expect((await values(run.folder))[1]?.evidence).toEqual([rows[0], rows[5]])
})

test('what tasks left behind is kept once, in the order in which it is applied; what waits is replaced by its answer', async () => {
  const run = await newRun()
  const checkpoints = await openCheckpoints(run)
  await checkpoints.put(made('a', {}))
  const write = (task: string, at: number, channel: string, value: unknown) => ({ task, path: '', at, channel, value })
  await checkpoints.write('a', [write('t2', 0, 'steps', 1), write('t2', 1, 'round', 2)])
  await checkpoints.write('a', [write('t1', 0, '__interrupt__', 'hush-hush?')])
  await checkpoints.write('a', [write('t1', 0, '__interrupt__', 'again?'), write('t2', 0, 'steps', 'late')])
  expect(checkpoints.all()[0]?.writes.map(one => one.value)).toEqual(['again?', 1, 2])
  const [read] = await readCheckpoints(run.folder)
  expect(read?.writes.map(one => one.value)).toEqual(['again?'])
  expect(readFileSync(join(run.folder, 'checkpoints.jsonl'), 'utf8')).not.toContain('hush-hush')
})
