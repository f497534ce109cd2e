import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MadeSet } from '../../../eval/data/benchmark-json.ts'
import { withOthers } from '../../../eval/make/review/apply-review.ts'
import { importVerdicts } from '../../../eval/make/review/import-verdicts.ts'
import { openReview, type Review } from '../../../eval/make/review/open-review.ts'
import { listFlags, readReviewSet } from '../../../eval/make/review/review-set.ts'
import { itemView } from '../../../eval/make/review/view.ts'
import type { DraftItem } from '../../../eval/recipes/item.ts'
import { madeData } from '../../../eval/runner/bench-parts.ts'
import { commandLine } from '../../support/command-line.ts'
import { annotations, type FixtureSet, fixtureSet, said } from './reviewed-set.ts'

const { signal } = new AbortController()
let made: FixtureSet
let set: Pick<FixtureSet, 'folder' | 'items'>
beforeAll(async () => {
  made = await fixtureSet(20)
})
afterAll(() => made.remove())
beforeEach(() => {
  const folder = mkdtempSync(join(made.folder, '..', 'set-'))
  cpSync(made.folder, folder, { recursive: true })
  set = { folder, items: made.items }
})

const open = (reviewer: string, share = 0.2) => openReview({ folder: set.folder, reviewer, share, signal })
const read = (name: string) => readFileSync(join(set.folder, name), 'utf8')
const benchmark = () => JSON.parse(read('benchmark.json')) as MadeSet
const asked = () =>
  (JSON.parse(readFileSync(annotations(set.folder), 'utf8')) as { question: string }[]).map(one => one.question)
const itemOf = (id: string) => set.items.find(item => item.id === id) as DraftItem

// Says the same of everything that this reviewer is given, or as `verdict` says; returns the ids in order.
async function sayAll(
  review: Review,
  verdict: (item: DraftItem) => Record<string, unknown>,
  max = 100,
): Promise<string[]> {
  const seen: string[] = []
  for (let step = await review.asks.next({}); step.item && seen.length < max; step = await review.asks.next({})) {
    await review.asks.say(verdict(itemOf(step.item.id)))
    seen.push(step.item.id)
  }
  return seen
}

describe('the queue', () => {
  test('begins with what is flagged, then goes by the seed; a second reviewer gets the share for two and nothing else', async () => {
    const anna = await open('anna')
    const first = await sayAll(anna, item => said(item, 'keep'))
    expect(first).toHaveLength(20)
    expect(first[0]).toBe(set.items.find(({ id }) => id === 'walk_q19')?.id)
    expect(first.slice(1)).not.toEqual([...first.slice(1)].sort())
    const ben = await open('ben')
    const second = await sayAll(ben, item => said(item, 'keep'))
    expect(second).toHaveLength(4)
    await Promise.all([anna.close(), ben.close()])
    expect(benchmark().reviewed).toMatchObject({ items: 20, twice: 4, of: 20 })
  })

  test('gives two people at once different items, keeps all they say in files of their own, and one name to one person', async () => {
    const [anna, ben] = [await open('anna', 0), await open('ben', 0)]
    await expect(open('anna')).rejects.toThrow(/Somebody reviews this set as anna/)
    const seen = await Promise.all([anna, ben].map(review => sayAll(review, item => said(item, 'keep'))))
    expect(seen.flat().sort()).toEqual(set.items.map(({ id }) => id).sort())
    expect(read('verdicts/anna.jsonl').split('\n')).toHaveLength(seen[0]!.length + 1)
    expect(read('verdicts/ben.jsonl').split('\n')).toHaveLength(seen[1]!.length + 1)
    await Promise.all([anna.close(), ben.close()])
    expect(benchmark().reviewed).toMatchObject({ items: 20, twice: 0 })
  })

  test('brings an item back that has changed since, and one that was taken back', async () => {
    const anna = await open('anna')
    const seen = await sayAll(anna, item => said(item, 'keep'))
    const { item } = await anna.asks.undo()
    expect(item).toMatchObject({ id: seen.at(-1), before: { verdict: 'keep' } })
    await anna.close()
    expect(benchmark().reviewed).toMatchObject({ items: 19, stale: 0 })
    const kept = JSON.parse(read('made/kept.json')) as { items: DraftItem[] }
    kept.items[0]!.question += ' Say it.'
    writeFileSync(join(set.folder, 'made/kept.json'), JSON.stringify(kept))
    const again = await open('anna')
    const { left } = await again.asks.next({})
    expect(left).toBe(kept.items[0]!.id === seen.at(-1) ? 1 : 2)
    const stale = said(itemOf(kept.items[0]!.id), 'keep')
    await expect(again.asks.say(stale)).rejects.toThrow(/has changed since it was shown/)
    await again.close()
    expect(benchmark().reviewed.stale).toBe(1)
  })

  test('is narrowed by type and by flag', async () => {
    const anna = await open('anna')
    expect((await anna.asks.next({ flagged: true })).item?.id).toBe('walk_q19')
    const kind = 'Time Perception'
    expect((await anna.asks.next({ kind })).item?.kind).toBe(kind)
    await anna.close()
  })
})

test('questions of a type that goes wrong most are flagged, and a set that does not say what to review is refused', async () => {
  const read = await readReviewSet(set.folder)
  const recipe = { ...read.recipe, rules: { lookFirst: ['Time Perception'] } }
  const flagged = read.items.filter(item => listFlags({ flags: [], recipe }, item).length > 0)
  expect(flagged).toEqual(read.items.filter(({ kind }) => kind === 'Time Perception'))
  rmSync(join(set.folder, 'made/records.jsonl'))
  await expect(open('anna')).rejects.toThrow(/records.jsonl of .* is not there or damaged/)
})

describe('what people said', () => {
  test('is kept where all keep; one drop is a matter for a third, and stands until then', async () => {
    const [anna, ben] = [await open('anna', 1), await open('ben', 1)]
    const target = set.items[3]!.id
    await sayAll(anna, item =>
      said(item, item.id === target ? 'drop' : 'keep', item.id === target ? { reasons: ['ambiguous'] } : {}),
    )
    await sayAll(ben, item => said(item, 'keep'))
    await Promise.all([anna.close(), ben.close()])
    expect(asked()).not.toContain(itemOf(target).question)
    expect(benchmark().counts).toMatchObject({ kept: 19, drafted: 21, rejected: { leak: 1, review: 1 } })
    expect(benchmark().reviewed).toMatchObject({ reasons: { ambiguous: 1 }, items: 20, twice: 20 })
    const third = await open('cleo', 1)
    expect(await sayAll(third, item => said(item, 'keep'))).toEqual([target])
    await third.close()
    expect(asked()).toContain(itemOf(target).question)
    expect(benchmark().counts).toMatchObject({ kept: 20, rejected: { leak: 1 } })
  })

  test('has the kappa and the human row of the formulas', async () => {
    const [anna, ben] = [await open('anna', 1), await open('ben', 1)]
    const place = (item: DraftItem) => set.items.indexOf(item)
    // Both keep 10, both drop 4, anna alone drops 2, ben alone 4: p = 14/20, chance (14 * 12 + 6 * 8) / 400.
    await sayAll(anna, item => said(item, place(item) < 6 ? 'drop' : 'keep', { clues: [[0, 4]] }))
    await sayAll(ben, item =>
      said(item, (place(item) >= 2 && place(item) < 6) || place(item) > 15 ? 'drop' : 'keep', {
        answered: place(item) < 5 ? 'nothing of it' : item.options?.[item.right ?? 0],
        clues: [[2, 4]],
      }),
    )
    await Promise.all([anna.close(), ben.close()])
    const { reviewed } = benchmark()
    expect(reviewed.kappa).toBeCloseTo((0.7 - 0.54) / (1 - 0.54), 12)
    expect(reviewed.clueIoU).toBeCloseTo(0.5, 12)
    expect(reviewed.human).toMatchObject({ answered: 40, right: 35, accuracy: 87.5, marked: 40 })
    expect(reviewed.humanOfSet).toMatchObject({ answered: 20, marked: 20 }) // neither is there what somebody dropped
    expect((await madeData(set.folder))?.people).toEqual(reviewed.humanOfSet)
    expect(reviewed.seconds).toBe(400)
    const card = read('README.md')
    expect(card).toContain('kappa of 0.35 on 20 questions, below 0.6')
    expect(card).toContain('- Human row: 100.0 % (20 of 20) before the key was seen')
    expect(card).toContain('- Reviewed: 20 of 20')
    expect(card).toContain('- The released tools read only videos that end in .mp4, and not walk.avi.')
    expect(card).not.toContain('Unreviewed draft')
    expect(card).toContain('| all | 20 | 10 | 0 | 10 | 0 | 50.00 % |')
  })

  test('is a fix only where the fixed text passes the checks, and the set then holds it', async () => {
    const anna = await open('anna')
    const item = set.items[0]!
    const leaks = said(item, 'fix', { fixed: { question: `Is the rent ${item.answer}?` } })
    await expect(anna.asks.say(leaks)).rejects.toThrow(/leak: its question holds the answer/)
    await expect(anna.asks.say(said(item, 'fix'))).rejects.toThrow(/a fix must hold what is fixed/)
    const question = item.question.replace('What is', 'Which is')
    await anna.asks.say(said(item, 'fix', { fixed: { question }, reasons: ['language'] }))
    await anna.close()
    expect(asked()).toContain(question)
    expect(asked()).not.toContain(item.question)
    expect(benchmark().reviewed.outcomes?.[item.kind]).toMatchObject({ fixed: 1 })
  })

  test('takes a doubt of the checks out of the card with the question that it is about', async () => {
    const doubt = '- walk\\_q19: clue: it stands elsewhere too' // as the door of Markdown writes names
    expect(read('README.md')).toContain(doubt)
    const anna = await open('anna')
    await sayAll(anna, item => said(item, item.id === 'walk_q19' ? 'drop' : 'keep'))
    await anna.close()
    expect(benchmark().counts.kept).toBe(19)
    expect(read('README.md')).not.toContain(doubt)
  })

  test('counts only what somebody has seen as reviewed, and nobody has seen a set without verdicts', async () => {
    const before = [read('cgbench.json'), read('README.md'), read('benchmark.json')]
    await (await open('anna')).close()
    expect([read('cgbench.json'), read('README.md'), read('benchmark.json')]).toEqual(before)
    const anna = await open('anna')
    await sayAll(anna, item => said(item, 'keep'), 3)
    await anna.close()
    expect(benchmark().reviewed).toMatchObject({ items: 3, of: 20 })
    expect(read('README.md')).toContain('- Reviewed: 3 of 20')
    expect(await madeData(set.folder)).toMatchObject({
      reviewed: 3,
      of: 20,
      people: { answered: 3, right: 3, marked: 0 },
    })
    expect(read('cgbench.json')).toBe(before[0])
  })
})

test('a question whose turns stand before it is shown with them, and goes where one of its conversation is dropped', async () => {
  const whole = await readReviewSet(set.folder)
  const recipe = { ...whole.recipe, rules: { ...whole.recipe.rules, together: 'level3' } }
  const [first, second] = whole.items
  expect(itemView(second!, { ...whole, recipe }).turns).toEqual([first!.question, first!.answer])
  expect(itemView(second!, whole).turns).toEqual([])
  const kept = { is: 'kept' as const }
  const dropped = { is: 'dropped' as const, reasons: ['leak'] }
  const settled = whole.items.map(item => ({ item, outcome: item === second ? dropped : kept }))
  const left = (rules: typeof whole.recipe) =>
    withOthers(settled, { ...whole, recipe: rules }).filter(({ outcome }) => outcome.is !== 'dropped').length
  expect([left(recipe), left(whole.recipe)]).toEqual([0, 19])
})

describe('bench review --import', () => {
  test('takes CSV and JSON lines as the page writes them, once, and names what it refuses', async () => {
    const [one, two, three] = set.items.map(({ id }) => id)
    const line = commandLine()
    writeFileSync(
      join(line.cwd, 'ben.csv'),
      `item,verdict,reasons,note\n${one},drop,"trivial, leak",too easy\n${two},keep,,\nnobody,keep,,\n${three},maybe,,\n`,
    )
    const csv = await line.run('bench', 'review', set.folder, '--import', 'ben.csv', '--as', 'ben')
    expect(csv.code).toBe(6)
    expect(csv.stdout).toContain('2 verdicts taken, 2 refused.')
    expect(csv.stdout).toMatch(/record 3: There is no item "nobody"/)
    expect(csv.stdout).toMatch(/record 4: verdict: /)
    expect(benchmark().reviewed).toMatchObject({ items: 2, reasons: { leak: 1, trivial: 1 } })
    const lines = set.items
      .slice(2)
      .map(item => JSON.stringify({ ...said(item, 'keep'), reviewer: 'cleo', at: '2026-11-22T10:00:00Z' }))
    writeFileSync(join(line.cwd, 'cleo.jsonl'), `${lines.join('\n')}\n`)
    const again = async () => (await line.run('bench', 'review', set.folder, '--import', 'cleo.jsonl')).stdout
    expect(await again()).toContain('18 verdicts taken, 0 refused.')
    expect(await again()).toContain('0 verdicts taken, 18 known before, 0 refused.')
    expect(benchmark().reviewed.items).toBe(20)
  })

  test('asks who it was, where neither the file nor --as says it', async () => {
    const file = join(set.folder, 'some.csv')
    writeFileSync(file, `item,verdict\n${set.items[0]!.id},keep\n`)
    await expect(importVerdicts({ folder: set.folder, file, signal })).rejects.toThrow(/names no reviewer/)
  })
})
