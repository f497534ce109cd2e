import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRisky, ownTemplates } from '../../../eval/benchmarks/allvb/recipe/templates.ts'
import { listFlags, readReviewSet } from '../../../eval/make/review/review-set.ts'
import type { SourceRecord } from '../../../eval/recipes/item.ts'
import { type ChatBody, startChatServer } from '../../servers/chat-server.ts'
import type { FaultServer } from '../../servers/fault-server.ts'
import { type CommandLine, commandLine } from '../../support/command-line.ts'
import { filmReply, luckOf, ownFilm, script } from './films-author.ts'
import { askedFor, serverSettings } from './own-video.ts'

let line: CommandLine
let server: FaultServer
const images: number[] = [] // of each request
const asked: string[] = []
let quick: string[]
const failing = new Set<string>()

beforeAll(async () => {
  line = commandLine()
  quick = ownFilm(join(line.cwd, 'films'))
  server = await startChatServer(['scripted', 'lucky', 'silent'], replyTo)
})
afterAll(() => server.close())

function replyTo(body: ChatBody): object {
  const { schema, text } = askedFor(body)
  asked.push(text)
  images.push(JSON.stringify(body.messages).split('"image_url":').length - 1)
  if (body.model === 'silent') return { content: 'I cannot tell.' }
  if (body.model === 'lucky') return { content: luckOf(text) }
  return { content: JSON.stringify(filmReply(schema, text, failing)) }
}

const byModel = () => [...quick, ...serverSettings('author', server.url)]

const json = (...path: string[]) => JSON.parse(readFileSync(join(line.cwd, ...path), 'utf8'))
const lines = (...path: string[]) =>
  readFileSync(join(line.cwd, ...path), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(text => JSON.parse(text))

// Everything but when and how long.
async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = await readdir(join(line.cwd, folder), { recursive: true, withFileTypes: true })
  const files = names
    .filter(file => file.isFile() && file.name !== 'log.jsonl')
    .map(file => join(file.parentPath, file.name))
  return new Map(files.sort().map(path => [path.slice(join(line.cwd, folder).length), readFileSync(path, 'base64')]))
}

// Every question can be asked; the keys are worth 100, and replies that say nothing 0.
async function holdsTogether(benchmark: string, set: string, gold: object[], metrics: string[]): Promise<void> {
  const run = await line.run('bench', 'run', benchmark, '--data', set, '--dry-run', '--json')
  expect(run.code, run.stderr).toBe(0)
  const { samples, askable } = JSON.parse(run.stdout).preflight
  expect([samples, askable], run.stdout).toEqual([gold.length, gold.length])
  for (const [worth, lines] of [
    [100, gold],
    [0, gold.map(one => ({ ...one, replies: { answer: '' }, judge: { open: judged(0) } }))],
  ] as const) {
    writeFileSync(join(line.cwd, `${set}.jsonl`), lines.map(one => `${JSON.stringify(one)}\n`).join(''))
    const score = await line.run('bench', 'score', benchmark, '--data', set, '--replies', `${set}.jsonl`, '--json')
    expect(score.code, score.stderr).toBe(0)
    const found = JSON.parse(score.stdout)
    for (const metric of metrics)
      expect(found.metrics[metric], score.stdout).toBe(metric === 'score' ? worth / 10 : worth)
  }
}

const judged = (score: number) => JSON.stringify({ score, justification: '' })

function goldOf(set: string): object[] {
  const files: string[] = json(set, 'benchmark.json').annotations
  const rows = files.flatMap(file => json(set, file) as Record<string, unknown>[])
  return rows.map(row =>
    row.skill_name
      ? {
          id: `${row.skill_name}:${row.question_id}`,
          replies: { answer: 'answer_idx' in row ? String(row.answer_idx) : row.answer },
          ...('answer' in row && { judge: { open: judged(10) } }),
        }
      : { id: row.id, replies: { answer: `Best Answer: ${String(row.answer).slice(0, 1)}` } },
  )
}

async function replayed(set: string): Promise<void> {
  const before = images.length
  const again = await line.run('bench', 'make', '--replay', set, '--out', `${set}-again`)
  expect([0, 6], again.stderr).toContain(again.code)
  expect(images.length).toBe(before)
  expect(await filesOf(`${set}-again`)).toEqual(await filesOf(set))
}

describe('allvb by a model', () => {
  test('21 + 14 n questions are drafted, what does not come is listed, and the set can be run and replayed', async () => {
    failing.add('VC: Plot Twist Identification')
    const roles = [...quick, ...serverSettings('author', server.url), ...serverSettings('look', server.url)]
    const made = await line.run('bench', 'make', 'allvb', '--from', 'films', '--out', 'allvb', ...roles)
    failing.clear()
    expect([0, 6], made.stderr).toContain(made.code)
    const { counts, notRun } = json('allvb', 'benchmark.json')
    expect(counts.drafted).toBe(21 + 14 * 4)
    expect(counts.drafted).toBe(counts.kept + Object.values<number>(counts.rejected).reduce((sum, n) => sum + n, 0))
    expect(lines('allvb', 'made', 'rejected.jsonl').filter(({ check }) => check === 'reply')).toMatchObject([
      { detail: expect.stringContaining('no question for VC: Plot Twist Identification: there is no question for') },
    ])
    expect(images.filter(count => count > 0)).toEqual(Array(10).fill(11))
    const rows = json('allvb', 'allvb.json')
    expect(rows.length).toBe(counts.kept)
    expect(new Set(rows.map((row: { task: string }) => row.task)).size).toBeGreaterThan(5)
    expect(rows.find((row: { subplot: unknown }) => row.subplot !== null).subplot.share).toEqual([0, 0])
    expect(notRun).not.toContain('details: make.look is off')
    expect(readFileSync(join(line.cwd, 'allvb', 'README.md'), 'utf8')).toMatch(/^- templates: [0-9a-f]+, /m)
    const review = await readReviewSet(join(line.cwd, 'allvb'))
    for (const item of review.items)
      expect(
        listFlags(review, item).filter(flag => /risky|go wrong most/.test(flag)),
        `${item.kind}, ${item.extra.sub_task}`,
      ).toHaveLength(
        Number(
          ['AR', 'ODT'].includes(item.kind) || isRisky({ task: item.kind, sub_task: String(item.extra.sub_task) }),
        ),
      )
    await holdsTogether('allvb', 'allvb', goldOf('allvb'), ['average'])
    await replayed('allvb')
  })

  test('without a model that sees there are no details, and the card says so; templates of a person are asked for; a script that is none is refused', async () => {
    const hashOf = (set: string) =>
      Object.entries(json(set, 'benchmark.json').prompts).filter(([name]) => name.startsWith('templates'))
    const own = ownTemplates.map(one => ({ ...one, requirements: 'Theirs.', description: `Of them: ${one.asks}` }))
    writeFileSync(join(line.cwd, 'theirs.json'), JSON.stringify(own))
    const theirs = ['--option', `templates=${join(line.cwd, 'theirs.json')}`]
    const made = await line.run('bench', 'make', 'allvb', '--from', 'films', '--out', 'blind', ...byModel(), ...theirs)
    expect([0, 6], made.stderr).toContain(made.code)
    expect(json('blind', 'benchmark.json').counts.drafted).toBe(11 + 14 * 4)
    expect(hashOf('blind')).toEqual([['templates of a file', expect.anything()]])
    expect(hashOf('blind')[0]?.[1]).not.toEqual(hashOf('allvb')[0]?.[1])
    expect(asked.filter(text => text.includes('VC: Plot Summary: it asks Theirs. Of them'))).toHaveLength(1)
    const card = readFileSync(join(line.cwd, 'blind', 'README.md'), 'utf8')
    expect(card).toContain('details: make.look is off')
    expect(card).toMatch(/- templates of a file: [0-9a-f]+, a person's own wording/)
    writeFileSync(join(line.cwd, 'films', 'film.script.txt'), 'Too short.')
    await line.run('bench', 'make', 'allvb', '--from', 'films', '--out', 'short', ...byModel())
    writeFileSync(join(line.cwd, 'films', 'film.script.txt'), script)
    expect(lines('short', 'made', 'rejected.jsonl')).toMatchObject([
      { check: 'script', detail: expect.stringContaining('3000 at least') },
    ])
  })
})

describe('infinibench by a model', () => {
  test('all skills but appearance are made, and the set can be run and replayed', async () => {
    const made = await line.run('bench', 'make', 'infinibench', '--from', 'films', '--out', 'infini', ...byModel())
    expect([0, 6], made.stderr).toContain(made.code)
    const { annotations } = json('infini', 'benchmark.json')
    expect(annotations.map((path: string) => path.replace(/^made\/skills_json\/|\.json$/g, '')).sort()).toEqual([
      ...['character_actions', 'choronological_understanding', 'deep_context_understanding', 'linking_multiple_events'],
      ...['scene_transitions', 'spoiler_questions', 'summarization'],
    ])
    expect(json('infini', 'made', 'skills_json', 'choronological_understanding.json').length).toBeLessThanOrEqual(27)
    expect(json('infini', 'made', 'skills_json', 'character_actions.json')).toHaveLength(2)
    await holdsTogether('infinibench', 'infini', goldOf('infini'), ['accuracy', 'score', 'overall'])
    await replayed('infini')
  })
})

test('what two blind models in three know is in the card by skill, before and after, and goes where all know it', async () => {
  const all = ['lucky', 'lucky', 'silent'].map(model => ({ backend: 'openai', url: server.url, model }))
  const set = ['--set', `make.blind=${JSON.stringify(all)}`]
  const lists = await line.run(
    'bench',
    'make',
    'infinibench',
    '--from',
    'films',
    '--out',
    'asked',
    ...byModel(),
    ...set,
  )
  expect([0, 6], lists.stderr).toContain(lists.code)
  const { filters, notRun, counts } = json('asked', 'benchmark.json')
  const metadata = filters.find(({ name }: { name: string }) => name === 'metadata only')
  const { asked, before, kept, after } = metadata.accuracy.character_actions
  expect([asked, kept, Math.round(before), Math.round(after)]).toEqual([2, 2, 67, 67])
  expect(notRun).toEqual(['outfits: make.look is off', 'outfits: models.faces is off', 'outfits: models.detect is off'])
  expect(counts.rejected['metadata only']).toBeUndefined()
  expect(readFileSync(join(line.cwd, 'asked', 'README.md'), 'utf8')).toContain(
    '| metadata only | character_actions | 2 | 66.67 % | 2 | 66.67 % |',
  )
  const sure = ['--set', `make.blind=${JSON.stringify(all.slice(0, 2))}`]
  const made = await line.run(
    'bench',
    'make',
    'infinibench',
    '--from',
    'films',
    '--out',
    'known',
    ...byModel(),
    ...sure,
  )
  expect([0, 6], made.stderr).toContain(made.code)
  const known = json('known', 'benchmark.json')
  const row = known.filters.find(({ name }: { name: string }) => name === 'metadata only').accuracy.character_actions
  expect(row).toEqual({ asked: 2, before: 100, kept: 0, after: null })
})

// A talk with a slide every twenty seconds and a sentence on each, as an index has it.
const slides = 'Harbour Bridge,Corn Mill,Glass House,Tram Depot,Salt Market,Fish Quay,Paper Works,Rope Walk'.split(',')
const talk: SourceRecord = {
  ...{ video_id: 'film', video: 'film.mp4', segments: [], meta: {} },
  statistics: { segments: 0, duration: 160, fps: 2, frames: 320, rows: 16 },
  rows: slides.flatMap((title, at): SourceRecord['rows'] => [
    {
      id: `t${at}`,
      track: 'text',
      text: `${title}\nCost: ${at + 3}7 dollars`,
      confidence: 0.95,
      span: { start: at * 20, end: at * 20 + 16 },
    },
    {
      id: `s${at}`,
      track: 'speech',
      text: `Visitors reach the ${title.toLowerCase()} on foot.`,
      span: { start: at * 20 + 2, end: at * 20 + 6 },
    },
  ]),
}

function recorded(set: string, recipe: string): void {
  const put = (path: string, value: unknown) => writeFileSync(join(line.cwd, set, path), JSON.stringify(value))
  for (const folder of ['made/source', 'made/calls', 'videos'])
    mkdirSync(join(line.cwd, set, folder), { recursive: true })
  writeFileSync(join(line.cwd, set, 'videos', 'film.mp4'), readFileSync(join(line.cwd, 'films', 'film.mp4')))
  put('videos.json', [{ name: 'film.mp4', bytes: 1, sha256: '0', duration: 160 }])
  put('made/source/film.json', talk)
  put('made/roles.json', {})
  put('made/request.json', { format: 1, recipe, from: [], seed: 4, options: [], exclude: [] })
}

describe('by rules alone', () => {
  test('infinibench asks for the order of titles, allvb for orders, what is said and how many titles there are', async () => {
    for (const recipe of ['infinibench', 'allvb']) {
      recorded(`rules-${recipe}`, recipe)
      const made = await line.run('bench', 'make', '--replay', `rules-${recipe}`, '--out', `made-${recipe}`)
      expect([0, 6], made.stderr).toContain(made.code)
      const metric = recipe === 'allvb' ? 'average' : 'accuracy'
      await holdsTogether(recipe, `made-${recipe}`, goldOf(`made-${recipe}`), [metric])
    }
    const order = json('made-infinibench', 'made', 'skills_json', 'choronological_understanding.json')
    expect(order[0].options[order[0].answer_idx]).toEqual(slides.map(title => `the title "${title}" appears`))
    const places = json('made-infinibench', 'made', 'skills_json', 'scene_transitions.json')
    expect(places[0].options[places[0].answer_idx]).toEqual(slides)
    const rows: { task: string; sub_task: string; answer: string }[] = json('made-allvb', 'allvb.json')
    expect(new Set(rows.map(({ task }) => task))).toEqual(new Set(['SR', 'ED', 'VCap']))
    expect(rows.find(({ task }) => task === 'SR')?.answer).toContain('[5, 10)')
    expect(readFileSync(join(line.cwd, 'made-allvb', 'README.md'), 'utf8')).toContain('Unreviewed draft')
  })
})
