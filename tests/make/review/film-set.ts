import { writeQuestions } from '../../../eval/benchmarks/infinibench/recipe/questions.ts'
import { loadRecipe } from '../../../eval/make/load-recipe.ts'
import type { EventMark } from '../../../eval/make/review/verdict.ts'
import { dealLetters } from '../../../eval/make/set/deal-letters.ts'
import { writeInto, writeSet } from '../../../eval/make/set/write-set.ts'
import type { DraftItem, SourceRecord } from '../../../eval/recipes/item.ts'
import { h264, mediaFolder, picture } from '../../media-fixtures.ts'
import type { FixtureSet } from './reviewed-set.ts'

// A made set of InfiniBench's form on a film of four scenes, and when everything in it happens.

const duration = 100
type When = [text: string, start: number, end: number]
export const events: When[] = [
  ['Omar paints the ferry', 10, 14],
  ['the cat breaks a jug', 30, 34],
  ['somebody loses a letter', 50, 54],
  ['the gate falls shut', 70, 74],
]
export const places: When[] = [
  ['harbour', 0, 25],
  ['kitchen', 25, 45],
  ['station', 45, 65],
  ['garden', 65, 90],
]
export const actions: When[] = [
  ['ties a rope', 5, 8],
  ['bakes a cake', 35, 38],
  ['misses the train', 55, 58],
  ['plants a tree', 80, 83],
]

export const timesOf = (list: readonly When[]): Record<string, EventMark> =>
  Object.fromEntries(list.map(([text, start, end]) => [text, [[start, end]]]))

const entriesOf = (list: readonly When[]) => list.map(([text, start]) => ({ text, rows: [`r${start}`] }))

export async function filmSet(): Promise<FixtureSet> {
  const media = mediaFolder()
  const path = media.ffmpeg('film.mp4', picture(duration, '64x36'), h264)
  const folder = media.path('set')
  const rows = [...events, ...places, ...actions].map(([text, start, end]) => ({
    ...{ id: `r${start}`, track: 'caption' as const, span: { start, end } },
    text: `Ida ${text}`,
  }))
  const record: SourceRecord = {
    ...{ video_id: 'film', video: 'film.mp4', segments: [], meta: {}, rows },
    statistics: { segments: 0, duration, fps: 25, frames: 25 * duration, rows: rows.length },
  }
  const recipe = await loadRecipe('infinibench')
  const drafts = writeQuestions(
    record,
    [
      { list: 'events', entries: entriesOf(events) },
      { list: 'places', entries: entriesOf(places) },
      { list: 'actions', people: [{ name: 'Ida', entries: entriesOf(actions) }] },
      { list: 'deep', asked: [{ question: 'Why is the jug broken?', answer: 'The cat breaks a jug.', rows: ['r30'] }] },
    ],
    6,
    1,
  )
  const items = dealLetters(
    drafts.map((draft, at): DraftItem => ({ id: `film_q${String(at + 1).padStart(3, '0')}`, video: 'film', ...draft })),
    1,
  )
  const wish = { format: 1 as const, recipe: 'infinibench', from: [path], seed: 1, options: [], exclude: [] }
  await writeInto(folder, 'made/source/film.json', `${JSON.stringify(record)}\n`)
  await writeInto(folder, 'made/request.json', JSON.stringify(wish))
  await writeSet({
    ...{ folder, recipe, wish, settings: recipe.settings.parse({}), items, drafted: items.length, rejected: [] },
    sources: {
      records: [record],
      videos: [{ id: 'film', path, name: 'film.mp4', bytes: 1, sha256: 'film', duration }],
    },
    checks: { flags: [], warnings: [], notRun: [], accuracy: {} },
    models: { author: [], look: [], listen: [], blind: [], glance: [], check: [], judge: [] },
    copy: true,
    signal: new AbortController().signal,
  })
  return { folder, items, remove: media.remove }
}
