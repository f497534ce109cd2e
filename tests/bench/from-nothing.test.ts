import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatBody, startChatServer } from '../servers/chat-server.ts'
import type { FaultServer } from '../servers/fault-server.ts'
import { type HubServer, startHubServer } from '../servers/hub-server.ts'
import { type CommandLine, commandLine, type Ran } from '../support/command-line.ts'
import { film } from './small-data.ts'

// Every line of docs/from-nothing.md as it stands there, against a hub and a model on loopback, with two films of two seconds in the
// place of the videos. The files of the hub bear the names that the page's benchmarks look for.
const page = readFileSync(new URL('../../docs/from-nothing.md', import.meta.url), 'utf8')

let server: FaultServer
let films: string
const hubs: HubServer[] = []

beforeAll(async () => {
  films = mkdtempSync(join(tmpdir(), 'longtake-nothing-'))
  for (const colour of ['red', 'blue']) film(join(films, `${colour}.mp4`), colour, 2)
  server = await startChatServer(['NAME'], answer)
})
afterAll(async () => {
  await server.close()
  await Promise.all(hubs.map(hub => hub.close()))
  rmSync(films, { recursive: true, force: true })
})

// Says A where it has to choose, and yes to whatever it has to judge.
function answer(body: ChatBody): object {
  const asked = JSON.stringify(body)
  if (asked.includes('criteria_met')) return { content: '{"criteria_met": true, "explanation": "It says so."}' }
  return { content: /CORRECT|score/i.test(asked) ? 'CORRECT' : 'A' }
}

function commandsOf(name: string): string[] {
  const section = page.split(/^## /m).find(part => part.startsWith(`${name}\n`)) ?? ''
  return section.split('\n').flatMap(line => (line.startsWith('    longtake ') ? [line.trim()] : []))
}

// What the page leaves to the reader: which agent, quickly, and a judge.
const quick = [
  ...['--profile', 'embedded'],
  ...['text', 'speech', 'sound'].flatMap(track => ['--set', `index.tracks.${track}=false`]),
]
const judge = () => ['--set', `models.judge=${JSON.stringify({ backend: 'openai', url: server.url, model: 'NAME' })}`]

interface Try {
  hub: Record<string, Uint8Array>
  revision?: string
  more?: string[] // of each run
  missing?: RegExp // lines that end with 6, since a video is not there
  place?(line: CommandLine, after: string): void // what the reader does between two lines
}

async function tried(name: string, { hub, revision, more = [], missing, place }: Try): Promise<Record<string, Ran>> {
  const own = await startHubServer('*', hub, { dataset: true, licence: 'mit', commit: revision })
  hubs.push(own)
  const line = commandLine({}, { HF_ENDPOINT: own.url })
  const ran: Record<string, Ran> = {}
  for (const shown of commandsOf(name)) {
    const words = shown.split(' ').slice(1)
    const isRun = words[1] === 'run' && !words.includes('--resume')
    const own = isRun ? [...(words.includes('--by') ? [] : quick), ...more] : []
    const typed = words.map(word => word.replace('http://127.0.0.1:8000/v1', server.url))
    const result = await line.run(...typed, ...own)
    const code = missing?.test(shown) ? 6 : 0
    expect([shown, result.code, result.code === code ? '' : result.stderr]).toEqual([shown, code, ''])
    ran[shown.slice('longtake bench '.length)] = result
    place?.(line, shown)
  }
  expect(Object.keys(ran).length).toBeGreaterThan(3)
  return ran
}

function lastOf(ran: Record<string, Ran>, begins: string): string {
  return Object.entries(ran).findLast(([shown]) => shown.startsWith(begins))?.[1].stdout ?? ''
}

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const lines = (all: readonly object[]) => bytes(all.map(one => `${JSON.stringify(one)}\n`).join(''))

function put(folder: string, names: Record<string, string>): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, colour] of Object.entries(names))
    writeFileSync(join(folder, name), readFileSync(join(films, `${colour}.mp4`)))
}

// An archive of these files, in two pieces.
function piecesOf(files: Record<string, string>, name: (piece: number) => string): Record<string, Uint8Array> {
  const folder = mkdtempSync(join(films, 'archive-'))
  for (const [path, colour] of Object.entries(files))
    put(join(folder, path, '..'), { [path.split('/').at(-1) ?? '']: colour })
  const tar = execFileSync('tar', ['-czf', '-', '-C', folder, '.'])
  const middle = Math.ceil(tar.length / 2)
  return { [name(0)]: tar.subarray(0, middle), [name(1)]: tar.subarray(middle) }
}

test('cg-bench', async () => {
  const record = (qid: number, video_uid: string) => ({
    ...{ qid, video_uid, question: 'What colour is it?', answer: 'red', choices: ['red', 'blue', 'green'] },
    ...{ right_answer: 'A', clue_intervals: [[0.5, 1.5]], domain: 'Art', sub_category: 'Entity', duration: 2 },
  })
  const ids = ['dQw4w9WgXcQ', 'BV1xx411c7mD']
  const about = { duration: 2, fps: 10, max_frame: 20 }
  const ran = await tried('cg-bench', {
    hub: {
      'cgbench_mini.json': bytes(ids.map((id, at) => record(at, id))),
      'video_meta_info.json': bytes(Object.fromEntries(ids.map(id => [id, about]))),
    },
    missing: /--missing|--verify|--out with-videos/,
    place({ cwd }, after) {
      const folder = join(cwd, 'cg-bench', 'cg_videos_720p')
      if (after.includes('--missing')) put(folder, { [`${ids[0]}.mp4`]: 'red' })
      if (after.includes('--table cg-bench:mini --html')) put(folder, { [`${ids[1]}.mp4`]: 'blue' })
    },
  })
  expect(lastOf(ran, 'report blind')).toMatch(/^blind \*a .* 100\.0 /m)
  expect(lastOf(ran, 'report with-videos')).toMatch(/50\.0 % covered.*\n[\s\S]*Not comparable/)
  expect(lastOf(ran, 'run cg-bench --resume')).toMatch(/long_acc +100\.00/)
})

test('longshot', async () => {
  const id = 'dQw4w9WgXcQ'
  const criteria = [
    { name: 'factual_correctness', description: 'Says red', category: 'high_priority', weight: 5, is_penalty: false },
  ]
  const sample = {
    ...{ sample_id: 'sample_1', video_id: id, task: 'information_retrieval', sample_type: 'single_turn', duration: 2 },
    conversations: [
      { role: 'user', content: 'What colour is it?', difficulty: 1, modalities: ['visual'], key_segments: [0] },
      { role: 'assistant', content: 'Red.', criteria },
    ],
  }
  const ran = await tried('longshot', {
    hub: { 'postvalid_v2/test.jsonl': lines([sample]) },
    revision: '5a16213'.padEnd(40, '0'),
    more: judge(),
    missing: /--missing/,
    place({ cwd }, after) {
      if (after.includes('--missing')) put(join(cwd, 'longshot', 'videos'), { [`${id}.mp4`]: 'red' })
    },
  })
  expect(lastOf(ran, 'report longshot-run')).toMatch(/^longshot-run \*a +100\.00$/m)
})

test('allvb', async () => {
  const question = (at: number) => ({
    ...{ id: at, movie: 'Red Film', task: 'SR', question: `What colour is it (${at})?`, split: 'test' },
    ...{ options: ['red', 'blue', 'green', 'grey', 'white'], answer: 'A' },
  })
  const ran = await tried('allvb', {
    hub: { 'annotations.json': bytes([question(1), question(2)]) },
    place({ cwd }, after) {
      if (after.includes('fetch')) put(join(cwd, 'films'), { 'Red Film.mp4': 'red' })
    },
  })
  expect(lastOf(ran, 'map')).toContain('2 records are read by this map.')
  expect(lastOf(ran, 'report allvb-run')).toMatch(/^allvb-run \*a +- +100\.0 /m)
})

test('infinibench', async () => {
  const video = 'TV_shows/videos/friends/season_1/episode_1.mp4'
  const question = {
    ...{ question_id: 'q1', skill_name: 'scene_transitions', question: 'What is the order of the places?' },
    ...{ options: "['a kitchen', 'a street']", answer_idx: 0, video_path_mp4: `/${video}`, video_subtitles: '' },
  }
  const ran = await tried('infinibench', {
    hub: {
      'validation/skills_json/scene_transitions.json': bytes([question]),
      ...piecesOf({ [video]: 'red' }, piece => `validation/validation_videos.tar.gz.part_a${'ab'[piece]}`),
    },
    more: judge(),
  })
  expect(lastOf(ran, 'report infinibench-run')).toMatch(/^infinibench-run \*a +- +- +100\.00 /m)
})

test('videoeval-pro', async () => {
  const parquet = new URL('../fixtures/parquet/options-snappy.parquet', import.meta.url)
  const ran = await tried('videoeval-pro', {
    hub: {
      'data/test-00000-of-00001.parquet': readFileSync(parquet),
      ...piecesOf(
        { 'videos_filtered/v0.mp4': 'red', 'videos_filtered/v1.mp4': 'blue' },
        piece => `videos/videos_part_a${'ab'[piece]}.tar.gz`,
      ),
    },
    more: judge(),
  })
  expect(lastOf(ran, 'report videoeval-pro-run')).toMatch(/^videoeval-pro-run \*a +50\.0 /m)
})
