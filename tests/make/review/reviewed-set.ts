import { join } from 'node:path'
import { loadRecipe } from '../../../eval/make/load-recipe.ts'
import type { Rejected } from '../../../eval/make/machine/run-checks.ts'
import { itemHash } from '../../../eval/make/review/verdict.ts'
import { dealLetters } from '../../../eval/make/set/deal-letters.ts'
import { writeInto, writeSet } from '../../../eval/make/set/write-set.ts'
import type { DraftItem, SourceRecord, SourceRow } from '../../../eval/recipes/item.ts'
import { readOptions } from '../../../eval/runner/options.ts'
import { h264, mediaFolder, picture } from '../../media-fixtures.ts'

// A made set of CG-Bench's form with two short videos, one of which no browser plays, as its making leaves it.

const seconds = 12
const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'ri']
const nameOf = (n: number) =>
  `${syllables[n % 8]}${syllables[(n >> 3) % 8]}nor`.replace(/^./, sign => sign.toUpperCase())
const pounds = (n: number) => `${100 + 7 * n} pounds`

function itemOf(n: number): DraftItem {
  const video = n % 2 === 0 ? 'talk' : 'walk'
  const options = [3, 1, 0, 2, 4].map(other => pounds(n + 100 * other))
  return {
    ...{
      id: `${video}_q${String(n).padStart(2, '0')}`,
      video,
      kind: n % 3 === 0 ? 'Time Perception' : 'Text Perception',
    },
    ...{ question: `What is the rent of ${nameOf(n)} Hall?`, answer: pounds(n), options, right: 2 },
    ...{ clues: [[n % 8, (n % 8) + 3]], rows: [`r${n}`], extra: { level3: 'Text Recognition' } },
  }
}

export interface FixtureSet {
  folder: string
  items: DraftItem[]
  remove(): void
}

interface More {
  options?: string[]
  findClues?(n: number): DraftItem['clues']
}

export async function fixtureSet(count: number, { options = [], findClues }: More = {}): Promise<FixtureSet> {
  const media = mediaFolder()
  const talk = media.ffmpeg('talk.mp4', picture(seconds, '160x90'), h264)
  const walk = media.ffmpeg('walk.avi', picture(seconds, '160x90'), '-c:v mpeg4')
  const folder = media.path('set')
  const all = Array.from({ length: count }, (_, n) => ({ ...itemOf(n), ...(findClues && { clues: findClues(n) }) }))
  const drafts = all.sort((a, b) => (a.id < b.id ? -1 : 1))
  const items = dealLetters(drafts, 1)
  const rows = items.map(({ rows: [id = ''], clues: [[start, end] = [0, 1]], question, answer }): SourceRow => {
    const text = `${question.split(' ').at(-2)} Hall\nrent: ${answer}`
    return { id, track: 'text', span: { start, end }, text, confidence: 0.95 }
  })
  const records = ['talk', 'walk'].map((video): SourceRecord => {
    const own = rows.filter(({ id }) => items.some(item => item.video === video && item.rows.includes(id)))
    return {
      ...{ video_id: video, video: video === 'talk' ? 'talk.mp4' : 'walk.avi', segments: [], meta: {}, rows: own },
      statistics: { segments: 0, duration: seconds, fps: 25, frames: 25 * seconds, rows: own.length },
    }
  })
  for (const record of records)
    await writeInto(folder, `made/source/${record.video_id}.json`, `${JSON.stringify(record)}\n`)
  const wish = {
    format: 1 as const,
    recipe: 'cg-bench',
    from: [talk, walk],
    seed: 1,
    options: ['minMinutes=0', ...options],
    exclude: [],
  }
  await writeInto(folder, 'made/request.json', JSON.stringify(wish))
  const flag: Rejected = {
    item: items.at(-1)!.id,
    video: items.at(-1)!.video,
    check: 'clue',
    k: 12,
    detail: 'it stands elsewhere too',
  }
  const recipe = await loadRecipe('cg-bench')
  await writeSet({
    ...{ folder, recipe, wish, settings: readOptions(recipe, wish.options), items, drafted: count + 1 },
    sources: {
      records,
      videos: [talk, walk].map(path => {
        const name = path.split('/').at(-1) as string
        return { id: name.replace(/\..*/, ''), path, name, bytes: 1, sha256: name, duration: seconds }
      }),
    },
    rejected: [{ item: 'talk_q99', video: 'talk', check: 'leak', detail: 'it tells' }],
    checks: { flags: [flag], warnings: [], notRun: [], accuracy: {} },
    models: { author: [], look: [], listen: [], blind: [], glance: [], check: [], judge: [] },
    copy: true,
    signal: new AbortController().signal,
  })
  return { folder, items, remove: media.remove }
}

// What a reviewer's page would send.
export function said(item: DraftItem, verdict: 'keep' | 'fix' | 'drop', more: object = {}): Record<string, unknown> {
  return {
    item: item.id,
    itemHash: itemHash(item),
    seconds: 10,
    answered: item.options?.[item.right ?? 0],
    verdict,
    ...more,
  }
}

export const annotations = (folder: string) => join(folder, 'cgbench.json')
