import { describe, expect, test } from 'vitest'
import { clue } from '../../../eval/recipes/checks/clue.ts'
import { duplicates } from '../../../eval/recipes/checks/duplicates.ts'
import { glance } from '../../../eval/recipes/checks/glance.ts'
import { checks } from '../../../eval/recipes/checks/index.ts'
import { arrangeOptions, ordersFor } from '../../../eval/recipes/checks/parts/orders.ts'
import { isChoice } from '../../../eval/recipes/checks/parts/solvers.ts'
import { blind, metadata, subtitles } from '../../../eval/recipes/checks/without-pictures.ts'
import type { CheckGiven, DraftItem, ItemCheck } from '../../../eval/recipes/item.ts'
import { drawFor } from '../../../src/core/basics/draws.ts'
import { SightBrief } from '../../../src/core/brief.ts'
import { type ChatRequest, contentText } from '../../../src/core/chat.ts'
import { BackendError } from '../../../src/core/errors.ts'
import { clean, given, letterOf, type Mind } from './fixture.ts'

const choices = clean.filter(isChoice)
const dropped = async (check: ItemCheck, items: readonly DraftItem[], own: CheckGiven) =>
  (await check.run(items, own)).filter(({ outcome }) => outcome !== 'pass').map(({ item }) => item)

const knowing: Mind = asked => {
  const item = choices.find(({ question }) => asked.includes(question))
  return item ? letterOf(asked, item.answer) : 'I cannot tell.'
}

test.each([clue, glance])('$name: whoever is shown frames is told as data when they are', async check => {
  const seen: ChatRequest[] = []
  await check.run(choices.slice(0, 3), given({ look: knowing, glance: knowing }, {}, seen))
  expect(seen.length).toBeGreaterThan(2)
  for (const { messages, brief } of seen) {
    const { video, task, pictures } = SightBrief.parse(brief)
    expect([video.name, task]).toEqual(['talk.mp4', 'look'])
    expect(pictures).toHaveLength(messages[0]!.content.filter(part => part.type === 'image').length)
  }
})

describe.each([blind, subtitles, metadata])('$name', check => {
  test('a model that picks the text of the key drops every item, one that always says "B" none', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      expect(await dropped(check, choices, given({ blind: knowing }, { seed }))).toHaveLength(choices.length)
      expect(await dropped(check, choices, given({ blind: () => 'B' }, { seed }))).toEqual([])
    }
  })

  test('the forecast is what is asked, each reply is kept, and no reply is not right', async () => {
    const seen: ChatRequest[] = []
    const own = given(
      { blind: asked => (asked.includes('Harbour') ? '' : knowing(asked, {} as ChatRequest)) },
      {},
      seen,
    )
    const verdicts = await check.run(choices, own)
    expect(check.calls?.(choices, own)).toBe(choices.length * 4)
    expect(seen).toHaveLength(choices.length * 4)
    expect(verdicts.every(({ replies }) => replies?.length === 4)).toBe(true)
    const mute = verdicts.find(({ item }) => item === 'talk_q00')
    expect(mute).toMatchObject({ outcome: 'pass', replies: [null, null, null, null] })
  })
})

test('a blind request holds question and options, and nothing of where the item comes from', async () => {
  const seen: ChatRequest[] = []
  await blind.run(choices, given({ blind: () => 'B' }, {}, seen))
  const all = seen.map(
    ({ messages, brief }) =>
      `${messages.map(({ content }) => contentText(content)).join('\n')}${JSON.stringify(brief)}`,
  )
  for (const asked of all)
    for (const word of ['talk_q', 'talk.mp4', 'talk-t', 'value', 'visual', 'Riverside'])
      expect(asked).not.toContain(word)
  const first = all.filter(asked => asked.includes('Harbour Bridge'))
  expect(new Set(first).size).toBe(4)
  expect(new Set(first.map(asked => letterOf(asked, '512 metres')))).toEqual(new Set(['A', 'B', 'C', 'D']))
})

test('there are as many orders as luck needs, and they are permutations that the seed fixes', () => {
  expect([2, 3, 4, 5, 6, 7, 8, 10].map(options => ordersFor(options, 1))).toEqual([7, 5, 4, 3, 3, 3, 3, 2])
  expect(ordersFor(4, 3)).toBe(2)
  const [item] = choices
  if (!item) throw new Error('no item')
  for (let order = 0; order < 12; order++) {
    const { options, right } = arrangeOptions(item, order, 9)
    expect(options.toSorted()).toEqual(item.options.toSorted())
    expect(options[right]).toBe(item.answer)
    expect(arrangeOptions(item, order, 9)).toEqual({ options, right })
  }
  expect(arrangeOptions(item, 0, 9)).not.toEqual(arrangeOptions(item, 0, 10))
})

test('the papers ask once, and then a model that always says one letter is right by luck', async () => {
  const once = given({ blind: () => 'B' }, { thresholds: { k: 1 } })
  expect(blind.calls?.(choices, once)).toBe(choices.length)
  const lucky = await dropped(blind, choices, once)
  expect(lucky.length).toBeGreaterThan(0)
  expect(lucky.length).toBeLessThan(choices.length)
})

test('of 1000 questions a model that guesses is right as often as chance is, and luck takes no more than 1 % out', async () => {
  const random = drawFor(8, 'guesses')
  const guess: Mind = () => 'ABCD'[Math.floor(random() * 4)] as string
  const many = Array.from({ length: 1000 }, (_, at): DraftItem => {
    const item = choices[at % choices.length] as DraftItem
    return { ...item, id: `${item.id}-${at}` }
  })
  const verdicts = await blind.run(many, given({ blind: guess }))
  const right = verdicts.reduce((sum, { right = 0 }) => sum + right, 0) / many.length
  expect(Math.abs(right - 0.25)).toBeLessThan(3 * Math.sqrt((0.25 * 0.75) / (4 * many.length)))
  const gone = verdicts.filter(({ outcome }) => outcome !== 'pass').length
  expect(gone).toBeGreaterThan(0)
  expect(gone).toBeLessThanOrEqual(many.length / 100)
})

test('what is said and what is known of the video go along fenced, and a video without it is not asked about', async () => {
  const seen: ChatRequest[] = []
  const own = given({ blind: () => 'B' }, {}, seen)
  await subtitles.run(choices, own)
  await metadata.run(choices, own)
  for (const { messages } of seen)
    expect(contentText(messages[0]?.content ?? [])).toMatch(/Use nothing else[\s\S]*<data video>/)
  const bare = { ...own, record: (video: string) => ({ ...own.record(video), rows: [], meta: {} }) }
  expect([subtitles.calls?.(choices, bare), metadata.calls?.(choices, bare)]).toEqual([0, 0])
  expect(blind.calls?.(choices, bare)).toBe(choices.length * 4)
})

test('the four phrasings of a yes/no question go together or not at all', async () => {
  const four = ['yes', 'no', 'no', 'yes'].map((answer, at): DraftItem => {
    const base = choices[0] as DraftItem
    const question = `Is phrasing ${at} of the Harbour Bridge true?`
    return {
      ...base,
      id: `p${at}`,
      answer,
      question,
      options: ['yes', 'no'],
      right: answer === 'yes' ? 0 : 1,
      extra: { phrasings: 'pair 1' },
    }
  })
  const says =
    (wrong: number): Mind =>
    asked => {
      const at = four.findIndex(({ question }) => asked.includes(question))
      return letterOf(asked, at === wrong ? 'neither' : (four[at]?.answer ?? ''))
    }
  const own = given({ blind: says(-1) })
  expect(blind.calls?.(four, own)).toBe(4)
  expect(await dropped(blind, four, own)).toHaveLength(4)
  expect(await dropped(blind, four, given({ blind: says(2) }))).toEqual([])
})

test('an open question is dropped where the judge gives 8 of 10 twice, and is not asked without a judge', async () => {
  const open = clean.slice(24)
  const judged = (score: number) => given({ blind: () => 'Some answer.', judge: () => `{"score": ${score}}` })
  expect(await dropped(blind, open, judged(8))).toHaveLength(open.length)
  expect(await dropped(blind, open, judged(7))).toEqual([])
  expect(blind.calls?.(open, judged(8))).toBe(2 * open.length)
  const unjudged = given({ blind: () => 'Some answer.' })
  expect(await dropped(blind, open, unjudged)).toEqual([])
  expect(blind.warnings?.(open, unjudged)).toEqual(['24 open questions were not asked blind: make.judge is off.'])
})

test('a server that cannot be reached ends the check; a model that says nothing usable does not', async () => {
  const failing = (error: BackendError) =>
    given({
      blind: () => {
        throw error
      },
    })
  await expect(blind.run(choices, failing(new BackendError('no connection')))).rejects.toThrow('no connection')
  expect(await dropped(blind, choices, failing(new BackendError('empty', { reason: 'bad-reply' })))).toEqual([])
})

test('a glance is one drawn second or frames spread over the video, and both answers must be right where both are asked', async () => {
  const asked: number[][] = []
  const frames: CheckGiven['frames'] = async (_, times) => {
    asked.push([...times])
    return times.map(() => new Uint8Array([1]))
  }
  const [item] = choices as [DraftItem]
  await glance.run([item], given({ glance: knowing }, { frames }))
  expect(asked.pop()).toEqual([37.5, 112.5, 187.5, 262.5, 337.5, 412.5, 487.5, 562.5])
  const one = { frames, thresholds: { frames: 1, open: 1 } }
  const grading =
    (score: number): Mind =>
    (text, { purpose }) =>
      purpose === 'check' ? `{"score": ${score}}` : knowing(text, {} as ChatRequest)
  const seen: ChatRequest[] = []
  expect(await dropped(glance, [item], given({ glance: grading(9) }, one, seen))).toEqual([item.id])
  expect(glance.calls?.([item], given({ glance: grading(9) }, one))).toBe(seen.length)
  expect(await dropped(glance, [item], given({ glance: grading(3) }, one))).toEqual([])
  const [first, second] = asked
  expect(first).toEqual(second)
  expect(first).toHaveLength(1)
})

test('by sight a clue that is enough and needed passes, and the calls are as forecast', async () => {
  const seen: ChatRequest[] = []
  const rowsSeen: Mind = (asked, request) =>
    /<data rows>[\s\S]*512 metres[\s\S]*<\/data>/.test(asked) ? knowing(asked, request) : 'I cannot tell.'
  const [item] = choices as [DraftItem]
  const own = given({ look: rowsSeen }, {}, seen)
  expect(await dropped(clue, [item], own)).toEqual([])
  expect(seen).toHaveLength(clue.calls?.([item], own) ?? -1)
  expect(seen[0]?.messages[0]?.content.filter(part => part.type === 'image')).toHaveLength(32)
})

describe('duplicates', () => {
  const pair = ['before', 'after'].map(
    (word, at): DraftItem => ({
      ...(clean[0] as DraftItem),
      id: `pair${at}`,
      question: `Did the event flashback to Phoebe completing a mile on a hippity-hop before turning thirty happen ${word} the event Monica makes breakfast with chocolate-chip pancakes?`,
    }),
  )
  const embed: CheckGiven['embed'] = async texts => texts.map(() => new Float32Array([1, 0]))

  test('the pair of InfiniBench B.5, which differs in one word, stays', async () => {
    expect(await dropped(duplicates, pair, given({}))).toEqual([])
    expect(await dropped(duplicates, pair, given({}, { embed }))).toEqual([])
    expect(await dropped(duplicates, [...pair, { ...(pair[0] as DraftItem), id: 'pair2' }], given({}))).toEqual([
      'pair2',
    ])
  })

  test('"A before B" is not "B before A"', async () => {
    const swapped = ['Did the flood come before the fire?', 'Did the fire come before the flood?'].map(
      (question, at) => ({ ...(clean[0] as DraftItem), id: `s${at}`, question }),
    )
    expect(await dropped(duplicates, swapped, given({}))).toEqual([])
  })
})

const stricter: [name: string, threshold: string, values: number[]][] = [
  ['form', 'words', [60, 8, 7, 6]],
  ['grounded', 'share', [0.2, 0.6, 0.9, 1]],
  ['evidence', 'rows', [1, 2]],
  ['options', 'alike', [0.9, 0.6, 0.3]],
  ['letters', 'apart', [3, 1, 0]],
  ['blind', 'k', [4, 2, 1]],
  ['duplicates', 'jaccard', [0.95, 0.7, 0.5, 0.3]],
  ['shallow', 'solvers', [5, 3, 1]],
]

test.each(stricter)('%s: a stricter %s leaves a subset', async (name, threshold, values) => {
  const check = checks.find(one => one.name === name)
  if (!check) throw new Error(`no check ${name}`)
  // Items that shade into each other, so that each step stops some more.
  const varied: Record<string, (item: DraftItem, at: number) => DraftItem> = {
    duplicates: (item, at) => ({
      ...item,
      question: `What of ${[...'abcdefghijklmnop'].slice(0, 2 + (at % 12)).join(' ')}?`,
    }),
    grounded: (item, at) => ({
      ...item,
      question: `${item.question.replace('?', '')}${' unheard'.repeat(at % 2)}${at % 3 ? ' gossip' : ''}?`,
    }),
    letters: (item, at) => (item.options ? { ...item, right: at % 6 === 0 ? 1 : 0 } : item),
  }
  const items = clean.map(varied[name] ?? (item => item))
  let before: Set<string> | undefined
  for (const value of values) {
    const stopped = new Set(
      await dropped(check, items, given({ blind: () => 'B' }, { thresholds: { [threshold]: value } })),
    )
    for (const id of before ?? []) expect(stopped).toContain(id)
    before = stopped
  }
  expect(before?.size).toBeGreaterThan(0)
})
