import { appendFileSync, existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openLibrary } from '../../src/store/library/library.ts'
import { makeRunFolder } from '../../src/store/run/run-folder.ts'
import { findOrMakeStage, stageKey } from '../../src/store/stage/stage.ts'
import { type CommandLine, commandLine, video } from '../support/command-line.ts'

let line: CommandLine
let home: string
let result: string // the folder of the one stage that is stored

beforeEach(async () => {
  line = commandLine()
  home = join(line.cwd, 'home')
  const library = openLibrary(home)
  await library.save({ ...video, name: 'evil\u001b[2J.mp4' })
  const folder = library.videoFolder(video.id)
  const by = 'x/y'
  const key = stageKey({ video: video.id, stage: 'text', by, settings: {}, inputs: {}, version: '1' })
  const made = await findOrMakeStage({
    folder,
    stage: 'text',
    key,
    by,
    settings: {},
    inputs: {},
    video: video.id,
    signal: new AbortController().signal,
    make: async out => void (await out.lines('evidence.jsonl', [{ text: 'x'.repeat(5000) }])),
  })
  result = made.folder
})

describe('cache', () => {
  test('ls lists the known videos', async () => {
    const { code, stdout } = await line.run('cache', 'ls')
    expect([code, stdout]).toEqual([0, `${video.id}  30:00  evil␛[2J.mp4  /videos/talk.mp4\n`])
    expect(JSON.parse((await line.run('cache', 'ls', '--json')).stdout)).toMatchObject({
      schemaVersion: 1,
      videos: [{ id: video.id, duration: 1800 }],
    })
    expect((await commandLine().run('cache', 'ls')).stdout).toBe('No video is known yet.\n')
  })

  test('du counts what each video takes', async () => {
    const document = JSON.parse((await line.run('cache', 'du', '--json')).stdout)
    expect(document.bytes).toBeGreaterThan(5000)
    expect(document.videos[0].stages[0]).toMatchObject({ stage: 'text', by: 'x/y' })
    expect((await line.run('cache', 'du')).stdout).toMatch(/kB .*1 video\n$/s)
  })

  test('verify finds what was damaged', async () => {
    expect(await line.run('cache', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('none is damaged'),
    })
    appendFileSync(join(result, 'evidence.jsonl'), 'x')
    const { code, stdout } = await line.run('cache', 'verify')
    expect(code).toBe(7)
    expect(stdout).toMatch(/1 damaged\.\nv0123456789abcdef0123 text: /)
    expect((await line.run('cache', 'verify')).code).toBe(0)
  })

  test('prune removes what is old or too much, and a dry run only says so', async () => {
    const longAgo = new Date(Date.now() - 40 * 86_400_000)
    utimesSync(join(home, 'library', video.id, 'video.json'), longAgo, longAgo)
    expect((await line.run('cache', 'prune', '--older', '50d')).stdout).toMatch(/^0 B freed/)
    expect((await line.run('cache', 'prune', '--older', '30d', '--dry-run')).stdout).toContain(
      'would be freed, 0 B left.',
    )
    expect(existsSync(result)).toBe(true)
    expect(JSON.parse((await line.run('cache', 'prune', '--max', '1kB', '--dry-run', '--json')).stdout)).toMatchObject({
      dryRun: true,
      freed: [{ video: video.id }],
    })
    expect((await line.run('cache', 'prune', '--older', '30d')).code).toBe(0)
    expect(existsSync(result)).toBe(false)
  })

  test('prune is told what may go in words that it understands', async () => {
    expect((await line.run('cache', 'prune')).stderr).toContain('--older or --max is missing')
    expect((await line.run('cache', 'prune', '--older', 'long')).stderr).toContain(
      '--older must be a duration, not "long".',
    )
    expect((await line.run('cache', 'prune', '--max', 'much')).stderr).toContain('--max must be a size, not "much".')
    expect(existsSync(result)).toBe(true)
  })
})

describe('runs', () => {
  test('are listed, and one is shown by the beginning of its name', async () => {
    const run = await makeRunFolder(home, { name: 'Why did she leave?', config: {}, environment: {}, secrets: [] })
    await run.trace({ type: 'note', text: 'x' })
    await run.finish({ answer: 'the train' })
    expect((await line.run('runs', 'ls')).stdout).toBe(`${run.id}  finished  Why did she leave?\n`)
    const shown = await line.run('runs', 'show', run.id.slice(0, 8))
    expect(shown.stdout).toContain('1 events')
    expect(shown.stdout).toContain('"answer": "the train"')
    expect(JSON.parse((await line.run('runs', 'show', run.id, '--json')).stdout)).toMatchObject({
      run: { id: run.id, summary: { answer: 'the train' } },
    })
    await (await makeRunFolder(home, { name: 'Again', config: {}, environment: {}, secrets: [] })).finish({})
    expect((await line.run('runs', 'show', run.id.slice(0, 4))).stderr).toContain('is the beginning of 2 runs')
  })

  test('one that is not there is said, and none is no fault', async () => {
    expect((await line.run('runs', 'show', '2020')).stderr).toContain(
      'There is no run "2020".\nhint: See "longtake runs ls".',
    )
    expect(await line.run('runs', 'ls')).toMatchObject({ code: 0, stdout: 'There are no runs yet.\n' })
  })
})
