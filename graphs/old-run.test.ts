import { expect, test } from 'vitest'
import { emptyUsage } from '../src/core/chat.ts'
import type { Checkpoints, KeptCheckpoint } from '../src/core/run/checkpoints.ts'
import { ask } from '../tests/agent/ask.ts'
import { handMadeIndex, said } from '../tests/agent/hand-made-index.ts'
import { type OldRun, ofOldRun, readOldValues } from './old-run.ts'
import { madeByPolicy } from './state.ts'

const index = handMadeIndex({ duration: 60, rows: [said(1, 4, 'the password is blue falcon')] })
const call = (id: string) => ({ id, name: 'search', arguments: { query: 'password' } })
const question = { text: 'What is the password?' }

// A run that was stopped before its calls were made.
function stopped(ids: string[], more: Partial<OldRun> = {}): OldRun {
  const agent = { question, turns: [], route: 'fact', steps: [], evidence: [], verdicts: [], spent: emptyUsage }
  const counts = { round: 0, secondLooks: 0, idle: 0 }
  return { agent, ...counts, calls: ids.map(call), hints: [], dropped: [], forced: [], next: 'act', ...more }
}

test('the calls of a run that an older version left behind are known by their ids', () => {
  const { calls } = ofOldRun(stopped(['look-first', 'recover-words', 'scan-0', 'call_0'])).update
  expect(calls?.map(one => one.by)).toEqual(['lookBeforeAnswer', 'noveltyGuard', 'exhaustiveScan', undefined])
})

test('a run that is not as old says by whom a call is: what a server called "look-1" is its own', () => {
  const { calls } = ofOldRun(stopped(['look-1'], { promptShare: 1 })).update
  expect(calls?.[0]?.by).toBeUndefined()
})

test('an older run goes on at the node that came next, with what it knew', async () => {
  const goesOn = async (run: OldRun) => {
    const all: KeptCheckpoint[] = []
    const checkpoints: Checkpoints = {
      all: () => all,
      put: async made => void all.push({ ...made, writes: [] }),
      write: async () => {},
    }
    return ask(index, question.text, { kept: { checkpoints, thread: 'old', older: ofOldRun(run) } })
  }
  const older = await goesOn(stopped(['look-first']))
  expect(older.steps[0]?.notes).toContain(madeByPolicy)
  expect(older.answer.text).toContain('blue falcon')
  const newer = await goesOn(stopped(['look-first'], { promptShare: 1 }))
  expect(newer.steps[0]?.notes).not.toContain(madeByPolicy)
})

test('a conversation that an older version kept in several channels is one list of messages, in its order', () => {
  const replies = [
    { before: 'Left: 12 rounds.', text: 'I listen.', calls: [call('c0')], round: 0 },
    { before: 'Left: 11 rounds.', text: '', calls: [{ id: 'c1', name: 'answer', arguments: {} }] },
    { before: '', text: '', calls: [], response: 'A check doubts this.' },
  ]
  const given = { text: 'Blue.', claims: [{ text: 'Blue.', cites: ['s1'] }], unanswered: [], confidence: 0.9 }
  const kept = {
    replies,
    opening: ['p1'],
    hints: ['Look at the end.'],
    given,
    promptShare: 0.5,
    blind: true,
    steps: [],
  }
  const values = readOldValues(kept)
  expect(values.messages).toEqual([
    { by: 'code', about: 'opening', text: '', frames: ['p1'] },
    { by: 'code', about: 'budget', text: 'Left: 12 rounds.' },
    { by: 'model', text: 'I listen.', calls: [call('c0')], round: 0 },
    { by: 'code', about: 'budget', text: 'Left: 11 rounds.' },
    { by: 'model', text: '', calls: [{ id: 'c1', name: 'answer', arguments: {} }] },
    { by: 'code', about: 'doubt', text: 'A check doubts this.' },
    { by: 'code', about: 'hint', text: 'Look at the end.' },
  ])
  expect(values).toMatchObject({
    written: { text: 'Blue.', sentences: [{ text: 'Blue.', cites: ['s1'] }], confidence: 0.9, unknown: [] },
    fit: { share: 0.5, picturesGone: 0, blind: true },
    steps: [],
  })
  expect(readOldValues({ messages: [], fit: {} })).toEqual({ messages: [], fit: {} })
})
