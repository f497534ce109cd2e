import { expect, test } from 'vitest'
import { partsOf } from '../../tests/agent/ask.ts'
import { handMadeIndex, said } from '../../tests/agent/hand-made-index.ts'
import investigate, { freshRun } from '../investigate.ts'
import { Session } from '../session.ts'
import { type KeptRun, madeByPolicy, withMakers } from './run-state.ts'

const index = handMadeIndex({ duration: 60, rows: [said(1, 4, 'the password is blue falcon')] })
const call = (id: string) => ({ id, name: 'search', arguments: { query: 'password' } })

// A run that was stopped before its calls were made.
async function stopped(ids: string[], more: Partial<KeptRun> = {}): Promise<KeptRun> {
  const session = new Session(await partsOf(index, 'What is the password?'), [])
  const run = { ...freshRun(session), calls: ids.map(call), next: 'act' as const, ...more }
  session.close()
  return run
}

test('the calls of a run that an older version left behind are known by their ids', async () => {
  const { calls } = withMakers(await stopped(['look-first', 'recover-words', 'premise', 'call_0']))
  expect(calls.map(one => one.by)).toEqual(['lookBeforeAnswer', 'noveltyGuard', 'trapDetector', undefined])
})

test('a run of this version says by whom a call is: what a server called "look-1" is its own', async () => {
  const { calls } = withMakers(await stopped(['look-1'], { promptShare: 1 }))
  expect(calls[0].by).toBeUndefined()
})

test('a step of a call that a policy made says so, also when the run goes on', async () => {
  const notesOf = async (resume: KeptRun) =>
    (await investigate({ ...(await partsOf(index, 'What is the password?')), resume })).steps[0].notes
  expect(await notesOf(await stopped(['look-first']))).toContain(madeByPolicy)
  expect(await notesOf(await stopped(['look-first'], { promptShare: 1 }))).not.toContain(madeByPolicy)
})

test('prompts stay as short as a model needed them when the run goes on', async () => {
  const parts = await partsOf(index, 'What is the password?')
  const session = new Session({ ...parts, resume: await stopped([], { promptShare: 0.25 }) }, [])
  session.close()
  expect(session.promptShare).toBe(0.25)
})
