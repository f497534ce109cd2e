import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readMadeSet } from '../../eval/data/benchmark-json.ts'
import { fileLines } from '../../eval/data/lines.ts'
import { readJsonFile } from '../../eval/data/read-json-file.ts'
import { readDataFile } from '../../eval/data/records.ts'
import { readVideos } from '../../eval/make/source/videos-json.ts'
import { templateFile } from '../../models/chat/onnx.ts'
import { hubClient } from '../../models/hub/hub-client.ts'
import { ModelFolder } from '../../models/hub/hub-model.ts'
import { readCommit } from '../../models/hub/model-folder.ts'
import { readBounded } from '../../src/core/machine/read-bounded.ts'
import type { Video } from '../../src/core/video.ts'
import { readSidecar } from '../../src/media/subtitles/read-sidecar.ts'
import { readCalls } from '../../src/store/call-log/resume.ts'
import { parseStoredJson, readTextFile } from '../../src/store/read-file.ts'
import { readCheckpoints } from '../../src/store/run/checkpoints.ts'
import { readRunRecord } from '../../src/store/run/run-folder.ts'
import { earlierTurns } from '../../src/store/run/run-turns.ts'
import { bounded, raw } from './readers.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'longtake-readers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('whoever reads bytes otherwise than by a bounded reader is in the list', () => {
  const reads =
    /\b(?<!async function )(?:readFile|readFileSync|createReadStream|createInterface|createGunzip|createInflate\w*|gunzip\w*|inflate\w*Sync|zstd\w+|brotli\w+)\(/
  const own = /(?:export async function readFile|=> readFile\(parts,)/ // a route of that name
  const found = ['src', 'models', 'tools', 'graphs', 'eval', 'apps'].flatMap(place =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .map(name => `${place}/${name}`)
      .filter(name => /\.ts$/.test(name) && !/\.test\.ts$|^src\/page\/|\.d\.ts$/.test(name))
      .filter(name =>
        readFileSync(join(root, name), 'utf8')
          .split('\n')
          .some(line => reads.test(line) && !own.test(line) && !/^\s*\/\//.test(line)),
      ),
  )
  expect(found.sort()).toEqual(raw.map(({ file }) => file).sort())
})

test('each bound is held by a test that is there, and docs/reliability.md lists it', () => {
  const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8')
  for (const { what, bound, held } of bounded) {
    expect(existsSync(join(root, held)), held).toBe(true)
    expect(page).toContain(`| ${what} | ${bound} | ${held} |`)
  }
})

// A file of so many bytes of which none is on the disk.
function vast(name: string, bytes: number): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '')
  truncateSync(path, bytes)
  return path
}

let home: string
beforeAll(() => {
  home = join(folder, 'home')
  const run = join(home, 'runs', 'r')
  mkdirSync(join(run, 'calls'), { recursive: true })
  writeFileSync(join(run, 'environment.json'), '{"format":1,"started":"2026-01-01T00:00:00Z","name":"r"}')
  writeFileSync(join(run, 'config.json'), '{}')
})

const gigabytes = 5e9
const runFile = (name: string, bytes = gigabytes) => vast(join('home', 'runs', 'r', name), bytes)
const without = (name: string) => rmSync(join(home, 'runs', 'r', name), { force: true })
const host = { environment: {}, signal: new AbortController().signal, say: () => {} }

const readers: Record<string, () => Promise<unknown>> = {
  'a text of ours': () => readTextFile(vast('x.txt', gigabytes)),
  'the head of a made set': () => readMadeSet(join(vast('set/benchmark.json', gigabytes), '..')),
  'the videos of a made set': () => readVideos(join(vast('set/videos.json', gigabytes), '..')),
  'a device': () => readBounded('/dev/zero', 1000),
  'a call of a run': () => {
    runFile(join('calls', 'a.json'))
    return readCalls(join(home, 'runs', 'r', 'calls')).finally(() => without('calls/a.json'))
  },
  'the trace of a run': () => {
    runFile('trace.jsonl')
    return readRunRecord(home, 'r').finally(() => without('trace.jsonl'))
  },
  'the answer of a run': () => {
    runFile('summary.json', 70e6)
    return readRunRecord(home, 'r').finally(() => without('summary.json'))
  },
  'the states of a run': () => {
    runFile('checkpoints.jsonl')
    return readCheckpoints(join(home, 'runs', 'r')).finally(() => without('checkpoints.jsonl'))
  },
  'earlier turns of a run': () => {
    runFile('turns.json')
    return earlierTurns(join(home, 'runs', 'r')).finally(() => without('turns.json'))
  },
  'the JSON of a model': () => {
    vast(join('model', 'config.json'), 70e6)
    return new ModelFolder(join(folder, 'model')).json('config.json', { parse: (value: unknown) => value } as never)
  },
  'the template of a model': () => {
    vast(join('template', 'chat_template.jinja'), gigabytes)
    return templateFile(join(folder, 'template'))
  },
  'a branch of a model': () => {
    vast(join('repository', 'refs', 'main'), gigabytes)
    return readCommit(join(folder, 'repository'), 'main')
  },
  'records of a benchmark': () => readDataFile(vast('b.json', gigabytes)),
}

test.each(Object.entries(readers))('%s beyond its bound is refused and not read', async (_, read) => {
  const before = process.memoryUsage().rss
  await expect(read()).rejects.toThrow(/at most \d+|is a device/)
  expect(process.memoryUsage().rss - before).toBeLessThan(50e6)
})

test('JSON of others that is nested without end is refused, and nobody walks through it', async () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  const model = join(folder, 'deep')
  mkdirSync(model)
  writeFileSync(join(model, 'config.json'), deep)
  expect(parseStoredJson(deep)).toBeUndefined()
  await expect(new ModelFolder(model).json('config.json', z.looseObject({}))).rejects.toThrow(
    /cannot be read: .*nested/,
  )
  await expect(readJsonFile(join(model, 'config.json'))).rejects.toThrow(/is damaged/)
})

test('a subtitle file beyond its bound is a track with a problem', async () => {
  const path = vast('talk.srt', gigabytes)
  const video = { path: join(folder, 'talk.mp4'), name: 'talk.mp4' } as Video
  expect((await readSidecar(path, video)).problem).toMatch(/5000 MB|more than/)
})

test('a line that never ends is refused', async () => {
  const path = join(folder, 'lines.jsonl')
  writeFileSync(path, Buffer.alloc(66e6, 'x'))
  const read = async () => {
    for await (const line of fileLines(path)) expect(line).toBeUndefined()
  }
  await expect(read()).rejects.toThrow('a line of more than')
})

test('a hub that never stops telling is refused', async () => {
  const piece = Buffer.alloc(1e6, ' ')
  const server = createServer((_request, response) => {
    response.on('error', () => {})
    const more = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', more)
    more()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const environment = { HF_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const client = hubClient({ ...host, environment } as never)
  await expect(client.repository('a/b', 'main', host.signal)).rejects.toThrow('more than 64000000 bytes')
  server.closeAllConnections()
  server.close()
})
