import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startRun } from './run-folder.ts'
import { type AnyState, lastState, openStates } from './run-states.ts'

async function newRun() {
  const home = mkdtempSync(join(tmpdir(), 'longtake-states-'))
  return startRun(home, { name: 'why', config: {}, environment: {}, secrets: [] })
}

function state(steps: object[], evidence: object[], more: object = {}): AnyState {
  return { agent: { turns: [], steps, evidence, ...more } }
}

const rows = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}`, text: `line ${i}` }))

test('the last state comes back whole, though each line holds only what is new', async () => {
  const run = await newRun()
  const states = await openStates(run)
  const steps = [{ tool: 'search' }, { tool: 'look' }]
  await states.keep('plan', state([], rows.slice(0, 100)))
  await states.keep('act', state(steps.slice(0, 1), rows.slice(0, 150)))
  await states.keep('act', state(steps, rows))
  expect(await lastState(run.folder)).toMatchObject({ node: 'act', run: state(steps, rows) })
  const lines = readFileSync(join(run.folder, 'states.jsonl'), 'utf8').trim().split('\n')
  expect(lines[2].length).toBeLessThan(lines[0].length)
})

test('a torn line is dropped, and the run goes on from the one before', async () => {
  const run = await newRun()
  await (await openStates(run)).keep('plan', state([], rows.slice(0, 2)))
  appendFileSync(join(run.folder, 'states.jsonl'), '{"format":1,"node":"act","ru')
  const last = await lastState(run.folder)
  expect(last?.node).toBe('plan')
  await (await openStates(run, last?.run)).keep('act', state([{ tool: 'search' }], rows.slice(0, 3)))
  expect((await lastState(run.folder))?.run.agent.evidence).toHaveLength(3)
})

test('a state that something had stopped is none to go on from', async () => {
  const run = await newRun()
  const states = await openStates(run)
  await states.keep('plan', state([{ tool: 'search' }], []))
  await states.keep('draft', state([{ tool: 'search' }], [], { stop: 'seconds' }))
  expect((await lastState(run.folder))?.node).toBe('plan')
})

test('a list that was changed is kept as it is now', async () => {
  const run = await newRun()
  const states = await openStates(run)
  await states.keep('plan', state([], rows.slice(0, 3)))
  await states.keep('act', state([], [rows[0], rows[5]]))
  expect((await lastState(run.folder))?.run.agent.evidence).toEqual([rows[0], rows[5]])
})
