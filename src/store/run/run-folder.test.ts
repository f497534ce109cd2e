import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ChatModel, type ChatReply, type ChatRequest, textContent } from '../../core/chat.ts'
import { recordCalls } from '../call-log/record.ts'
import { readJsonLines } from '../json-lines.ts'
import { listRuns, makeRunFolder, readRunRecord, resumeRun, runLister } from './run-folder.ts'

const start = {
  name: 'Why did the second speaker leave?',
  config: { profile: 'embedded' },
  environment: { node: 'v20' },
  secrets: [],
}

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longtake-runs-'))
})

describe('a run folder', () => {
  test('is named after its time and what was asked', async () => {
    const { id } = await makeRunFolder(home, start)
    expect(id).toMatch(/^20\d{6}-\d{6}-why-did-the-second-speaker-leave$/)
  })

  test('has a legal name whatever was asked', async () => {
    for (const name of ['../../etc/passwd', 'なぜ?', '', 'CON', 'x'.repeat(500), 'a\nb\0c', '🎬']) {
      const { id, folder } = await makeRunFolder(home, { ...start, name })
      expect(id).toMatch(/^20\d{6}-\d{6}-[a-z0-9-]{1,60}$/)
      expect(folder).toBe(join(home, 'runs', id))
    }
    expect(await readdir(join(home, 'runs'))).toHaveLength(7)
  })

  test('of two runs that begin together is one each', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => makeRunFolder(home, start)))
    expect(new Set(runs.map(run => run.folder)).size).toBe(3)
  })

  test('gives back what was written', async () => {
    const run = await makeRunFolder(home, start)
    await run.trace({ type: 'note', text: 'first' })
    await run.trace({ type: 'note', text: 'second' })
    await run.finish({ answer: 'She was ill.' })
    const read = await readRunRecord(home, run.id)
    expect(read).toMatchObject({
      state: 'finished',
      name: start.name,
      config: start.config,
      environment: { format: 1, node: 'v20' },
      summary: { answer: 'She was ill.' },
    })
    expect(read.trace.map(event => event.text)).toEqual(['first', 'second'])
    expect(read.trace[0]?.at).toBeGreaterThanOrEqual(0)
    expect(read.trace[1]?.at).toBeGreaterThanOrEqual(read.trace[0]?.at ?? Number.NaN)
  })

  test('of a killed run is readable up to the last whole line, and can be gone on with', async () => {
    const run = await makeRunFolder(home, start)
    await run.trace({ type: 'note', text: 'whole' })
    await appendFile(join(run.folder, 'trace.jsonl'), '{"at":3,"type":"no')
    expect((await readRunRecord(home, run.id)).trace).toHaveLength(1)
    const resumed = await resumeRun(home, run.id, [])
    await resumed.trace({ type: 'note', text: 'after' })
    await resumed.finish({})
    expect((await readRunRecord(home, run.id)).trace.map(event => event.text)).toEqual(['whole', 'after'])
  })

  test('keeps rows of samples that survive on their own', async () => {
    const run = await makeRunFolder(home, start)
    const samples = await run.lines('samples.jsonl')
    await samples.append({ id: 's1' })
    const rows = await readJsonLines(join(run.folder, 'samples.jsonl'), z.object({ id: z.string() }))
    expect(rows).toEqual([{ id: 's1' }])
  })

  test('holds no secret in any file, name included', async () => {
    const secret = 'canary9876543210'
    const run = await makeRunFolder(home, {
      name: `ask with ${secret}`,
      config: { models: { chat: { apiKey: secret, url: `http://u:${secret}@host` } } },
      environment: { note: secret },
      secrets: [secret],
    })
    await run.trace({ type: 'note', text: `using ${secret}` })
    const samples = await run.lines('samples.jsonl')
    await samples.append({ error: `401 for ${secret}` })
    const model: ChatModel = { id: 'chat/test', accepts: new Set(['text']), reply: async () => reply(secret) }
    const asked: ChatRequest = { purpose: 'write', messages: [{ role: 'user', content: textContent(secret) }] }
    await recordCalls(join(run.folder, 'calls'), run.redact).model(model).reply(asked, new AbortController().signal)
    await run.finish({ text: secret })
    const names = await readdir(run.folder, { recursive: true, withFileTypes: true })
    const files = names.filter(entry => entry.isFile())
    expect(files.length).toBeGreaterThanOrEqual(6)
    for (const entry of files)
      expect(await readFile(join(entry.parentPath, entry.name), 'utf8'), entry.name).not.toContain(secret)
    expect(run.folder).not.toContain(secret)
  })
})

describe('the list of runs', () => {
  test('has the newest first and says which are finished', async () => {
    const first = await makeRunFolder(home, start)
    const second = await makeRunFolder(home, { ...start, name: 'zebra' })
    await first.finish({})
    const runs = await listRuns(home)
    expect(runs.map(run => [run.id, run.state])).toEqual([
      [second.id, 'unfinished'],
      [first.id, 'finished'],
    ])
  })

  test('is not read again where a run is finished and known; of the others what is there now', async () => {
    const list = runLister(home)
    const [first, second] = [await makeRunFolder(home, start), await makeRunFolder(home, { ...start, name: 'zebra' })]
    await first.finish({})
    await list()
    await rm(join(first.folder, 'summary.json'))
    await second.finish({ status: 'cancelled' })
    await second.trace({ type: 'note', text: 'changes nothing' })
    expect((await list()).map(run => run.state)).toEqual(['cancelled', 'finished'])
    await (await resumeRun(home, second.id, [])).finish({ status: 'answered' })
    expect((await list()).map(run => run.state)).toEqual(['finished', 'finished'])
    await rm(second.folder, { recursive: true })
    expect((await list()).map(run => run.id)).toEqual([first.id])
  })

  test('says what each is about', async () => {
    const video = { id: 'v1', name: 'talk.mp4', path: '/talk.mp4' }
    await makeRunFolder(home, { ...start, environment: { video } })
    await makeRunFolder(home, { ...start, name: 'bench needle', environment: { kind: 'bench' } })
    expect((await listRuns(home)).map(({ kind, video }) => [kind, video])).toEqual(
      expect.arrayContaining([
        ['question', { id: 'v1', name: 'talk.mp4' }],
        ['bench', undefined],
      ]),
    )
  })

  test('is empty where nothing ran yet, and passes over folders that are no runs', async () => {
    expect(await listRuns(home)).toEqual([])
    await mkdir(join(home, 'runs', 'killed-before-it-began'), { recursive: true })
    await writeFile(join(home, 'runs', 'a-file'), '')
    expect(await listRuns(home)).toEqual([])
  })
})

describe('a run folder of a stranger', () => {
  const elsewhere = async () => {
    const { folder } = await makeRunFolder(home, { ...start, name: 'private notes' })
    return folder
  }
  test.each([
    ['a recorded call that is a link', 'calls/0a.json', 'environment.json'],
    ['a folder of calls that is a link', 'calls', ''],
    ['its trace as a link', 'trace.jsonl', 'config.json'],
    ['its answer as a link', 'summary.json', 'config.json'],
    ['a link deep in it', 'bench/frames/1.jpg', 'config.json'],
  ])('is not read with %s', async (_, name, of) => {
    const run = await makeRunFolder(home, start)
    const place = join(run.folder, name)
    await rm(place, { force: true })
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(await elsewhere(), of), place)
    await expect(readRunRecord(home, run.id)).rejects.toThrow(`${run.id}/${name} is a link`)
    await expect(resumeRun(home, run.id, [])).rejects.toThrow('is a link')
    expect((await listRuns(home)).map(({ id }) => id)).not.toContain(run.id)
  })

  test('is not read where it is a link itself, or holds a pipe', async () => {
    await symlink(await elsewhere(), join(home, 'runs', 'linked'))
    await expect(readRunRecord(home, 'linked')).rejects.toThrow('linked is a link')
    const run = await makeRunFolder(home, start)
    execFileSync('mkfifo', [join(run.folder, 'turns.json')])
    await expect(readRunRecord(home, run.id)).rejects.toThrow('turns.json is a link or no file')
    expect((await listRuns(home)).map(({ name }) => name)).toEqual(['private notes'])
  })
})

test('a run that is not there, or lies elsewhere, is refused', async () => {
  await writeFile(join(home, 'environment.json'), '{"format":1,"started":"x","name":"y"}')
  for (const id of ['none', '..', '../runs', '', '/etc'])
    await expect(readRunRecord(home, id)).rejects.toThrow('There is no run')
})

function reply(text: string): ChatReply {
  return { text, calls: [], stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'test' }
}
