import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commit, type HubServer, startHubServer } from '../../tests/servers/hub-server.ts'
import { type CommandLine, commandLine } from '../../tests/support/command-line.ts'
import { wantedParts } from '../benchmarks/fetch/fetch-data.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { fetchedData } from '../runner/bench-parts.ts'

const name = 'CG-Bench/CG-Bench'
const files: Record<string, Uint8Array> = {
  'README.md': Buffer.from('about'),
  'cgbench.json': Buffer.from('[]'),
  'cgbench_mini.json': Buffer.from('[{"qid": 1}]'),
  'video_meta_info.json': Buffer.from('{}'),
  'video_chunk_001.zip': Buffer.alloc(300_000, 'a'),
  'video_chunk_002.zip': Buffer.alloc(200_000, 'b'),
  'clue_video_chunk_001.zip': Buffer.alloc(10, 'c'),
}

let server: HubServer
let line: CommandLine
let to: string
beforeEach(async () => {
  to = join(mkdtempSync(join(tmpdir(), 'longtake-fetch-')), 'data')
  await use({})
})
afterEach(async () => {
  await server.close()
  rmSync(join(to, '..'), { recursive: true, force: true })
})

async function use(options: Parameters<typeof startHubServer>[2], of = files, environment = {}): Promise<void> {
  await server?.close()
  server = await startHubServer(name, of, { dataset: true, licence: 'mit', ...options })
  line = commandLine({}, { HF_ENDPOINT: server.url, ...environment })
}
const fetch = (...more: string[]) => line.run('bench', 'fetch', 'cg-bench', '--to', to, ...more)
const lock = () => JSON.parse(readFileSync(join(to, 'data.lock.json'), 'utf8'))
const asked = () => server.asked.filter(one => one.path !== 'api').map(one => one.path)

test('files, sizes, licence and what pieces are good for are said before; a dry run fetches nothing', async () => {
  const { code, stdout } = await fetch('--what', 'annotations,videos', '--dry-run')
  expect(code).toBe(0)
  expect(stdout).toContain('Licence: mit by its card. As we know it: gated; MIT by the card')
  expect(stdout).toContain('videos: the files are pieces of one archive: only all of them together can be read.')
  expect(stdout).toMatch(/video_chunk_001\.zip +300 kB/)
  expect(stdout).toContain('5 files, 500 kB to fetch.')
  expect(asked()).toEqual([])
  expect(existsSync(to)).toBe(false)
})

test('a split brings its own files, which are pinned with revision and hashes, and are not fetched again', async () => {
  const { code, stderr } = await fetch('--split', 'mini')
  expect(code).toBe(0)
  expect(stderr).toContain('Licence: mit')
  expect(readFileSync(join(to, 'cgbench_mini.json'))).toEqual(files['cgbench_mini.json'])
  expect(existsSync(join(to, 'cgbench.json'))).toBe(false)
  expect(existsSync(join(to, '.fetching'))).toBe(false)
  expect(lock()).toMatchObject({ dataset: name, revision: 'main', commit })
  expect(Object.keys(lock().files)).toEqual(['cgbench_mini.json', 'video_meta_info.json'])
  await fetch('--split', 'mini')
  expect(asked()).toHaveLength(2)
})

test('a gate is named with the place of its terms, with and without a token, and ends with 4', async () => {
  await use({ gated: true }, files, { HF_TOKEN: 'hf_secret' })
  const refused = await fetch()
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain('; terms to accept on its page')
  expect(refused.stderr).toContain('answered 403 for CG-Bench/CG-Bench/cgbench')
  expect(refused.stderr).toMatch(
    /hint: .*accept them at https:\/\/huggingface\.co\/datasets\/CG-Bench\/CG-Bench.*HF_TOKEN/,
  )
  expect(refused.stderr).not.toContain('hf_secret')
  await use({ token: 'hf_right' })
  const locked = await fetch()
  expect(locked.code).toBe(4)
  expect(locked.stderr).toMatch(/answered 401.*\n.*Nothing is accepted on your behalf/)
})

test('a connection that is cut goes on in the middle of the file', async () => {
  server.misbehave('well', 'well', 'well', { fault: 'cut', after: 100_000 })
  expect((await fetch('--what', 'annotations,videos')).code).toBe(0)
  expect(readFileSync(join(to, 'video_chunk_001.zip'))).toEqual(files['video_chunk_001.zip'])
  const ranges = server.asked.filter(one => one.path === 'video_chunk_001.zip').map(one => one.range)
  expect(ranges[0]).toBeUndefined()
  expect(Number(/\d+/.exec(ranges[1] ?? '')?.[0])).toBeGreaterThan(0)
})

test('a file with another hash than the hub states is refused, gets no name, and comes right the next time', async () => {
  server.misbehave({ fault: 'other-bytes' })
  const { code, stderr } = await fetch('--split', 'mini')
  expect(code).toBe(4)
  expect(stderr).toContain('cgbench_mini.json has the checksum')
  expect(existsSync(join(to, 'cgbench_mini.json'))).toBe(false)
  expect((await fetch('--split', 'mini')).code).toBe(0)
})

test('a data set that has moved on is named and stays pinned, until its revision is asked for', async () => {
  await fetch('--split', 'mini')
  const now = { ...files, 'cgbench_mini.json': Buffer.from('[{"qid": 2}]'), 'new.txt': Buffer.from('n') }
  await use({ commit: later, earlier: { commit, files } }, now)
  const stays = await fetch('--split', 'mini')
  expect(stays.code).toBe(0)
  expect(stays.stderr).toContain('cgbench_mini.json is another; new.txt is new')
  expect([lock().commit, asked()]).toEqual([commit, []])
  expect((await fetch('--split', 'mini', '--revision', 'main')).code).toBe(0)
  expect(lock().commit).toBe(later)
  expect(readFileSync(join(to, 'cgbench_mini.json'), 'utf8')).toBe('[{"qid": 2}]')
})

const later = 'c0ffee0000000000000000000000000000000002'
const moved = {
  ...files,
  'cgbench_mini.json': Buffer.from('[{"qid": 2}]'),
  'video_meta_info.json': Buffer.from('{"2": 2}'),
}
const moveOn = (of: typeof files = moved) => use({ commit: later, earlier: { commit, files } }, of)

test('an update that is cut goes on where it stopped, and a run says that it was stopped', async () => {
  await fetch('--split', 'mini')
  await moveOn()
  server.misbehave('well', { fault: 'other-bytes' })
  expect((await fetch('--split', 'mini', '--revision', 'main')).code).toBe(4)
  expect(lock()).toMatchObject({ commit: later, replaced: { 'video_meta_info.json': { bytes: 2 } } })
  const said: string[] = []
  const world = { say: (text: string) => said.push(text), signal: new AbortController().signal }
  expect(await fetchedData(to, world)).toMatchObject({ commit: later, changed: ['video_meta_info.json'] })
  expect(said[0]).toContain('An update to c0ffee0 was stopped')
  expect(await fetch('--split', 'mini')).toMatchObject({ code: 0 })
  expect(readFileSync(join(to, 'video_meta_info.json'), 'utf8')).toBe('{"2": 2}')
  expect(lock().replaced).toBeUndefined()
  expect(await fetchedData(to, world)).toMatchObject({ commit: later, changed: [] })
})

test('an update of another part brings what was fetched before along: a folder is of one revision', async () => {
  await fetch('--split', 'mini')
  const { 'video_meta_info.json': _, ...left } = moved
  await moveOn(left)
  const { code, stderr } = await fetch('--what', 'videos', '--revision', 'main')
  expect(code).toBe(0)
  expect(stderr).toContain('a folder is of one revision: cgbench_mini.json.')
  expect(stderr).toContain('c0ffee0 lacks what was fetched before: video_meta_info.json')
  expect(readFileSync(join(to, 'cgbench_mini.json'), 'utf8')).toBe('[{"qid": 2}]')
  expect(Object.keys(lock().files).sort()).toEqual(['cgbench_mini.json', 'video_chunk_001.zip', 'video_chunk_002.zip'])
})

test('a part that brings no file is refused, beside others that bring some', async () => {
  const { code, stderr } = await fetch('--what', 'annotations,subtitles')
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/has no file named subtitles\.zip \(subtitles\)\.\n.*hint: It has README\.md, cgbench\.json/),
  ])
  expect(asked()).toEqual([])
})

test('what has come already needs no room on the disk again', async () => {
  server.misbehave({ fault: 'cut', after: 100_000 }, { fault: 'status', status: 404 })
  expect((await fetch('--what', 'videos')).code).not.toBe(0)
  const { stdout } = await fetch('--what', 'videos', '--dry-run', '--json')
  expect(JSON.parse(stdout).bytes).toBeLessThan(500_000)
})

test('what is fetched may be read by others, as the umask says', async () => {
  const before = process.umask(0o022)
  await fetch('--split', 'mini').finally(() => process.umask(before))
  const modes = [to, join(to, 'cgbench_mini.json')].map(path => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o755, 0o644])
})

test('a disk without room is named before anything is fetched', async () => {
  await use({ sizes: { 'video_chunk_001.zip': 9e15 } })
  const { code, stderr } = await fetch('--what', 'videos')
  expect(code).toBe(7)
  expect(stderr).toMatch(/The files need 9000000\.00 GB and .* GB free/)
  expect(asked()).toEqual([])
})

test('HF_HUB_OFFLINE is kept to', async () => {
  await use({}, files, { HF_HUB_OFFLINE: '1' })
  expect((await fetch()).stderr).toContain('HF_HUB_OFFLINE is set')
  expect(server.asked).toEqual([])
})

test('what a person changed is not written over, and a run names it', async () => {
  await fetch('--split', 'mini')
  const said: string[] = []
  const world = { say: (text: string) => said.push(text), signal: new AbortController().signal }
  expect(await fetchedData(to, world)).toEqual({ dataset: name, commit, changed: [] })
  writeFileSync(join(to, 'cgbench_mini.json'), '[{"qid": 9}]')
  const { code, stderr } = await fetch('--split', 'mini')
  expect([code, stderr]).toEqual([2, expect.stringContaining('since it was fetched: cgbench_mini.json')])
  expect(await fetchedData(join(to, 'cgbench_mini.json'), world)).toMatchObject({ changed: ['cgbench_mini.json'] })
  expect(said).toEqual(['Changed since it was fetched, by data.lock.json: cgbench_mini.json.'])
})

test('a file that was put there by hand is taken where it is equal, and left alone where it is not', async () => {
  await fetch('--split', 'mini')
  rmSync(join(to, 'data.lock.json'))
  await fetch('--split', 'mini')
  expect(asked()).toHaveLength(2)
  expect(Object.keys(lock().files)).toHaveLength(2)
  rmSync(join(to, 'data.lock.json'))
  writeFileSync(join(to, 'cgbench_mini.json'), 'mine')
  const { code, stderr } = await fetch('--split', 'mini')
  expect([code, stderr]).toEqual([2, expect.stringContaining('was not fetched by longtake')])
  expect(readFileSync(join(to, 'cgbench_mini.json'), 'utf8')).toBe('mine')
})

test('what a benchmark does not hand out is said, with what there is', async () => {
  const parts = async (benchmark: string, what: 'annotations' | 'videos', split?: string) =>
    wantedParts(await loadBenchmark(benchmark), [what], split).parts[0]?.patterns
  await expect(parts('longshot', 'videos')).rejects.toThrow('longshot hands out no videos: not handed out')
  await expect(parts('needle', 'annotations')).rejects.toThrow('needle is not fetched')
  await expect(parts('cg-bench', 'annotations', 'nonsense')).rejects.toThrow('not known by a split "nonsense"')
  expect(await parts('infinibench', 'videos', 'validation')).toEqual(['validation/validation_videos.tar.gz.part_*'])
})
