import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { RunEvent } from '../../src/core/agent.ts'
import type { AskReport } from '../../src/core/runtime.ts'
import { open } from '../../src/index.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { commandLine } from '../support/command-line.ts'

// Speech comes from subtitles, so that making the indexes takes a second.
const settings = { index: { tracks: { text: false, sound: false } } }
const spoken: Record<string, string[]> = {
  'sea/harbour': ['The harbour opens at six.', 'Ships leave the harbour at noon.', 'No swimming in the harbour.'],
  'sea/coast': ['The keeper climbs the stairs.', 'The lighthouse was built in 1862.', 'Then the sun sets.'],
  kitchen: ['Chop the onions first.', 'Now the soup must rest for ten minutes.', 'Add the butter to the soup.'],
  garden: ['Tomatoes need a lot of sun.', 'Onions grow in any soil.', 'Water them at noon.'],
}

let media: MediaFolder
let home: string

beforeAll(async () => {
  media = mediaFolder()
  home = media.path('home')
  const { mkdirSync } = await import('node:fs')
  mkdirSync(media.path('sea'))
  for (const [at, name] of Object.keys(spoken).entries()) {
    media.ffmpeg(`${name}.mp4`, ['-f', 'lavfi', '-i', `testsrc=s=128x72:r=5:d=${8 + at}`], h264)
    const cues = spoken[name]!.map((line, i) => `${i + 1}\n00:00:0${2 * i},000 --> 00:00:0${2 * i + 1},500\n${line}\n`)
    await writeFile(media.path(`${name}.srt`), cues.join('\n'))
    const options = { home, settings, profile: 'embedded' as const, environment: process.env }
    await (await open(media.path(`${name}.mp4`), options)).close()
  }
})
afterAll(() => media.remove())

async function runtime(set: Record<string, unknown> = {}) {
  const given = { values: { profile: 'embedded', ...settings, ...set }, place: 'the test' }
  const config = await resolveConfig({ cwd: media.path(''), environment: {}, given, search: false })
  return createRuntime({ config, home, environment: {} })
}

async function ask(text: string, options: Parameters<Awaited<ReturnType<typeof runtime>>['allVideos']['ask']>[1] = {}) {
  const opened = await runtime()
  try {
    return await opened.allVideos.ask({ text }, options)
  } finally {
    await opened.close()
  }
}

const askedIn = ({ library }: AskReport) => library!.asked.map(({ video }) => video.name)
const cited = ({ answer, evidence }: AskReport) => {
  const ids = new Set(answer.sentences.flatMap(({ cites }) => cites))
  return evidence.filter(({ id }) => ids.has(id)).map(({ text }) => text)
}

test('the answer comes from the video that has it, and cites the video and the moment', async () => {
  const report = await ask('In which video was the lighthouse built, and when?')
  expect(report.answer.text).toContain('In coast.mp4: ')
  expect(report.answer.text).toContain('[0:02-0:03]')
  expect(cited(report)).toEqual(['The lighthouse was built in 1862.'])
  expect(report.library!.searched).toHaveLength(4)
  expect(report.library!.notSearched).toEqual([])
  expect(report.answer.abstained).toBe(false)
})

test('a video that fits much less than one that has answered is not asked', async () => {
  expect(askedIn(await ask('How long must the soup rest?'))).toEqual(['kitchen.mp4'])
})

test('all videos that answer are told where several are asked for', async () => {
  const { answer } = await ask('Which videos mention onions?')
  expect(answer.text).toContain('In kitchen.mp4: ')
  expect(answer.text).toContain('In garden.mp4: ')
})

test('only the videos below the folder are searched and asked', async () => {
  const report = await ask('What happens at noon?', { within: media.path('sea') })
  expect(report.library!.searched.map(({ name }) => name)).toEqual(['coast.mp4', 'harbour.mp4'])
  expect(cited(report).join()).toContain('Ships leave')
  await expect(ask('What happens?', { within: media.path('nothing') })).rejects.toThrow('No known video lies in')
})

test('nothing is made up where no video answers', async () => {
  const { answer } = await ask('Who invented the telephone?')
  expect(answer).toMatchObject({ abstained: true, confidence: 0, cause: 'absent', mend: expect.any(String) })
  expect(answer.text).toContain('None of the 4 videos that were searched')
})

test('with options one is chosen, by what is said in a video or by its name', async () => {
  const opened = await runtime()
  const built = await opened.allVideos.ask({
    text: 'When was the lighthouse built?',
    options: ['1720', '1862', '1901'],
  })
  const named = await opened.allVideos.ask({
    text: 'In which video must soup rest?',
    options: ['coast', 'garden', 'kitchen'],
  })
  await opened.close()
  expect(built.answer.choice).toBe(1)
  expect(named.answer.choice).toBe(2)
})

test('a question that is stopped inside a video goes on there, and its run is told and repeated as any other', async () => {
  const whole = await ask('Which videos mention onions?')
  const stop = new AbortController()
  const watch = (event: RunEvent) => {
    if (event.type === 'note' && event.text.includes('(2 of')) stop.abort(new Error('enough'))
  }
  const stopped = await ask('Which videos mention onions?', { watch, signal: stop.signal })
  expect(stopped.stop).toBe('interrupted')
  const opened = await runtime()
  const events: RunEvent[] = []
  const resumed = await opened.questions.resume(stopped.run, { watch: event => events.push(event) })
  expect(resumed.answer).toEqual(whole.answer)
  expect(events.filter(event => event.type === 'note').map(({ text }) => text)).toEqual([
    expect.stringContaining('(2 of'),
  ])
  const { same } = await opened.questions.replay(resumed.run)
  expect(same).toBe(true)
  await opened.close()
})

test('the budget of the question is shared by the videos', async () => {
  const report = await ask('Which videos mention onions?', { budget: { seconds: 20, tokens: 1000 } })
  expect(report.stop).toBe('answered')
  const { answer } = await ask('Which videos mention onions?', { budget: { seconds: 0.001 } })
  expect(answer.degraded.join()).toContain('the time was up')
})

test('a language model writes one answer over the videos, and what the rows do not bear out is taken out', async () => {
  const rows = (await ask('Which videos mention onions?')).evidence.filter(({ text }) => text.includes('nions'))
  const [first, second] = rows.map(({ id }) => id)
  const inside = { sentences: [{ text: 'Onions.', cites: [first, second] }], confidence: 0.9 } // of the other video's rows none is known
  const replies = [
    { purpose: 'write', text: JSON.stringify(inside) },
    { purpose: 'write', text: JSON.stringify(inside) },
    {
      purpose: 'write',
      text: JSON.stringify({
        sentences: [
          { text: 'Chop the onions at 7:77, they grow in any soil.', cites: [first, second] },
          { text: 'Onions are blue.', cites: [first] },
        ],
        confidence: 0.8,
      }),
    },
    { purpose: 'plan', text: 'READY' },
  ]
  const scripted = { backend: 'scripted', replies, atEnd: 'repeat-last' }
  const opened = await runtime({
    models: { planner: { backend: 'rules' }, writer: scripted, verifier: { backend: 'rules' } },
  })
  const { answer } = await opened.allVideos.ask({ text: 'Which videos mention onions?' })
  await opened.close()
  expect(answer.text).toMatch(/^Chop the onions, they grow in any soil\. In \w+\.mp4 \[.*\]\. In \w+\.mp4 \[.*\]\.$/)
  expect(answer.text).not.toContain('blue')
})

test('at the command line: lines, one JSON object, and exit 6 where a video could not be searched', async () => {
  const cli = commandLine(async options => createRuntime(options), { LONGTAKE_HOME: home })
  const off = ['--profile', 'embedded', '--set', 'index.tracks.text=false', '--set', 'index.tracks.sound=false']
  const told = await cli.run('ask', '--library', 'How long must the soup rest?', ...off)
  expect(told.code).toBe(0)
  expect(told.stdout).toContain('kitchen.mp4 [0:02-0:03] speech: "Now the soup must rest for ten minutes."')
  expect(told.stdout).toContain('Searched: 4 of 4 known videos')
  const both = await cli.run('ask', '--library', 'talk.mp4', 'How long?', ...off)
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('no video can be named with it') })
  const id = (await ask('How long must the soup rest?')).library!.searched.find(({ name }) => name === 'garden.mp4')!.id
  await rm(join(home, 'library', id, 'stages', 'overview'), { recursive: true })
  const json = await cli.run('ask', '--library', 'How long must the soup rest?', '--json', ...off)
  expect(json.code).toBe(6)
  const document = JSON.parse(json.stdout)
  expect(document.library.notSearched).toMatchObject([{ id, name: 'garden.mp4' }])
  expect(document.evidence[0].video.name).toBe('kitchen.mp4')
})
