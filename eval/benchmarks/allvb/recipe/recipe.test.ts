import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SightBrief } from '../../../../src/core/brief.ts'
import type { ChatRequest } from '../../../../src/core/chat.ts'
import type { Author } from '../../../recipes/author.ts'
import type { DraftItem, SourceRecord } from '../../../recipes/item.ts'
import { pagesIn, textRows } from '../../../recipes/texts.ts'
import { allvbRecords } from '../record.ts'
import { type Batch, detailsStage } from './draft.ts'
import allvb from './index.ts'
import { scriptFault, splitPages } from './pages.ts'
import { questionsStage } from './questions.ts'
import { type Plots, plotsFault, type Stretch, subPlotsFault, withShares } from './segmentation.ts'
import { drawTemplates, ownTemplates, readTemplates, taskLabel } from './templates.ts'

const seven = ['SR', 'ODT', 'AR', 'TAL', 'ED', 'VCap', 'VER']
const record = (more: Partial<SourceRecord> = {}): SourceRecord => ({
  video_id: 'film',
  video: 'film.mp4',
  segments: [],
  rows: [],
  meta: {},
  statistics: { segments: 0, duration: 600, fps: 25, frames: 15_000, rows: 0 },
  ...more,
})
const author = { by: 'chat/x', model: {} } as unknown as Author
const settings = { minMinutes: 0, perVideo: 20, segments: 'covering' as const }

function batchOf(templates: readonly string[], scope: Batch['scope'], without?: string): Batch {
  const questions = templates
    .filter(name => name !== without)
    .map(template => ({
      template,
      question: `In the scene by the river, what of ${template}?`,
      reasoning: 'it is seen',
      answer: 'B' as const,
      options: ['one boat', 'two boats', 'three boats', 'four boats', 'five boats'],
    }))
  return { scope, templates: [...templates], questions, rows: ['P#1'], clues: [] }
}

describe('counts', () => {
  test.each([1, 5, 12, 20])(
    '21 + 14 n questions for %i sub-plots, and a lacking one is listed by its template',
    async n => {
      const film = batchOf(ownTemplates.filter(({ task }) => task === 'VC').map(taskLabel), 'film')
      const drawn = Array.from({ length: n }, (_, at) => drawTemplates(undefined, 3, 'film', at).map(taskLabel))
      const lacking = drawn[0]![3]!
      const scenes = drawn.map((names, at) => batchOf(names, 'scene', at === 0 ? lacking : undefined))
      const details = Array.from({ length: 10 }, (_, at) => batchOf([`NH: Part ${at + 1}`], 'detail'))
      const made = (batches: Batch[]) => batches.map(output => ({ unit: 'x', output }))
      const before = { film: made([film]), scenes: made(scenes), details: made(details) }
      const given = { settings, seed: 3, author, before }
      const units = questionsStage.units(record(), given)
      expect(units).toHaveLength(21 + 14 * n)
      const work = {
        ...given,
        record: record(),
        earlier: [],
        prompts: {},
        frames: async () => [],
        sounds: async () => [],
      }
      const results = await Promise.all(units.map(unit => questionsStage.make(unit, work)))
      const drafts = results.flatMap(one => ('output' in one ? [one.output] : []))
      expect(drafts).toHaveLength(20 + 14 * n)
      expect(results.flatMap(one => ('rejected' in one ? [one.rejected.detail] : []))).toEqual([
        `no question for ${lacking}: none came`,
      ])
      for (const task of seven) expect(drafts.filter(({ kind }) => kind === task).length).toBeLessThanOrEqual(2 * n)
      expect(new Set(drafts.map(({ id }) => id)).size).toBe(drafts.length)
    },
  )
})

describe('templates', () => {
  test('there are 81 with the names of the paper, in its numbers', () => {
    const count = (task: string) => ownTemplates.filter(one => one.task === task).length
    expect(['VC', ...seven].map(count)).toEqual([11, 12, 10, 11, 7, 12, 8, 10])
    expect(new Set(ownTemplates.map(taskLabel)).size).toBe(81)
  })

  test('two of each task a sub-plot, and each template within three deviations of its share over 200 seeds', () => {
    const subPlots = 12
    const counts = new Map<string, number>()
    for (let seed = 1; seed <= 200; seed++)
      for (let at = 0; at < subPlots; at++) {
        const drawn = drawTemplates(undefined, seed, 'film', at)
        expect(seven.map(task => drawn.filter(one => one.task === task).length)).toEqual([2, 2, 2, 2, 2, 2, 2])
        expect(new Set(drawn.map(taskLabel)).size).toBe(14)
        for (const name of drawn.map(taskLabel)) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    const n = 200 * subPlots
    for (const template of ownTemplates.filter(({ task }) => task !== 'VC')) {
      const p = 2 / ownTemplates.filter(({ task }) => task === template.task).length
      const sd = Math.sqrt(n * p * (1 - p))
      expect(Math.abs((counts.get(taskLabel(template)) ?? 0) - n * p), taskLabel(template)).toBeLessThanOrEqual(3 * sd)
    }
  })

  test('a file takes the place of our texts, and one that lacks a template is refused by name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'longtake-templates-'))
    const theirs = ownTemplates.map(({ task, sub_task }) => ({ task, sub_task, requirements: 'R.', description: 'D.' }))
    writeFileSync(join(folder, 'whole.json'), JSON.stringify(theirs))
    expect((await readTemplates(join(folder, 'whole.json')))[11]).toMatchObject({
      sub_task: 'Scene Quantity Recognition',
      asks: 'R. D.',
      counted: true,
    })
    writeFileSync(join(folder, 'other.json'), JSON.stringify(theirs.with(4, { ...theirs[4]!, sub_task: 'Plot' })))
    await expect(readTemplates(join(folder, 'other.json'))).rejects.toThrow('must hold the template VC: Plot Summary')
    await expect(readTemplates(join(folder, 'none.json'))).rejects.toThrow('cannot be read')
  })
})

const part = (first: number, last: number, more: Partial<Stretch> = {}): Stretch => ({
  title: `pages ${first} to ${last}`,
  first,
  last,
  share: [0, 0],
  content: 'something happens',
  ...more,
})
const film = (plots: Stretch[], first = 1, last = 20): Plots => ({ title: 'A', genre: 'Drama', first, last, plots })
const sub = (plot: number, first: number, last: number, more: Partial<Stretch> = {}) => ({
  ...part(first, last, more),
  plot,
})
const pages = { first: 1, last: 20 }
const whole = [part(1, 8), part(9, 20)]

describe('segmentation', () => {
  test('plots that meet on a page or on the next cover the film; title pages may be left out', () => {
    expect(plotsFault(film(whole), pages)).toBeUndefined()
    expect(plotsFault(film([part(1, 8), part(8, 20)]), pages)).toBeUndefined()
    expect(plotsFault(film([part(2, 8), part(9, 20)], 2), pages)).toBeUndefined()
    expect(subPlotsFault({ subplots: [sub(1, 1, 4), sub(1, 4, 8), sub(2, 9, 20)] }, whole)).toBeUndefined()
  })

  test.each<[string, Plots, string]>([
    ['no plot', film([]), 'has no plot'],
    ['the film before the first page', film([part(0, 20)], 0), 'there are pages 1 to 20'],
    ['the film behind the last page', film([part(1, 22)], 1, 22), 'there are pages 1 to 20'],
    ['the film backwards', film([part(9, 3)], 9, 3), 'said to end on page 3'],
    ['a third of the film left out', film([part(8, 20)], 8), '7 pages belong to no part'],
    ['the end of the film left out', film([part(1, 15)], 1, 15), '5 pages belong to no part'],
    ['a late first plot', film([part(3, 8), part(9, 20)]), 'begins on page 3, and the film on page 1'],
    ['an early first plot', film([part(1, 8), part(9, 20)], 2), 'begins on page 1, and the film on page 2'],
    ['an early last end', film([part(1, 8), part(9, 18)]), 'ends on page 18, and the film on page 20'],
    ['a late last end', film([part(1, 8), part(9, 20)], 1, 19), 'ends on page 20, and the film on page 19'],
    ['a gap', film([part(1, 6), part(9, 20)]), 'pages 7 to 8 are left out'],
    ['an overlap', film([part(1, 12), part(9, 20)]), 'before the end of the one before it on page 12'],
    ['a plot backwards', film([part(1, 8), part(14, 9), part(10, 20)]), 'plot 2 of the film ends on page 9'],
    ['no title', film([part(1, 8), part(9, 20, { title: ' ' })]), 'plot 2 of the film has no title'],
    ['no content', film([part(1, 8, { content: '' }), part(9, 20)]), 'plot 1 of the film has no content'],
  ])('refused: %s', (_, value, reason) => {
    expect(plotsFault(value, pages)).toContain(reason)
  })

  test.each<[string, ReturnType<typeof sub>[], string]>([
    ['a plot without sub-plots', [sub(1, 1, 8)], 'plot 2 has no sub-plot'],
    ['a sub-plot of no plot', [sub(1, 1, 8), sub(2, 9, 20), sub(3, 20, 20)], 'is of plot 3, and there are 2'],
    ['sub-plots out of order', [sub(2, 9, 20), sub(1, 1, 8)], 'comes after those of a later plot'],
    ['a sub-plot into the next plot', [sub(1, 1, 9), sub(2, 9, 20)], 'ends on page 9, and plot 1 on page 8'],
    ['a gap between sub-plots', [sub(1, 1, 2), sub(1, 5, 8), sub(2, 9, 20)], 'of plot 1 pages 3 to 4 are left out'],
  ])('refused: %s', (_, subplots, reason) => {
    expect(subPlotsFault({ subplots }, whole)).toContain(reason)
  })

  test('shares are what they are, whatever was said', () => {
    expect(withShares(part(3, 10, { share: [0.9, 0.1] }), { first: 2, last: 20 }).share).toEqual([0.0526, 0.4211])
  })
})

test('whoever is shown the stills of a tenth is told as data when they are', async () => {
  const requests: ChatRequest[] = []
  const model = {
    ask: async (request: ChatRequest) => {
      requests.push(request)
      return { id: 'call', reply: { text: 'no JSON' } }
    },
  }
  const seeing = { by: 'chat/x', model, seed: 3, signal: new AbortController().signal } as unknown as Author
  const work = { settings: {}, seed: 3, author: seeing, record: record(), earlier: [], prompts: detailsStage.prompts }
  const frames = async (times: readonly number[]) => times.map(() => new Uint8Array([1]))
  await detailsStage.make({ unit: 'film/n3', input: 2 }, { ...work, frames, sounds: async () => [] })
  expect(requests).toHaveLength(3)
  for (const { messages, brief } of requests) {
    const { video, pictures } = SightBrief.parse(brief)
    expect(video).toEqual({ id: 'film', name: 'film.mp4' })
    const [first = 0] = pictures[0] ?? []
    expect(pictures).toEqual(Array.from({ length: 11 }, (_, at) => [expect.closeTo(first + at)]))
    expect([first >= 120, first <= 180 - 11]).toEqual([true, true])
    expect(messages.at(-1)?.content.filter(part => part.type === 'image')).toHaveLength(11)
  }
})

describe('pages', () => {
  test('a script falls into pages by marks, by form feeds, or by 55 lines', () => {
    expect(pagesIn('P#3:\nA room.\nP#4: A street.\n')).toEqual([
      { page: 3, text: 'A room.' },
      { page: 4, text: 'A street.' },
    ])
    expect(pagesIn('A room.\n\fA street.')).toMatchObject([{ page: 1 }, { page: 2, text: 'A street.' }])
    expect(pagesIn(Array.from({ length: 120 }, (_, at) => `line ${at}`).join('\n'))).toHaveLength(3)
  })

  test('a script that is too short or that holds few letters is none; without one, each minute is a page', () => {
    const script = (text: string) => record({ texts: textRows({}, text) })
    expect(scriptFault(script('Too short.'))).toBe('the script has 10 characters, 3000 at least are needed')
    expect(scriptFault(script('#*-. 9 ab '.repeat(400)))).toContain('% of the script are letters, 70 % at least')
    expect(scriptFault(script('A man walks in. '.repeat(300)))).toBeUndefined()
    expect(scriptFault(record())).toBeUndefined()
    const row = (id: string, start: number) => ({
      id,
      track: 'speech' as const,
      text: id,
      span: { start, end: start + 5 },
    })
    const found = splitPages(record({ rows: [row('s1', 10), row('s2', 58), row('s3', 130)] }))
    expect(found.map(page => page.rows)).toEqual([['s1', 's2'], [], ['s3'], [], [], [], [], [], [], []])
  })
})

describe('the file', () => {
  const items = (count: number): DraftItem[] =>
    Array.from({ length: count * 3 }, (_, at) => ({
      id: `f${at}`,
      video: `film${at % count}`,
      kind: 'ED',
      question: `What is next of ${at}?`,
      answer: 'two',
      options: ['one', 'two', 'three', 'four', 'five'],
      right: 1,
      clues: [],
      rows: [],
      extra: { sub_task: 'Event Contribution', reasoning: 'it is seen', subplot: part(1, 3) },
    }))
  const write = (count: number) => {
    const records = Array.from({ length: count }, (_, at) => record({ video_id: `film${at}` }))
    const [file] = allvb.write({ items: items(count), records, videoFiles: new Map(), settings, canary: 'canary 1' })
    return JSON.parse(file!.content) as Record<string, unknown>[]
  }

  test('one film in ten is of the test split, and no film is in both', () => {
    const rows = write(20)
    const films = (split: string) => new Set(rows.filter(row => row.split === split).map(row => row.video))
    expect([films('test').size, films('train').size]).toEqual([2, 18])
    expect([...films('test')].filter(film => films('train').has(film))).toEqual([])
  })

  test('it is flat, and read as it was meant', () => {
    const rows = write(1)
    expect(Object.keys(rows[0]!)).toEqual(
      'id video task sub_task question options answer reasoning split subplot canary'.split(' '),
    )
    expect(allvbRecords(rows, 'allvb.json')[0]).toMatchObject({
      task: 'ED',
      subTask: 'Event Contribution',
      answer: 'B',
      video: 'film0',
    })
  })
})
