import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { startChatServer } from '../servers/chat-server.ts'
import type { FaultServer } from '../servers/fault-server.ts'
import { readAsked, repeating } from '../support/story-writer.ts'
import { longtakeHere } from './longtake.ts'

interface Sent {
  messages: { content: string | { text: string }[] }[]
  response_format?: { json_schema?: { name: string } }
}

let media: MediaFolder
let video: string
let server: FaultServer

beforeAll(async () => {
  media = mediaFolder()
  video = media.path('bakery.mp4')
  media.ffmpeg(
    'bakery.mp4',
    ['-f', 'lavfi', '-i', 'color=red:s=128x72:r=5:d=150', '-f', 'lavfi', '-i', 'anullsrc=d=150'],
    h264,
  )
  const said = ['The baker cuts the bread.', 'A guest asks for salt.', 'The oven is closed at night.']
  const cues = said.map((text, at) => `0${at}:10.000 --> 0${at}:14.000\n${text}`)
  await writeFile(media.path('bakery.vtt'), `WEBVTT\n\n${cues.join('\n\n')}\n`)
  server = await startChatServer(['writes'], body => {
    const { messages, response_format } = body as unknown as Sent
    const content = messages[1]?.content ?? ''
    const shown = typeof content === 'string' ? content : content.map(({ text }) => text).join('')
    return { content: JSON.stringify(repeating(readAsked(response_format?.json_schema?.name ?? '', shown))) }
  })
})
afterAll(async () => {
  await server.close()
  media.remove()
})

const options = (home: string, writer: object, overview = 'written') => ({
  ...{ home: media.path(home), profile: 'embedded' as const, environment: process.env },
  settings: { models: { writer }, index: { overview, tracks: { text: false, sound: false, picture: false } } },
})
const writes = () => ({ backend: 'openai', url: `${server.url}/v1`, model: 'writes', limits: { attempts: 1 } })

test('chapters, scenes and the whole are written once, cite rows of the index, and are searched and shown', async () => {
  const first = await open(video, options('written', writes()))
  const { overview } = first
  const asked = server.seen.length
  expect(overview).toMatchObject({ by: 'chat/openai', threads: [] })
  expect(overview.chapters.map(({ title }) => title)).toEqual(['the chapter of it'])
  expect(overview.whole?.[0]?.text).toBe('The baker cuts the bread.')
  const cites = [...(overview.whole ?? []), ...(overview.scenes ?? [])].flatMap(one => one.cites)
  const rows = new Map(first.evidence().map(row => [row.id, row]))
  expect(cites.map(id => rows.get(id)?.text)).toContain('The oven is closed at night.')
  const found = await first.search({ query: 'oven', tracks: ['summary'] })
  expect(found.map(({ evidence }) => evidence.level)).toContain('clip')
  expect(first.evidence({ tracks: ['summary'] }).some(row => row.by === 'overview/extract')).toBe(false)
  await first.close()
  expect(asked).toBeGreaterThanOrEqual(4)

  await (await open(video, options('written', writes()))).close()
  expect(server.seen.length).toBe(asked)
  const set = Object.entries({
    'models.writer.backend': 'openai',
    'models.writer.url': `${server.url}/v1`,
    'models.writer.model': 'writes',
  })
  const flags = [
    ...set,
    ['index.overview', 'written'],
    ...['text', 'sound', 'picture'].map(name => [`index.tracks.${name}`, 'false']),
  ]
  const shown = await longtakeHere(
    ['show', video, '--profile', 'embedded', ...flags.flatMap(([name, value]) => ['--set', `${name}=${value}`])],
    {
      home: media.path('written'),
    },
  )
  expect(shown.out).toMatch(
    /Overview\nThe baker cuts the bread\. \[s[0-9a-f]{10}\]\n\nChapters\n\[0:00-2:30\] the chapter of it\n/s,
  )
})

test('without a writer that answers the lines of the video stay, the coverage says why, and the next time it is written', async () => {
  const off = await startChatServer(['writes'], () => ({ content: '' }))
  await off.close()
  const down = { ...writes(), url: `${off.url}/v1` }
  const lines = await open(video, options('down', down))
  expect(lines.overview.by).toBeUndefined()
  expect(lines.overview.chapters[0]?.summary).toContain('said "The baker cuts the bread."')
  expect(lines.coverage.notes.join('\n')).toMatch(
    /The overview is made of lines of the video, as none was written: .*127\.0\.0\.1/,
  )
  expect((await lines.search({ query: 'oven' })).length).toBeGreaterThan(0)
  await lines.close()
  const again = await open(video, options('down', writes()))
  expect(again.overview.by).toBe('chat/openai')
  expect(again.coverage.notes.join('\n')).not.toContain('The overview is made of lines')
  await again.close()
})

test('rules write no overview, which is said; asked for none, nothing is said', async () => {
  const rules = await open(video, options('rules', { backend: 'rules' }))
  expect(rules.coverage.notes).toContain(
    'The overview is made of lines of the video, as none was written: models.writer (chat/rules) must be a language model',
  )
  await rules.close()
  const plain = await open(video, options('rules', { backend: 'rules' }, 'extract'))
  expect(plain.coverage.notes.join('\n')).not.toContain('The overview is made of lines')
  await plain.close()
})

test('a dry run with rules as the writer says that no overview will be written, and forecasts no calls for one', async () => {
  const written = ['--profile', 'embedded', '--set', 'index.overview=written']
  const { code, out } = await longtakeHere(['index', video, '--dry-run', ...written], { home: media.path('dry') })
  expect(code).toBe(0)
  const story = out.split('\n').filter(line => line.includes('models.writer'))
  const why = 'models.writer (chat/rules) must be a language model'
  expect(story).toEqual([`  Left out: writing the overview: ${why}`, `  Model calls of writing the overview: ${why}`])
})

test('where its budget does not last the lines stay, and the notes say so; with a larger one it is written', async () => {
  const before = server.seen.length
  const bound = (overviewBudget: object) => {
    const { settings, ...rest } = options('bound', writes())
    return { ...rest, settings: { ...settings, index: { ...settings.index, overviewBudget } } }
  }
  const poor = await open(video, bound({ calls: 3 }))
  expect(poor.overview.by).toBeUndefined()
  expect(poor.overview.chapters.length).toBeGreaterThan(0)
  expect(poor.coverage.notes.join(' ')).toMatch(
    /index\.overviewBudget does not last for the overview: it takes 4 calls/,
  )
  await poor.close()
  expect(server.seen.slice(before).filter(({ path }) => path.endsWith('/completions'))).toEqual([])
  const enough = await open(video, bound({ calls: 4 }))
  expect(enough.overview.by).toBe('chat/openai')
  await enough.close()
})
