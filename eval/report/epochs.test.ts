import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChatRequest } from '../../src/core/chat.ts'
import { sampleLine } from '../../tests/bench/sample-lines.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { questionCalls } from '../runner/ask/call-folder.ts'
import { averageEpochs, epochTable, readEpochs, scoreEpochs } from './epochs.ts'

const letters: Record<string, [letter: string, score: number][]> = {
  q0: [
    ['A', 1],
    ['A', 1],
    ['A', 1],
  ],
  q1: [
    ['A', 1],
    ['B', 0],
    ['B', 0],
  ],
  q2: [
    ['C', 0],
    ['A', 1],
    ['A', 1],
  ],
  q3: [
    ['D', 0],
    ['C', 0],
    ['B', 0],
  ],
}

const epochs = [0, 1, 2].map(at =>
  Object.entries(letters).map(([id, choices]): SampleLine => {
    const [value, score] = choices[at] ?? ['', 0]
    return sampleLine({
      id,
      score,
      more: { replies: { open: value }, grades: { open: { score, rule: 'letter', value } } },
    })
  }),
)

test('mean, spread, pass@k, always right and majority are those that one computes by hand', () => {
  const scores = scoreEpochs(epochs, 'open')
  expect(scores).toMatchObject({
    n: 4,
    epochs: 3,
    means: [50, 50, 50],
    mean: 50,
    spread: 0,
    always: 25,
    majority: 50,
    same: 1,
  })
  // right in 3, 1, 2 and 0 of three: of two drawn, one at least is right in 1, 2/3, 1 and 0 of the pairs
  for (const [at, share] of [50, (100 * (1 + 2 / 3 + 1)) / 4, 75].entries()) expect(scores?.pass[at]).toBeCloseTo(share)
  expect(scores?.within).toBeCloseTo((0 + 1 / 3 + 1 / 3 + 0) / 4)
})

test('an answer in words has no majority, and a question that an epoch lacks is left out', () => {
  const inWords = epochs.map(lines =>
    lines.map(line => ({ ...line, grades: { open: { score: 1, rule: 'words', value: 'red tea' } } })),
  )
  expect(scoreEpochs(inWords, 'open')).toMatchObject({ n: 4, majority: null })
  const [first = [], second = []] = epochs
  expect(scoreEpochs([first, second.slice(1)], 'open')).toMatchObject({
    n: 3,
    means: [expect.closeTo(100 / 3), expect.closeTo(100 / 3)],
  })
})

test('epochs lie below their run; a comparison takes the mean of each question', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-epochs-'))
  try {
    const [first = [], ...others] = epochs
    expect(await readEpochs(folder, first, ['open'])).toBeUndefined()
    for (const [at, lines] of others.entries()) {
      mkdirSync(join(folder, 'epochs', String(at + 2)), { recursive: true })
      writeFileSync(
        join(folder, 'epochs', String(at + 2), 'samples.jsonl'),
        lines.map(line => `${JSON.stringify(line)}\n`).join(''),
      )
    }
    const read = await readEpochs(folder, first, ['open'])
    expect(read).toEqual([scoreEpochs(epochs, 'open')])
    expect(epochTable(read ?? []).rows).toEqual([
      ['open', '4', '3', '50.0', expect.any(String), '0.00', '50.0, 50.0, 50.0', '50.0', '75.0', '25.0', '50.0', '1'],
    ])
    const averaged = await averageEpochs(folder, first)
    expect(averaged.map(line => line.grades.open?.score)).toEqual([1, expect.closeTo(1 / 3), expect.closeTo(2 / 3), 0])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('only an epoch after the first sends a seed, and never in place of one that a request has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-epochs-'))
  const sent: (number | undefined)[] = []
  const model = {
    id: 'm',
    accepts: new Set(['text' as const]),
    async reply(request: ChatRequest, _: AbortSignal) {
      sent.push(request.seed)
      return { text: 'x', calls: [], stop: 'end' as const, usage: { inputTokens: 1, outputTokens: 1 }, model: 'm' }
    },
  }
  const ask = (epoch: number | undefined, text: string, seed?: number) => {
    const messages: ChatRequest['messages'] = [{ role: 'user', content: [{ type: 'text', text }] }]
    const log = questionCalls({ redact: value => value, epoch }, folder)
    return log.model(model).reply({ purpose: 'plan', messages, seed }, AbortSignal.timeout(9000))
  }
  try {
    await ask(undefined, 'a')
    await ask(2, 'a')
    await ask(3, 'b', 7)
    expect(sent).toEqual([undefined, 2, 7])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
