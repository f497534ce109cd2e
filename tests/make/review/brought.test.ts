import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MadeSet } from '../../../eval/data/benchmark-json.ts'
import { faultOfFix, fixWish } from '../../../eval/make/review/fix.ts'
import { importVerdicts } from '../../../eval/make/review/import-verdicts.ts'
import { openReview } from '../../../eval/make/review/open-review.ts'
import { readReviewSet } from '../../../eval/make/review/review-set.ts'
import { reviewVideos } from '../../../eval/make/review/videos.ts'
import { dealLetters } from '../../../eval/make/set/deal-letters.ts'
import { grounded } from '../../../eval/recipes/checks/grounded.ts'
import type { DraftItem } from '../../../eval/recipes/item.ts'
import { type FixtureSet, fixtureSet, said } from './reviewed-set.ts'

// What is brought from elsewhere, and what is held to a fix.

const { signal } = new AbortController()
let made: FixtureSet
let folder: string
let items: DraftItem[]
beforeAll(async () => {
  made = await fixtureSet(6)
})
afterAll(() => made.remove())
beforeEach(() => {
  folder = mkdtempSync(join(made.folder, '..', 'set-'))
  cpSync(made.folder, folder, { recursive: true })
  items = structuredClone(made.items)
})

const json = <Value>(name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Value
const put = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
const benchmark = () => json<MadeSet>('benchmark.json')
const keep = (now: DraftItem[]) => put('made/kept.json', { items: now, flags: [], warnings: [] })
const open = (reviewer = 'anna') => openReview({ folder, reviewer, share: 0, signal })
const bring = (content: string, name = 'some.csv', reviewer = 'dora') => {
  writeFileSync(join(folder, name), content)
  return importVerdicts({ folder, file: join(folder, name), signal, ...(reviewer && { reviewer }) })
}
const lines = (...all: object[]) => all.map(line => `${JSON.stringify(line)}\n`).join('')
// Whose answer stands in no row, as a model may have let it pass.
function unattested(item: DraftItem): DraftItem {
  const answer = '109 pounds'
  return { ...item, answer, options: item.options!.map((option, at) => (at === item.right ? answer : option)) }
}

describe('a fix is held to', () => {
  test('no check that the making never put to the item', async () => {
    const set = await readReviewSet(folder)
    const adopted = { ...items[0]!, rows: [], clues: [], extra: { adopted: 'mlvu:1' } }
    const wish = (check: object) => ({ ...fixWish(set, signal), checks: [{ check: grounded, ...check }] })
    const fixed = { ...adopted, question: 'What, then, is the rent?' }
    const before = { ...adopted, rows: items[0]!.rows }
    expect(await faultOfFix(fixed, before, items, wish({}))).toMatch(/^grounded: /)
    expect(await faultOfFix(fixed, before, items, wish({ ofOwn: true }))).toBeUndefined()
    expect(await faultOfFix(fixed, before, items, wish({ holds: () => false }))).toBeUndefined()
  })

  test("the thresholds of the set's own options", async () => {
    put('benchmark.json', { ...benchmark(), recipe: 'videoeval-pro' })
    const wish = json<object>('made/request.json')
    put('made/request.json', { ...wish, recipe: 'videoeval-pro', options: ['minMinutes=1'] })
    const { recipe } = await readReviewSet(folder)
    expect(recipe.checks.find(({ check }) => check.name === 'duration')?.thresholds).toMatchObject({ seconds: 60 })
  })

  test('no words that stand in for a model which let the item pass, and no question that people dropped', async () => {
    const [one, two] = items as [DraftItem, DraftItem]
    const told = unattested(one)
    keep([told, ...items.slice(1)])
    const anna = await open()
    const question = one.question.replace('What is', 'Which is')
    await anna.asks.say(said(told, 'fix', { fixed: { question } }))
    const same = said(items[2]!, 'fix', { fixed: { question: two.question, options: two.options, right: two.right } })
    await expect(anna.asks.say(same)).rejects.toThrow(/does not pass the checks/)
    await anna.asks.say(said(two, 'drop'))
    await anna.asks.say(same)
    await anna.close()
    expect(benchmark().counts.kept).toBe(5)
  })

  test.each([
    ['an earlier', 2, 1],
    ['a later', 1, 2],
  ])('a question of its own: what %s one asks stays with that one', async (_, mine, others) => {
    const [own, other] = [items[mine]!, items[others]!]
    const { question, options, right } = other
    const fix = said(own, 'fix', { fixed: { question, options, right } })
    const anna = await open()
    await expect(anna.asks.say(fix)).rejects.toThrow(`duplicates: it says the same as ${other.id}`)
    const renamed = question.replace('What', 'How high')
    await anna.asks.say(said(other, 'fix', { fixed: { question: renamed } }))
    await anna.asks.say(fix)
    await anna.close()
    expect(benchmark().counts.kept).toBe(6)
    const asked = json<{ question: string }[]>('cgbench.json').map(one => one.question)
    expect(asked).toEqual(expect.arrayContaining([question, renamed]))
  })

  test('a change: an answer alone says nothing of a choice', async () => {
    const anna = await open()
    await expect(anna.asks.say(said(items[0]!, 'fix', { fixed: { answer: '42' } }))).rejects.toThrow(/changes nothing/)
    await anna.close()
  })
})

test('verdicts and fixes outlive the places of the options, which are dealt again where a question is gone', async () => {
  const [told, ...others] = [unattested(items[0]!), ...items.slice(1)]
  const options = told!.options!.map((option, at) => (at === told!.right ? '111 pounds' : option))
  keep([told!, ...others])
  const anna = await open()
  for (const item of others) await anna.asks.say(said(item, 'keep'))
  await anna.asks.say(said(told!, 'fix', { fixed: { options } }))
  const dealt = dealLetters([told!, ...others.slice(1)], 5)
  expect(dealt[0]!.right).not.toBe(told!.right)
  keep(dealt)
  await anna.close()
  expect(benchmark().reviewed).toMatchObject({ items: 5, stale: 1 })
  const rows = json<{ question: string; answer: string; choices: string[]; right_answer: string }[]>('cgbench.json')
  const row = rows.find(({ question }) => question === told!.question)
  expect([row?.answer, row?.choices['ABCDEFGH'.indexOf(row.right_answer)]]).toEqual(['111 pounds', '111 pounds'])
})

describe('bench review --import', () => {
  test('goes back to an earlier verdict, and knows what holds already', async () => {
    const [{ id }] = items as [DraftItem]
    const row = (verdict: string) => `item,verdict,reasons\n${id},${verdict},"; leak;"\n`
    expect(await bring(row('keep'))).toMatchObject({ imported: 1, known: 0, refused: [] })
    expect(await bring(row('drop'))).toMatchObject({ imported: 1 })
    expect(benchmark().counts.kept).toBe(5)
    expect(await bring(row('keep'))).toMatchObject({ imported: 1, known: 0 })
    expect(await bring(row('keep'))).toMatchObject({ imported: 0, known: 1 })
    expect(benchmark().counts.kept).toBe(6)
  })

  test('takes what was taken back, and orders by the time that lines say', async () => {
    const [one, two] = items as [DraftItem, DraftItem]
    const at = (minute: number) => ({ reviewer: 'ben', at: `2026-11-22T10:0${minute}:00Z` })
    const dropped = { ...said(one, 'drop'), ...at(1) }
    const { item, itemHash } = dropped as unknown as { item: string; itemHash: string }
    const undone = { item, itemHash, seconds: 0, reasons: [], verdict: 'undone', ...at(2) }
    const brought = lines(dropped, undone, { ...said(two, 'drop'), ...at(4) })
    expect(await bring(brought, 'ben.jsonl')).toMatchObject({ imported: 3, refused: [] })
    expect(await bring(brought, 'ben.jsonl')).toMatchObject({ imported: 0, known: 3 })
    expect(benchmark().reviewed).toMatchObject({ items: 1 })
    await bring(lines({ ...said(two, 'keep'), ...at(3) }), 'late.jsonl')
    expect(benchmark().counts.kept).toBe(5)
    const bad = await bring(lines({ ...said(two, 'keep'), reviewer: 'ben', at: 'yesterday' }), 'bad.jsonl')
    expect(bad.refused).toEqual([expect.stringMatching(/record 1: at must be a time/)])
  })

  test('refuses a damaged cell or an ill name with its line, and takes the others', async () => {
    const ids = items.map(({ id }) => id)
    const rows = [`${ids[0]},keep,12 s,anna`, `${ids[1]},keep,7,../x`, `${ids[2]},keep,,`, `${ids[3]},keep,9,anna`]
    const brought = await bring(`item,verdict,seconds,reviewer\n${rows.join('\n')}\n`, 'some.csv', '')
    expect(brought).toMatchObject({ imported: 1 })
    expect(brought.refused).toEqual([
      expect.stringMatching(/record 1: .*seconds/),
      expect.stringMatching(/record 2: The name of a reviewer must be/),
      expect.stringMatching(/record 3: The line names no reviewer/),
    ])
  })

  test('takes no more than 50 reviewers, whose pairs are all compared', async () => {
    const by = (count: number) =>
      lines(...Array.from({ length: count }, (_, n) => ({ item: items[0]!.id, verdict: 'keep', reviewer: `r${n}` })))
    await expect(bring(by(51), 'some.jsonl', '')).rejects.toThrow('51 reviewers; 50 are the most')
    expect(existsSync(join(folder, 'verdicts'))).toBe(false)
    expect(await bring(by(50), 'some.jsonl', '')).toMatchObject({ imported: 50 })
  })

  test('refuses a fix that is longer than its checks can read, and a folder', async () => {
    const fixed = { question: `What is ${'x'.repeat(1e6)}?` }
    const brought = await bring(lines({ item: items[0]!.id, verdict: 'fix', fixed }), 'some.jsonl')
    expect(brought.refused).toEqual([expect.stringMatching(/record 1: .*4000/)])
    await expect(importVerdicts({ folder, file: folder, signal, reviewer: 'dora' })).rejects.toThrow('is a folder')
  })

  test('refuses objects that are no text where names stand', async () => {
    const [one] = items
    const odd = { toString: 1 }
    const brought = await bring(
      lines({ item: one!.id, verdict: 'keep', reviewer: odd }, { item: odd, verdict: 'keep', reviewer: 'anna' }),
      'some.jsonl',
      '',
    )
    expect(brought.refused).toEqual([
      expect.stringMatching(/record 1: reviewer must be a name/),
      expect.stringMatching(/record 2: .*item/),
    ])
  })
})

test.each(['../../private.mp4', '..', 'a/b.mp4', ''])('a video called "%s" is no video of a set', async name => {
  put('videos.json', [{ name, bytes: 1, sha256: 'x', duration: 12 }])
  await expect(reviewVideos(await readReviewSet(folder))).rejects.toThrow(/videos\.json is damaged: 0\.name/)
})
