import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { appendRecords } from '../../../apps/cluster/bench/asked-row.ts'
import { pullCalls, pushCalls } from '../../../apps/cluster/bench/calls-pack.ts'
import { putRecords } from '../../../apps/cluster/bench/run-store.ts'
import type { ArtifactStore } from '../../../apps/cluster/store/artifact-store.ts'
import { openStore } from '../../../apps/cluster/store/open-store.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'

const folder = mkdtempSync(join(tmpdir(), 'longtake-run-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what each attempt at a shard has noted of a row is kept, and the last note stands last', async () => {
  const place = join(folder, 'records')
  const store = await openStore(place, {})
  const put = (attempt: string, calls: string) =>
    putRecords(store, { run: 'r', n: 0, attempt, records: { 'calls.jsonl': calls, 'stages.jsonl': '' } })
  await put('first', '{"key":"a"}\n{"key":"b","of":"first"}\n')
  await put('a-later-one', '{"key":"b","of":"later"}\n')
  await put('last', '')
  const at = async (name: string, seconds: number) => utimes(join(place, 'runs/r/records', name), seconds, seconds)
  await at('0-first.json', 1000)
  await at('0-a-later-one.json', 2000)
  const names: string[] = []
  for await (const { name } of store.list('runs/r/records/')) names.push(name)
  expect(names).toHaveLength(2)
  await appendRecords(store, 'r', folder)
  const calls = join(folder, 'calls.jsonl')
  expect(readFileSync(calls, 'utf8')).toBe('{"key":"a"}\n{"key":"b","of":"first"}\n{"key":"b","of":"later"}\n')
  appendFileSync(calls, '{"key":"b","of":"here"}\n')
  await appendRecords(store, 'r', folder)
  expect(readFileSync(calls, 'utf8')).toMatch(/"of":"later"}\n{"key":"b","of":"here"}\n$/)
})

test('calls that cannot be read to their end are an error, and no shorter record', async () => {
  const calls = join(folder, 'calls')
  await ensureFolder(calls)
  await writeDurably(join(calls, 'one.json'), 'reply', 'private', 'unsynced')
  const store = await openStore(join(folder, 'store'), {})
  await pushCalls(store, { run: 'r', n: 0, attempt: 'a', folder: calls })
  await pullCalls(store, 'r', join(folder, 'pulled'))
  expect(await readFile(join(folder, 'pulled', 'one.json'), 'utf8')).toBe('reply')

  async function* broken() {
    yield gzipSync('{"name":"one.json","text":"reply"}\n').subarray(0, 12)
    throw new Error('the store is gone')
  }
  const breaking: ArtifactStore = { ...store, list: store.list.bind(store), get: async () => Readable.from(broken()) }
  await expect(pullCalls(breaking, 'r', join(folder, 'half'))).rejects.toThrow('the store is gone')
})

test.each([
  ['has one endless line', () => gzipSync(Buffer.alloc(80_000_000, 'x'), { level: 1 }), /has a line of more than/],
  ['is cut off', () => gzipSync('{"name":"a.json","text":"reply"}\n'.repeat(90)).subarray(0, 60), /is damaged/],
  ['is no gzip', () => Buffer.from('{"name":"a.json","text":"reply"}\n'), /is damaged/],
  ['holds other lines', () => gzipSync('hello\n'), /holds no recorded calls/],
])('a pack of recorded calls that %s is a named error', async (_, pack, why) => {
  const store = await openStore(join(folder, 'strange'), {})
  const bytes = pack()
  await store.put('runs/r/calls/0-a.jsonl.gz', () => Readable.from([bytes]), bytes.length)
  const pulled = pullCalls(store, 'r', join(folder, 'strange-calls'))
  await expect(pulled).rejects.toMatchObject({ name: 'StorageError', message: expect.stringMatching(why) })
})
