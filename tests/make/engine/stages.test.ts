import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkSet } from '../../../eval/make/check-set.ts'
import { loadRecipe } from '../../../eval/make/load-recipe.ts'
import { type ChecksWish, checkGiven, runChecks } from '../../../eval/make/machine/run-checks.ts'
import { runMakeStage } from '../../../eval/make/machine/run-stage.ts'
import { dealLetters } from '../../../eval/make/set/deal-letters.ts'
import { writeSet } from '../../../eval/make/set/write-set.ts'
import { readSourceRecords } from '../../../eval/make/source/read-source.ts'
import type { MadeModels } from '../../../eval/recipes/author.ts'
import { form } from '../../../eval/recipes/checks/form.ts'
import { shallow } from '../../../eval/recipes/checks/shallow.ts'
import type { DraftItem, SourceRecord } from '../../../eval/recipes/item.ts'
import type { MakeStage } from '../../../eval/recipes/recipe.ts'
import { placeFile } from '../../../src/store/place-file.ts'
import { clean, records } from '../checks/fixture.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-stages-'))
  mkdirSync(join(folder, 'made', 'source'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const talk = records.talk as SourceRecord
const signal = new AbortController().signal
const nobody: MadeModels = { author: [], look: [], listen: [], blind: [], glance: [], check: [], judge: [] }

test('a changed prompt makes its own stage again, and none before it', async () => {
  const made: string[] = []
  const stage = (name: string, prompt: string): MakeStage => ({
    ...{ name, version: '1', prompts: { write: prompt }, calls: () => 1 },
    units: ({ video_id }) => [1, 2, 3].map(at => ({ unit: `${video_id}/${at}`, input: at })),
    async make({ unit, input }) {
      made.push(`${name} ${unit}`)
      return { calls: [], tries: 1, output: { ...(clean[Number(input)] as DraftItem), id: unit, question: prompt } }
    },
  })
  const all = Object.values(records)
  const run = async (last: string, version = '1') => {
    made.length = 0
    for (const [at, one] of [stage('plots', 'Tell plots.'), stage('questions', last)].entries()) {
      const before = new Map(all.map(({ video_id }) => [video_id, {}]))
      const common = {
        records: all,
        before,
        media: { frames: async () => [], sounds: async () => [] },
        settings: {},
        seed: 1,
        author: { by: 'rules' } as const,
        concurrency: 1,
        signal,
      }
      await runMakeStage({ stage: one, recipe: { name: 'r', version }, place: at + 2, folder, ...common })
    }
    return [...made]
  }
  const questions = ['talk/1', 'talk/2', 'talk/3', 'walk/1', 'walk/2', 'walk/3'].map(unit => `questions ${unit}`)
  expect(await run('Ask.')).toHaveLength(12)
  expect(await run('Ask.')).toEqual([])
  expect(await run('Ask kindly.')).toEqual(questions)
  expect(await run('Ask kindly.', '2')).toHaveLength(12)
})

function wish(checks: ChecksWish['checks'], said: string[] = []): ChecksWish {
  return {
    ...{ checks, rules: {}, place: 3, folder, records: [talk], models: nobody, frames: async () => [] },
    ...{ recipe: { name: 'r', version: '1' }, seed: 1, signal, before: async () => {} },
    deal(items) {
      said.push(`dealt ${items.length}`)
      return dealLetters(items, 1)
    },
  }
}

test('whether a set can be guessed is judged as it will be: after all filters, with its letters dealt', async () => {
  const asDrafted = clean.slice(0, 24).map(item => {
    const others = (item.options ?? []).filter(option => option !== item.answer)
    return { ...item, options: [item.answer, ...others], right: 0 } // as drafts of rules may be
  })
  const said: string[] = []
  const both = [{ check: shallow }, { check: form, thresholds: { words: 8 } }]
  const { kept, rejected, isGuessable, warnings } = await runChecks(wish(both, said), asDrafted)
  expect(rejected.length).toBeGreaterThan(0)
  expect(said).toEqual([`dealt ${24 - rejected.length}`])
  const counts = [0, 1, 2, 3].map(place => kept.filter(({ right }) => right === place).length)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  expect([isGuessable, warnings]).toEqual([false, []])
  const longest = asDrafted.map(item => ({
    ...item,
    options: [`${item.answer} and so on`, ...item.options.slice(1)],
    answer: `${item.answer} and so on`,
  }))
  expect((await runChecks(wish([{ check: shallow }]), longest)).isGuessable).toBe(true)
  expect(said).toHaveLength(1)
  expect((await runChecks(wish([], said), asDrafted)).kept).toEqual(dealLetters(asDrafted, 1))
})

test('what guesses right in the making is what "bench check" counts on the set that came of it', async () => {
  const recipe = await loadRecipe('cg-bench')
  const drafts = ['talk', 'walk'].flatMap(video =>
    clean.flatMap(({ id, options = [], ...item }) => {
      const others = options.filter(option => option !== item.answer)
      const own = { id: `${video}_${id}`, video, kind: 'Text Perception', options: [item.answer, ...others], right: 0 }
      return others.length > 0 ? [{ ...item, ...own }] : []
    }),
  )
  const both = [talk, records.walk as SourceRecord]
  const checked = await runChecks({ ...wish([{ check: shallow }]), records: both }, drafts)
  expect(checked.warnings).toEqual([expect.stringContaining('The solver "frequent" is right in')])
  const video = (id: string) => {
    writeFileSync(join(folder, `${id}-source.mp4`), id)
    return { id, path: join(folder, `${id}-source.mp4`), name: `${id}.mp4`, bytes: 4, sha256: id, duration: 600 }
  }
  const made = { format: 1 as const, recipe: 'cg-bench', from: [], seed: 1, options: [], exclude: [] }
  const set = join(folder, 'set')
  const toSet = {
    ...{ folder: set, recipe, wish: made, settings: recipe.settings.parse({}), items: checked.kept },
    ...{ drafted: drafts.length, rejected: [], checks: checked, models: nobody, copy: true, signal },
    sources: { records: both, videos: both.map(({ video_id }) => video(video_id)) },
  }
  await writeSet(toSet)
  const found = (await checkSet({ path: set }, signal)).checks.find(({ name }) => name === 'shallow')
  expect(found?.warnings).toEqual(checked.warnings)
  expect(found?.found).toHaveLength(checked.flags.length)
  // As drafted, with every right answer first, the solvers find others: the count is that of the dealt set.
  expect(shallow.warnings?.(drafts, checkGiven({ ...wish([]), records: both }, { check: shallow }))).not.toEqual(
    found?.warnings,
  )
  // A damaged benchmark.json stops the next writing, and what its error says lets it go on.
  const own = join(set, 'benchmark.json')
  const whole = readFileSync(own, 'utf8')
  writeFileSync(own, whole.slice(0, 50))
  await expect(writeSet(toSet)).rejects.toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`${own} is damaged`),
      hint: expect.stringContaining(`Remove it and make the set again: longtake bench make --resume ${set}.`),
    }),
  )
  rmSync(own)
  await writeSet(toSet)
  expect(readFileSync(own, 'utf8')).toBe(whole)
})

test('how well a model does is told of what it was asked, and of what all filters left of that', async () => {
  const drafts = clean.slice(0, 4).map(item => ({ ...item, kind: 'one' }))
  const filter = (name: string, rights: number[], out: number): ChecksWish['checks'][number] => ({
    check: {
      ...{ k: 0, name },
      run: async items =>
        items.map(({ id }) => {
          const at = drafts.findIndex(draft => draft.id === id)
          return { item: id, outcome: at === out ? 'reject' : 'pass', right: rights[at] ?? 0 }
        }),
    },
  })
  const both = [filter('metadata only', [1, 1, 0, 0], 0), filter('subtitles only', [1, 1, 1, 0], 1)]
  const { accuracy } = await runChecks(wish(both), drafts)
  expect(accuracy).toEqual({
    'metadata only': { one: { asked: 4, before: 50, kept: 2, after: 0 } },
    'subtitles only': { one: { asked: 3, before: expect.closeTo(66.67, 1), kept: 2, after: 50 } },
  })
})

test('a filter that a judge helps is run again where the judge is another', async () => {
  let runs = 0
  const pass = (items: readonly DraftItem[]) => items.map(({ id }) => ({ item: id, outcome: 'pass' as const }))
  const check = {
    ...{ k: 8, name: 'blind', role: 'blind' as const, judged: () => 1 },
    run: async (items: readonly DraftItem[]) => {
      runs++
      return pass(items)
    },
  }
  const model = (id: string) => [{ id, identity: { id } }] as unknown as MadeModels['judge']
  const judgedBy = (judge: MadeModels['judge']) =>
    runChecks({ ...wish([{ check }]), models: { ...nobody, blind: model('b'), judge } }, clean.slice(0, 3))
  await judgedBy([])
  await judgedBy([])
  expect(runs).toBe(1)
  await judgedBy(model('j'))
  expect(runs).toBe(2)
})

test('a question of cg-bench may name a time of the clock where its type is about time', async () => {
  const { rules } = await loadRecipe('cg-bench')
  const item = (kind: string): DraftItem => ({ ...(clean[0] as DraftItem), kind, question: 'What is said at 0:05?' })
  const own = { seed: 1, rules, thresholds: {}, signal, record: () => talk, models: () => [], frames: async () => [] }
  const outcomes = await form.run([item('Time Perception'), { ...item('Text Perception'), id: 'other' }], own)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['pass', 'again'])
})

test('records are read in the order of their videos, not of their file names', async () => {
  for (const id of ['talk-b', 'talk'])
    writeFileSync(join(folder, 'made', 'source', `${id}.json`), JSON.stringify({ ...talk, video_id: id }))
  expect((await readSourceRecords(folder)).map(({ video_id }) => video_id)).toEqual(['talk', 'talk-b'])
})

test('a link leads to its file from where its folder really is, and a copy that fails leaves what was there', async () => {
  const video = join(folder, 'video.mp4')
  writeFileSync(video, 'pictures')
  mkdirSync(join(folder, 'far', 'away', 'set'), { recursive: true })
  symlinkSync(join(folder, 'far', 'away', 'set'), join(folder, 'near'))
  await placeFile(video, join(folder, 'near', 'v.mp4'), 'link')
  expect(readFileSync(join(folder, 'far', 'away', 'set', 'v.mp4'), 'utf8')).toBe('pictures')
  const copy = join(folder, 'copy.mp4')
  await placeFile(video, copy, 'copy')
  await expect(placeFile(join(folder, 'far'), copy, 'copy')).rejects.toThrow()
  expect(readFileSync(copy, 'utf8')).toBe('pictures')
})
