import { describe, expect, test } from 'vitest'
import { asked } from '../../../tests/support/command-line.ts'
import type { Votes } from '../../core/agent.ts'
import type { AskReport } from '../../core/runtime.ts'
import { terminal } from '../terminal.ts'
import { answerLines } from './lines.ts'

const plain = terminal({ isTTY: false, write: () => true }, { isTTY: false, write: () => true }, {})
const coverage = { duration: 60, notes: [], ...trackStates() }

function trackStates() {
  const track = { state: 'indexed' as const, spans: [{ start: 0, end: 60 }], items: 1 }
  return { picture: track, speech: track, sound: track, text: track }
}

const report = {
  ...{ question: { text: 'What is the password?' }, evidence: [], coverage, steps: [], stop: 'ready' },
  answer: { text: 'It is blue falcon.', sentences: [], confidence: 0.7, abstained: false, degraded: [] },
} as unknown as AskReport

const run = (plan: string, text: string) => ({ plan, text, rounds: 1, confidence: 0.55, abstained: false, cites: [] })
const runs = [run('as asked', 'It is blue falcon.'), run('other tracks first', 'It is red\nhawk.')]

function votesIn(votes: Votes): string[] {
  return answerLines({ ...report, votes }, plain).filter(line => /Votes|^ {2}\d\./.test(line))
}

test('votes that agreed are a line; those that differed say what each run said, and which was taken', () => {
  expect(votesIn({ runs, outcome: 'agreed', taken: 0 })).toEqual(['Votes: 2 runs, all said the same'])
  expect(votesIn({ runs, outcome: 'settled', taken: 1 })).toEqual([
    'Votes: 2 runs, they differed, one was taken',
    '  1. as asked, 0.55: It is blue falcon.',
    '  2. other tracks first, 0.55 (taken): It is red hawk.',
  ])
  expect(votesIn({ runs, outcome: 'split' })).toEqual([
    'Votes: 2 runs, they differed, nothing decided',
    '  1. as asked, 0.55: It is blue falcon.',
    '  2. other tracks first, 0.55: It is red hawk.',
  ])
  expect(votesIn({ runs })).toEqual([]) // under way
})

describe('an answer', () => {
  test('does not print a row again whose words and time it gives itself', () => {
    const own = { ...asked, answer: { ...asked.answer, text: 'Said: "I have to catch my train" [12:04-12:31].' } }
    expect(
      answerLines(own, plain)
        .join('\n')
        .match(/catch my train/g),
    ).toHaveLength(1)
    expect(
      answerLines(asked, plain)
        .join('\n')
        .match(/catch my train/g),
    ).toHaveLength(1)
  })

  test('links its times to the moment in the file, or at the address that the video came from', () => {
    const link = (text: string, address: string) => `<${address}|${text}>`
    expect(answerLines(asked, { ...plain, link }).join('\n')).toContain('<file:///videos/talk.mp4#t=724|[12:04-12:31]>')
    const fetched = { ...asked, video: { ...asked.video, address: 'https://youtu.be/abc' } }
    expect(answerLines(fetched, { ...plain, link }).join('\n')).toContain('<https://youtu.be/abc?t=724s|[12:04-12:31]>')
  })
})
