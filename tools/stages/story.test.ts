import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatModel } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
import { stamp } from '../../src/core/evidence.ts'
import type { IndexBudget, IndexSettings } from '../../src/core/settings.ts'
import type { StageReader } from '../../src/core/stage.ts'
import { Overview, type Video } from '../../src/core/video.ts'
import { findOrMakeStage, readStage } from '../../src/store/stage/stage.ts'
import { museum } from '../../tests/agent/museum.ts'
import { indexSettings, stageContext } from '../../tests/support/stage-context.ts'
import { type AskedStory, repeating, storyWriter } from '../../tests/support/story-writer.ts'
import story from './story.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-story-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const video = { id: 'v', duration: museum.duration } as Video
const rows = museum.rows.map(row => stamp(row, 'v', 'test/made')).sort((a, b) => a.span.start - b.span.start)
const shots = Array.from({ length: 24 }, (_, at) => ({ start: at * 10, end: at * 10 + 10, opens: 'cut' }))

const written: IndexSettings = { ...indexSettings, overview: 'written', overviewTokens: 4000 }

function run(home: string, model: ChatModel, overviewBudget: IndexBudget = {}) {
  return findOrMakeStage({
    folder: join(folder, home),
    stage: 'story',
    key: 'k',
    by: 'chat/test',
    settings: {},
    inputs: {},
    video: 'v',
    signal,
    make: out =>
      story.make(
        stageContext<'writer'>({
          ...{ video, out, signal, settings: { ...written, overviewBudget } },
          results: { rows: async () => rows, result: () => ({ json: async () => shots }) as unknown as StageReader },
          open: async () => ({ service: model, by: 'chat/test' }),
        }),
      ),
  })
}

const filesOf = async (home: string) => {
  const { folder: place } = await run(home, storyWriter(repeating).model)
  return Promise.all(['story.json', 'evidence.jsonl', 'calls.json'].map(name => readFile(join(place, name), 'utf8')))
}

test('the stage writes the overview of a model, who wrote it, its rows and what it took', async () => {
  const { folder: place, meta } = await run('whole', storyWriter(repeating).model)
  const written = await readStage(place).json('story.json', Overview.partial())
  expect(written).toMatchObject({ by: 'chat/test', chapters: [{ title: 'the chapter of it' }], threads: [] })
  expect(meta.notes).toEqual([expect.stringMatching(/^written in \d+ calls with \d+ tokens in and \d+ out$/)])
  const calls = JSON.parse(await readFile(join(place, 'calls.json'), 'utf8'))
  expect(calls).toMatchObject({ calls: expect.any(Number), again: 0 })
})

test('after a kill it asks only for what was not answered, and comes to the same', async () => {
  const whole = storyWriter(repeating)
  await run('undisturbed', whole.model)
  const before = storyWriter(asked => {
    if (asked.level === 'scene') throw new Error('killed here')
    return repeating(asked)
  })
  await expect(run('killed', before.model)).rejects.toThrow('killed here')
  await appendFile(join(folder, 'killed/parts/story-k/made.jsonl'), '["torn", ') // as a kill may tear it
  const after = storyWriter(repeating)
  await run('killed', after.model)
  const clips = whole.asked.filter(({ level }) => level === 'clip').length
  expect(clips).toBeGreaterThan(0)
  expect(after.asked.length).toBe(whole.asked.length - clips)
  expect(await filesOf('killed')).toEqual(await filesOf('undisturbed'))
})

test('where its budget is spent it ends, and with a larger one it asks only for the rest and comes to the same', async () => {
  const hesitating = (asked: AskedStory) => (asked.level === 'scene' && !asked.again ? 'Not yet.' : repeating(asked))
  const whole = storyWriter(hesitating)
  await run('unbound', whole.model)
  const calls = whole.asked.length - 1
  const bound = storyWriter(hesitating)
  await expect(run('bound', bound.model, { calls })).rejects.toThrow('index.overviewBudget does not last')
  expect(bound.asked.length).toBe(calls)
  const again = storyWriter(hesitating)
  await expect(run('bound', again.model, { calls })).rejects.toThrow('index.overviewBudget does not last')
  expect(again.asked).toEqual([])
  const raised = storyWriter(hesitating)
  await run('bound', raised.model, { calls: calls + 1 })
  expect(raised.asked.length).toBe(1)
  expect(await filesOf('bound')).toEqual(await filesOf('unbound'))
})

test('a reply that could not be used is paid once: a run after a kill neither asks for it again nor forgets it', async () => {
  const bad = (model: ChatModel): ChatModel => ({
    ...model,
    async reply(request, signal) {
      if (request.schema?.name === 'scene') throw new BackendError('No JSON.', { reason: 'bad-reply' })
      return model.reply(request, signal)
    },
  })
  const before = storyWriter(asked => {
    if (asked.level === 'chapter') throw new Error('killed here')
    return repeating(asked)
  })
  await expect(run('bad', bad(before.model))).rejects.toThrow('killed here')
  const after = storyWriter(repeating)
  const { folder: place } = await run('bad', after.model)
  expect(after.asked.map(({ level }) => level)).toEqual(['chapter', 'whole'])
  const calls = JSON.parse(await readFile(join(place, 'calls.json'), 'utf8'))
  expect(calls).toMatchObject({ again: 1 })
  expect(calls.outputTokens).toBeGreaterThan(2 * 2000) // as much as was asked for, each time
})

test('a budget enters no key, and money without a price is refused', async () => {
  const given = { video, subtitled: false, replaced: () => false as const }
  const keyed = (overviewBudget: IndexBudget) =>
    story.settings?.({ ...given, settings: { ...written, overviewBudget } })
  expect(keyed({ calls: 3 })).toEqual(keyed({}))
  await expect(run('priceless', storyWriter(repeating).model, { money: 1 })).rejects.toThrow(
    'index.overviewBudget.money is set, and the price of models.writer is not known.',
  )
})
