import { describe, expect, test } from 'vitest'
import closingCredits from '../../docs/examples/closing-credits.ts'
import { plan } from '../../graphs/nodes/plan.ts'
import exhaustiveScan from '../../graphs/policies/exhaustive-scan.ts'
import { AgentSession } from '../../graphs/session.ts'
import { chatModels } from '../../models/chat/index.ts'
import type { Step } from '../../src/core/agent.ts'
import type { ChatModel, ChatReply, ChatRequest } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
import { type PolicyName, policyNames, type SwitchName } from '../../src/core/settings.ts'
import type { ToolServices } from '../../src/core/tool.ts'
import { type AskMore, ask, host, partsOf } from './ask.ts'
import { freshState } from './fresh-state.ts'
import { handMadeIndex, itemAt, said } from './hand-made-index.ts'
import { museum } from './museum.ts'

const news = handMadeIndex(museum)
const idOf = (words: RegExp) => news.evidence().find(row => words.test(row.text))?.id ?? ''

function model(
  reply: (request: ChatRequest, n: number) => Partial<ChatReply>,
): ChatModel & { requests: ChatRequest[] } {
  const requests: ChatRequest[] = []
  return {
    id: 'chat/test',
    accepts: new Set(['text']),
    requests,
    reply: async request => {
      requests.push(request)
      const made = reply(request, requests.length - 1)
      return { text: '', calls: [], stop: 'end', usage: { inputTokens: 0, outputTokens: 0 }, model: 'test', ...made }
    },
  }
}

const ready = () => model(() => ({ text: 'READY' }))
const call = (name: string, args: unknown) => ({ calls: [{ id: 'c', name, arguments: args }] })
const draft = (text: string, cites: string[], more = {}) => ({
  text: JSON.stringify({ sentences: [{ text, cites }], ...more }),
})
const wordsOf = (request: ChatRequest | undefined) =>
  request?.messages
    .flatMap(one => one.content)
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('\n') ?? ''

const alone = {
  lookBeforeAnswer: false,

  aspectWriter: false,
  noveltyGuard: false,
}

// A writer by rules, whose replies are given.
const rulesThat = (text: string): ChatModel => ({ ...model(() => ({ text })), id: 'chat/rules', accepts: new Set() })

type Cases = Partial<Record<PolicyName, () => Promise<void>>>

// The tools of the agent and the sixteen of LongShOTBench: a policy asks for a kind of tool, so it holds with both.
const sets = {
  core: {
    search: (query: string, k = 8) => call('search', { query, k }),
    list: call('timeline', {}),
    closer: 'timeline',
  },
  longshot: {
    search: (query: string, k = 8) =>
      call('cross_modal_search', { query, modalities: ['speech', 'audio', 'text', 'visual'], k }),
    list: {
      calls: ['transcribe_speech', 'extract_scene_text', 'detect_audio_events'].flatMap(
        name => call(name, { timestamp: 'whole video' }).calls,
      ),
    },
    closer: 'transcribe_speech',
  },
}

// Hears again what the index has of sounds.
const hear: ToolServices['hear'] = async () => ({
  by: itemAt(news.evidence({ tracks: ['sound'] }), 0).by,
  service: {
    async *hear({ span }) {
      for (const { span: at, track, text } of news.evidence({ tracks: ['sound'], span }))
        yield { span: at, track, text }
    },
  },
})

// Switches that are no policies.
const switchesWith = (set: keyof typeof sets): Record<string, () => Promise<void>> => ({
  async compaction() {
    const full = () =>
      model(request => {
        if (wordsOf(request).length > 3000) throw new BackendError('It does not fit.', { reason: 'context-overflow' })
        return draft('The password is blue falcon.', [idOf(/password/)])
      })
    const long = { planner: undefined, policy: {} }
    const { on, off } = await both(
      set,
      'compaction',
      news,
      'What is said about the password, the museum and the ticket?',
      () => ({
        ...long,
        planner: model((_, n) => (n === 0 ? sets[set].list : { text: 'READY' })),
        writer: full(),
      }),
    )
    expect(on.stop).toBe('answered')
    expect(off.stop).toBe('failed')
  },

  async budgets() {
    const planner = () =>
      model((_, n) => ({ ...sets[set].search(`w${n}`), usage: { inputTokens: 500, outputTokens: 0 } }))
    const { on, off } = await both(set, 'budgets', news, 'What is the password?', () => ({
      planner: planner(),
      policy: alone,
      budget: { steps: 3, tokens: 1000 },
    }))
    expect(on.stop).toBe('tokens')
    expect(on.steps).toHaveLength(2)
    expect(off.steps.length).toBe(64)
  },
})

const casesWith = (set: keyof typeof sets): Cases => ({
  async lookBeforeAnswer() {
    const policy = { ...alone, lookBeforeAnswer: true }
    const { on, off } = await both(set, 'lookBeforeAnswer', news, 'What is the password?', () => ({
      planner: ready(),
      policy,
    }))
    expect(on.steps.map(step => step.tool).slice(0, 2)).toEqual([sets[set].search('').calls[0]?.name, sets[set].closer])
    expect(on.answer.text).toMatch(/blue falcon/)
    expect(off.steps).toEqual([])
    expect(off.answer.abstained).toBe(true)
  },

  async exhaustiveScan() {
    const planner = () => model((_, n) => (n === 0 ? sets[set].search('beep', 1) : { text: 'READY' }))
    const { on, off } = await both(set, 'exhaustiveScan', news, 'How many beeps are heard?', () => ({
      planner: planner(),
      policy: { ...alone },
    }))
    expect(on.answer.text).toMatch(/^3\b/)
    expect(off.answer.text).not.toMatch(/^3\b/)
  },

  async noveltyGuard() {
    const planner = () => model(() => sets[set].search('zebra'))
    const policy = { ...alone, noveltyGuard: true }
    const budget = { steps: 8 }
    const { on, off } = await both(set, 'noveltyGuard', news, 'What is the password?', () => ({
      planner: planner(),
      policy,
      budget,
    }))
    expect(on.stop).toBe('answered')
    expect(on.answer.text).toMatch(/blue falcon/)
    expect(off.stop).toBe('steps')
    expect(off.answer.text).not.toMatch(/blue falcon/)
  },

  async hypothesisClueVerdict() {
    const options = ['red hawk', 'blue falcon', 'green elephant']
    const chosen = '{"sentences":[],"choice":0,"confidence":0.9}'
    const { on, off } = await both(set, 'hypothesisClueVerdict', news, 'What is the password?', () => ({
      ...{ options, writer: rulesThat(chosen) },
    }))
    expect(on.weighed?.options?.map(one => one.verdict)).toEqual(['unseen', 'supported', 'unseen'])
    expect(on.steps.some(step => JSON.stringify(step.input).includes('red hawk'))).toBe(true)
    expect(on.answer.choice).toBe(1)
    expect(off.answer.choice).toBe(0)
    const writer = model(() => ({ text: chosen }))
    expect((await ask(news, 'What is the password?', { set, options, writer })).answer.choice).toBe(0)
  },

  async verifier() {
    const writer = () => model(() => draft('The password is green elephant.', [idOf(/password/)], { confidence: 0.9 }))
    const { on, off } = await both(set, 'verifier', news, 'What is the password?', () => ({ writer: writer() }))
    expect(on.answer.degraded.join()).toMatch(/The check (did not find|found otherwise).*green elephant/)
    expect(on.verdicts[0]?.reason).not.toMatch(/switched off/)
    expect(off.answer.degraded.join()).not.toMatch(/The check/)
    const rules = await both(set, 'verifier', news, 'What is the password?', () => ({
      writer: rulesThat(JSON.stringify({ sentences: [{ text: 'It is green elephant.', cites: [idOf(/password/)] }] })),
    }))
    expect(rules.on.answer.text).not.toMatch(/elephant/)
    expect(rules.off.answer.text).toMatch(/elephant/)
  },

  async aspectWriter() {
    const { on, off } = await both(
      set,
      'aspectWriter',
      news,
      'How much is a ticket and who is the president of France?',
      () => ({}),
    )
    expect(on.answer.text).toMatch(/\$12/)
    expect(on.answer.unknown).toEqual(['who is the president of France?'])
    expect(on.answer.text).toMatch(/Not found in the video: who is the president/)
    expect(off.answer.unknown).toBeUndefined()
  },

  async votes() {
    const writer = () => model(() => draft('The password is blue falcon.', [idOf(/password/)], { confidence: 0.5 }))
    const { on, off } = await both(set, 'votes', news, 'What is the password?', () => ({
      planner: ready(),
      writer: writer(),
      policy: { ...alone, votes: true },
    }))
    expect(on.weighed?.votes).toMatchObject({ outcome: 'agreed', runs: { length: 3 } })
    expect(on.answer.confidence).toBeGreaterThan(off.answer.confidence)
    expect(off.weighed?.votes).toBeUndefined()
  },
})

// The same question with the policy on and off.
async function both(
  set: keyof typeof sets,
  name: SwitchName,
  index: typeof news,
  question: string,
  more: () => AskMore,
) {
  const all = () => ({ ...more(), set, services: { hear, ...more().services } })
  const on = await ask(index, question, all())
  const off = await ask(index, question, { ...all(), policy: { ...all().policy, [name]: false } })
  return { on, off }
}

describe('each policy changes what happens', () => {
  test('and every one has a test', () => {
    expect(Object.keys(casesWith('core')).sort()).toEqual([...policyNames].sort())
  })
  test.each(policyNames)('%s, with the tools of the agent', async name => casesWith('core')[name]?.())
  test.each(Object.keys(switchesWith('core')))('%s, a switch', async name => switchesWith('core')[name]?.())
  test.each(policyNames)('%s, with the sixteen of LongShOTBench', async name => casesWith('longshot')[name]?.())
})

describe('a verdict', () => {
  const verdicts = (by: Record<string, string>) =>
    model(request => {
      const found = Object.entries(by).find(([words]) => wordsOf(request).includes(words))
      return { text: JSON.stringify({ reason: 'test', verdict: found?.[1] ?? 'supported' }) }
    })
  const listing = () => model((_, n) => (n === 0 ? sets.core.list : { text: 'READY' }))
  const two = () =>
    model(() => ({
      text: JSON.stringify({
        sentences: [
          { text: 'The password is blue falcon.', cites: [idOf(/password/)] },
          { text: 'The lighthouse was painted red.', cites: [idOf(/lighthouse was closed/)] },
        ],
        confidence: 0.9,
      }),
    }))
  const policy = { ...alone, lookBeforeAnswer: true }

  test.each([
    ['contradicted', 'The check found otherwise than: The lighthouse was painted red.'],
    ['unseen', 'The check did not find this in its evidence: The lighthouse was painted red.'],
  ])('%s: the words of a model stay, the answer says so and is less sure', async (verdict, said) => {
    const asked = (by: Record<string, string>) =>
      ask(news, 'Why was the lighthouse closed, and what is the password?', {
        ...{ planner: listing(), writer: two(), verifier: verdicts(by), policy },
      })
    const [sure, doubted] = [await asked({}), await asked({ 'painted red': verdict })]
    expect(doubted.answer.sentences.map(one => one.text)).toEqual(sure.answer.sentences.map(one => one.text))
    expect(doubted.answer.degraded).toContain(said)
    expect(doubted.answer.confidence).toBeLessThan(sure.answer.confidence)
  })

  test('each check sees the sentence and its rows, and nothing else of the run', async () => {
    const verifier = verdicts({})
    await ask(news, 'What is the password?', {
      planner: ready(),
      writer: two(),
      verifier,
      policy: { ...policy, lookBeforeAnswer: true },
    })
    const checks = verifier.requests.filter(request => request.purpose === 'check')
    expect(checks.length).toBeGreaterThan(0)
    for (const request of checks) {
      expect(request.messages).toHaveLength(2)
      expect(wordsOf(request)).not.toMatch(/What is the password\?|READY/)
    }
  })
})

test('money is counted by the prices, and ends the search', async () => {
  const planner = model((_, n) => ({
    ...call('search', { query: `w${n}` }),
    usage: { inputTokens: 100_000, outputTokens: 0 },
  }))
  const { spent, stop } = await ask(news, 'What is the password?', {
    planner,
    prices: { planner: { input: 2, output: 8 } },
    budget: { money: 1, tokens: 10_000_000, steps: 50 },
    policy: alone,
  })
  expect(stop).toBe('money')
  expect(spent.money).toBeCloseTo(0.8)
})

test('what a tool asks of a model is paid for, whichever model it is', async () => {
  const usage = { inputTokens: 1000, outputTokens: 10 }
  const writer = () => model(() => ({ ...draft('It says blue falcon.', []), usage }))
  const verifier = model(() => ({ text: '{"verdict":"supported","reason":"so"}', usage }))
  const spent = async (set: 'core' | 'longshot', name: string, args: object) => {
    const calling = (more: object = {}) =>
      ask(news, 'What is the password?', {
        ...{ set, verifier, policy: { ...alone, verifier: false } },
        planner: model((_, n) => (n === 0 ? call(name, args) : { text: 'READY' })),
        services: { writer: async () => ({ by: 'chat/test', service: writer() }) },
        prices: { writer: { input: 2, output: 0 }, verifier: { input: 3, output: 0 } },
        ...more,
      })
    const { spent, steps } = await calling()
    expect(steps[0]?.outcome).toBe('found')
    return spent.money * 1e6
  }
  const text = { text: 'blue falcon', from_lang: 'en', to_lang: 'de' }
  expect(await spent('longshot', 'translate_text', text)).toBeCloseTo(2000)
  expect(await spent('core', 'verify_claim', { start: 50, end: 60, claim: 'The password is said.' })).toBeCloseTo(3000)
})

test('a look that would show more frames than the budget has left is not made', async () => {
  const vision = model(() => ({ text: 'A room.' }))
  Object.assign(vision, { accepts: new Set(['text', 'image']) })
  const planner = model((_, n) =>
    n === 0 ? call('look', { start: 0, end: 30, question: 'What is seen?', frames: 8 }) : { text: 'READY' },
  )
  const state = await ask(news, 'What colour is the room?', {
    planner,
    budget: { frames: 4 },
    policy: alone,
    services: { vision: async () => ({ by: 'chat/test', service: vision }) },
    frames: 8,
  })
  expect(state.steps[0]).toMatchObject({
    tool: 'look',
    outcome: 'failed',
    text: expect.stringMatching(/budget has 4 left/),
  })
  expect(vision.requests).toHaveLength(0)
})

test('a question about what is seen is not answered before frames were looked at', async () => {
  const vision = model(() => ({ text: 'Captain harris wears a blue coat.' }))
  Object.assign(vision, { accepts: new Set(['text', 'image']) })
  const services = { vision: async () => ({ by: 'chat/test', service: vision }) }
  const planner = () => model((_, n) => (n === 0 ? call('search', { query: 'captain harris' }) : { text: 'READY' }))
  const question = 'What colour is the coat of captain harris?'
  const { on, off } = await both('core', 'lookBeforeAnswer', news, question, () => ({
    planner: planner(),
    services,
    frames: 4,
  }))
  expect(on.steps.some(step => step.tool === 'look' && step.outcome === 'found')).toBe(true)
  expect(off.steps.some(step => step.tool === 'look')).toBe(false)
})

test.each(Object.keys(sets) as (keyof typeof sets)[])('the example of CONTRIBUTING.md, with %s tools', async set => {
  const parts = await partsOf(news, 'Who directed the report?', { set, planner: ready() })
  const state = freshState({ question: parts.question })
  const session = new AgentSession(parts, [{ ...closingCredits, name: 'closingCredits' }], state)
  const { update, goto } = await plan(session, state)
  session.meter.close()
  expect(update.calls).toMatchObject([{ id: expect.stringMatching(/^credits/), by: 'closingCredits' }])
  expect(goto).toBe('act')
})

test('calls of policies that come to the same are made once', async () => {
  const index = handMadeIndex({
    duration: 50,
    rows: [said(5, 9, 'the password is blue falcon'), said(40, 44, 'the password is old')],
  })
  const planner = model((_, n) => (n === 0 ? sets.core.search('password') : { text: 'READY' }))
  const { steps } = await ask(index, 'What is the password?', { planner })
  expect(steps.map(step => [step.tool, step.outcome])).toEqual([
    ['search', 'found'],
    ['timeline', 'found'],
  ])
})

test('a policy that does not exist cannot be set', async () => {
  const { PolicySettings } = await import('../../src/core/settings.ts')
  expect(() => PolicySettings.parse({ novelty: false })).toThrow(/novelty/)
  expect((await chatModels.open('rules', {}, host)).id).toBe('chat/rules')
})

test('a list of the whole video is asked for only where it is due and was not made', async () => {
  const listed: Step = { round: 0, tool: 'timeline', input: {}, outcome: 'found', evidence: [], notes: [], seconds: 0 }
  const scans = async (text: string, steps: Step[] = [], set: keyof typeof sets = 'core') => {
    const state = freshState({ question: { text }, steps })
    const session = new AgentSession(await partsOf(news, text, { set }), [], state)
    session.meter.close()
    return exhaustiveScan.calls(session, state)
  }
  const beeps = (steps: Step[]) => scans('How many beeps are heard?', steps)
  expect(await beeps([])).toMatchObject([{ name: 'timeline', arguments: { tracks: ['sound', 'speech'] } }])
  expect(await beeps([listed])).toEqual([])
  expect(await beeps([{ ...listed, input: { start: 10, end: 20 } }])).toHaveLength(1)
  expect(await beeps([{ ...listed, input: { tracks: ['text'] } }])).toHaveLength(1)
  expect(await scans('What is the password?')).toEqual([])
  expect((await scans('How many beeps are heard?', [], 'longshot')).map(one => one.name)).toEqual([
    'detect_audio_events',
    'transcribe_speech',
  ])
})
