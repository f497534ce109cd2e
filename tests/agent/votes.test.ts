import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openGraph } from '../../graphs/index.ts'
import type { RunEvent } from '../../src/core/agent.ts'
import type { ChatReply, ChatRequest } from '../../src/core/chat.ts'
import { resumeCalls } from '../../src/store/call-log/resume.ts'
import { openCheckpoints } from '../../src/store/run/checkpoints.ts'
import { makeRunFolder } from '../../src/store/run/run-folder.ts'
import { type AskMore, ask, partsOf } from './ask.ts'
import { handMadeIndex } from './hand-made-index.ts'
import { museum } from './museum.ts'
import { call, draft, model, wordsOf } from './scripted-model.ts'

const news = handMadeIndex(museum)
const idOf = (words: RegExp) => news.evidence().find(row => words.test(row.text))?.id ?? ''
const password = idOf(/password/)
const question = 'What is the password?'
const alone: AskMore['policy'] = {
  ...{ lookBeforeAnswer: false, noveltyGuard: false },
  ...{ votes: true },
}
const runOf = ({ seed = 0 }: ChatRequest) => seed
const isSearching = ({ messages }: ChatRequest) => !messages.some(one => one.role === 'assistant')

// Each run searches once, and writes as the list says of it.
const planner = (queries = ['password', 'password', 'password']) =>
  model(request => {
    const asked = request.messages.filter(one => one.role === 'assistant').length
    const first = runOf(request) === 0 ? 0 : 1 // a further run sees the step of the first
    return asked === first ? call('search', { query: queries[runOf(request)] }) : { text: 'READY' }
  })
const writer = (texts: string[], more: object = { confidence: 0.6 }) =>
  model(request => draft(texts[runOf(request)] ?? '', [password], more))
const falcon = 'The password is blue falcon.'
const hawk = 'The word that opens the tour is blue falcon, it says.'
const tour = 'It is for the guided tour.'

// Judges sentences, whether answers are the same, and which is right.
const verifier = (same = 'contradicted', chosen = 0) =>
  model(request => {
    if (wordsOf(request).includes('Several runs'))
      return { text: JSON.stringify({ reason: 'its rows', answer: chosen }) }
    const verdict = wordsOf(request).includes('Two runs') ? same : 'supported'
    return { text: JSON.stringify({ verdict, reason: 'so' }) }
  })
const comparing = (by: ReturnType<typeof model>, words: string) =>
  by.requests.filter(request => wordsOf(request).includes(words))
const voting = (texts: string[], more: AskMore = {}) =>
  ask(news, question, { planner: planner(), writer: writer(texts), verifier: verifier(), policy: alone, ...more })

describe('an answer near the line', () => {
  test('is answered by two more runs from the same rows, each with a plan, a temperature and a seed of its own', async () => {
    const [asked, written] = [planner(['password', 'museum ticket', 'whales']), writer([falcon, falcon, falcon])]
    const { weighed, steps, evidence } = await voting([], { planner: asked, writer: written })
    expect(asked.requests.map(request => [runOf(request), request.temperature])).toEqual([
      ...[
        [0, 0.2],
        [0, 0.2],
        [1, 0.7],
        [1, 0.7],
        [2, 0.7],
        [2, 0.7],
      ],
    ])
    expect(written.requests.map(request => [runOf(request), request.temperature])).toEqual([
      [0, 0.1],
      [1, 0.7],
      [2, 0.7],
    ])
    const begins = asked.requests.filter((_, i) => i % 2 === 0).map(wordsOf)
    expect(begins[1]).toMatch(/search the tracks text, sound, picture first/)
    expect(begins[2]).toMatch(/Suppose that the answer so far is wrong:\n<data answer>\nThe password is blue falcon/)
    // The second begins with what the first run found and not with what the one before it did.
    expect(begins[1]).toContain('guided tour is blue falcon')
    expect(begins[2]).toContain('guided tour is blue falcon')
    expect(begins[2]).not.toContain('Adults $12')
    expect(weighed?.votes?.runs.map(one => [one.plan, one.rounds])).toEqual([
      ...[
        ['the first run', 1],
        ['other tracks first', 1],
        ['the opposite', 1],
      ],
    ])
    // Their steps and rows are those of the run.
    expect(steps.map(step => [step.round, JSON.stringify(step.input).match(/"query":"(\w+)/)?.[1]])).toEqual([
      ...[
        [0, 'password'],
        [1, 'museum'],
        [2, 'whales'],
      ],
    ])
    expect(steps[2]?.notes).toContain('Made by run 3, which planned anew: the opposite.')
    expect(evidence.map(row => row.text)).toContain('whales sing in order to find each other over long distances')
    expect(
      asked.requests
        .filter(request => runOf(request) > 0)
        .flatMap(one => one.tools ?? [])
        .map(one => one.name),
    ).not.toContain('focus')
  })

  test('is surer where all say the same, word for word or by the verifier', async () => {
    const check = verifier('supported')
    const { answer, weighed } = await voting([falcon, hawk, falcon], { verifier: check })
    expect(weighed?.votes).toMatchObject({ outcome: 'agreed', taken: 0 })
    expect(answer.confidence).toBe(0.8)
    expect(comparing(check, 'Two runs')).toHaveLength(1)
    expect(comparing(check, 'Several runs')).toHaveLength(0)
    expect(answer.text).toMatch(/^The password is blue falcon/)
  })

  test('goes to the verifier with the answers where they differ; the one that it finds borne out stands', async () => {
    const check = verifier('contradicted', 2)
    const { answer, weighed, verdicts, draft } = await voting([falcon, falcon, tour], { verifier: check })
    const shown = wordsOf(comparing(check, 'Several runs')[0])
    expect(shown).toMatch(
      /Answer 1:\n<data answer>\nThe password is blue falcon[\s\S]*Answer 2:\n<data answer>\nIt is for the guided tour/,
    )
    expect(shown).toContain(`${password} [0:52-0:57] speech`)
    expect(weighed?.votes).toMatchObject({ outcome: 'settled', taken: 2, reason: 'its rows' })
    expect(weighed?.votes?.runs.map(one => one.text.slice(0, 10))).toEqual(['The passwo', 'The passwo', 'It is for '])
    expect(answer.text).toMatch(/^It is for the guided tour/)
    expect(answer.confidence).toBe(0.6)
    expect([verdicts.length, draft?.length]).toEqual([1, 1])
  })

  test('is what most said where the verifier cannot tell, and less sure where each says something else', async () => {
    const most = await voting([tour, falcon, falcon])
    expect(most.weighed?.votes).toMatchObject({ outcome: 'settled', taken: 1, reason: '2 of 3 runs said so' })
    expect(most.answer.text).toMatch(/^The password/)
    const split = await voting([falcon, tour, 'The tour is guided.'])
    expect(split.weighed?.votes).toMatchObject({ outcome: 'split', taken: 0 })
    expect(split.answer).toMatchObject({ confidence: 0.48, degraded: ['Runs with other plans came to other answers.'] })
  })

  test('with options agrees by its choice', async () => {
    const chosen = (choices: number[]) =>
      model(request => draft(falcon, [password], { confidence: 0.6, choice: choices[runOf(request)] }))
    const more = { options: ['red hawk', 'blue falcon'], policy: { ...alone, hypothesisClueVerdict: false } }
    const same = await voting([], { ...more, writer: chosen([1, 1, 1]) })
    expect([same.weighed?.votes?.outcome, same.answer.choice]).toEqual(['agreed', 1])
    const other = await voting([], { ...more, writer: chosen([0, 1, 1]) })
    expect([other.weighed?.votes?.outcome, other.answer.choice]).toEqual(['settled', 1])
  })
})

describe('no vote is held', () => {
  const held = async (more: AskMore) => (await voting([falcon, falcon, falcon], more)).weighed?.votes
  test('off the line, and unless it is asked for', async () => {
    expect(await held({ writer: writer([falcon], { confidence: 0.9 }) })).toBeUndefined()
    expect(await held({ writer: writer([falcon], { confidence: 0.3 }) })).toBeUndefined()
    expect(await held({ policy: { ...alone, votes: undefined } })).toBeUndefined()
    const wide = writer([falcon, falcon, falcon], { confidence: 0.9 })
    expect(await held({ writer: wide, policy: { ...alone, votesTo: 0.95 } })).toMatchObject({ outcome: 'agreed' })
  })

  test('among rules, which would say the same again', async () => {
    const events: RunEvent[] = []
    const policy = { votes: true, votesFrom: 0, votesTo: 1 }
    const { weighed } = await ask(news, question, { policy, events })
    expect(weighed?.votes).toBeUndefined()
    expect(events.some(one => one.type === 'step' && one.name === 'vote')).toBe(false)
  })

  test('where no round is left', async () => {
    expect(await held({ budget: { steps: 1 } })).toBeUndefined()
  })
})

test('a vote ends with the budget, and what there is is compared', async () => {
  const usage = { inputTokens: 1000, outputTokens: 0 }
  const costly = model(request => ({
    ...draft([falcon, tour, tour][runOf(request)] ?? '', [password], { confidence: 0.6 }),
    usage,
  }))
  const { weighed, spent, stop } = await voting([], { writer: costly, budget: { tokens: 3000 } })
  expect(weighed?.votes?.runs).toHaveLength(2)
  expect(weighed?.votes?.outcome).toBe('split')
  expect(spent.inputTokens).toBeLessThan(3000)
  expect(stop).toBe('answered')
})

describe('a vote that is cut off', () => {
  const parts = () =>
    partsOf(news, question, {
      planner: planner(),
      writer: writer([falcon, tour, tour]),
      verifier: verifier(),
      policy: alone,
    })

  test('inside of a run makes no call again', async () => {
    const home = await mkdtemp(join(tmpdir(), 'longtake-votes-'))
    const run = await makeRunFolder(home, { name: 'cut', config: {}, environment: {}, secrets: [] })
    const kept = async () => ({ checkpoints: await openCheckpoints(run), thread: 'cut' })
    const graph = await openGraph('investigate')
    const given = await parts()
    let reached = () => {}
    const there = new Promise<void>(resolve => {
      reached = resolve
    })
    const logged = (by: typeof given.planner) => {
      const calls = resumeCalls(join(run.folder, 'calls'), value => value)
      return {
        ...given,
        planner: calls.model(by),
        writer: calls.model(given.writer),
        verifier: calls.model(given.verifier),
      }
    }
    const gone: typeof given.planner = {
      ...given.planner,
      reply(request, signal) {
        if (runOf(request) < 2 || isSearching(request)) return given.planner.reply(request, signal)
        reached()
        return new Promise<ChatReply>(() => {})
      },
    }
    void graph({ ...logged(gone), kept: await kept() })
    await there
    const asked = (given.planner as ReturnType<typeof planner>).requests
    const before = asked.length
    const end = await graph({ ...logged(given.planner), kept: await kept() })
    expect(end.weighed?.votes?.runs).toHaveLength(3)
    expect(asked.slice(before).map(runOf)).toEqual([2, 2])
  })
})
