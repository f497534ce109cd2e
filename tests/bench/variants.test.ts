import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allBenchmarks } from '../../eval/benchmarks/index.ts'
import { type OpenaiServer, startOpenaiServer } from '../servers/openai-server.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { model, says } from './sent-requests.ts'

// What the pictures show is not asked here, and up to 128 of them are not worth decoding one by one.
vi.mock('../../src/media/frames.ts', () => ({
  decodeFrames: async (_: unknown, times: number[]) =>
    times.map(time => ({ time, width: 16, height: 9, rgb: new Uint8Array(16 * 9 * 3) })),
}))

let server: OpenaiServer
beforeAll(async () => {
  server = await startOpenaiServer()
})
afterAll(() => server.close())

// Four seconds with a tone, and what is said in them.
function film(path: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  const picture = ['-f', 'lavfi', '-i', 'color=c=red:s=64x36:r=10:d=4']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4']
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...picture,
    ...sound,
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    '-shortest',
    path,
  ])
}

const said = '1\n00:00:00,500 --> 00:00:01,500\nIt is red.\n\n2\n00:00:02,500 --> 00:00:03,500\nIt stays red.\n'

function put(file: string, content: unknown): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

const question = { question: 'What colour is it?', duration: 4 }

// One question each, with its video and its subtitles.
const data: Record<string, (folder: string) => string[]> = {
  'cg-bench': folder => {
    const right = { choices: ['red', 'blue'], right_answer: 'A', answer: 'red' }
    const clues = {
      clue_intervals: [
        [0, 1],
        [2, 3],
      ],
    }
    put(join(folder, 'cgbench_mini.json'), [{ ...question, ...right, ...clues, qid: 1, video_uid: 'v' }])
    film(join(folder, 'cg_videos_720p', 'v.mp4'))
    put(join(folder, 'cg_subtitles', 'v.srt'), said)
    return ['--task', 'long_acc', '--task', 'clue_acc']
  },
  infinibench: folder => {
    const video = 'TV_shows/videos/house/season_1/episode_2.mp4'
    const row = { question_id: 'q', skill_name: 'scene_transitions', options: ['red', "I don't know"], answer_idx: 0 }
    const paths = { video_path_mp4: video, video_subtitles: 'house.srt' }
    put(join(folder, 'validation', 'scene_transitions.json'), [{ ...question, ...row, ...paths }])
    film(join(folder, video))
    put(join(folder, 'house.srt'), said)
    return []
  },
  'videoeval-pro': folder => {
    const options = { options: ['A. red', 'B. blue'], answer: 'A', answer_text: 'red', qa_type: 'Local Perception' }
    put(join(folder, 'test.jsonl'), { ...question, ...options, video: 'v.mp4' })
    film(join(folder, 'videos_filtered', 'v.mp4'))
    return ['--task', 'mcq']
  },
  allvb: folder => {
    const options = { options: ['red', 'blue', 'green', 'grey', 'pink'], answer: 'A' }
    put(join(folder, 'test.json'), [{ ...question, ...options, id: 1, video: 'v.mp4', task: 'VC' }])
    film(join(folder, 'v.mp4'))
    put(join(folder, 'v.srt'), said)
    return []
  },
  longshot: folder => {
    const criteria = [{ name: 'c', description: 'd', weight: 1, is_penalty: false }]
    const turn = (role: string, content: string) => ({ role, content, ...(role === 'assistant' && { criteria }) })
    const turns = [
      turn('user', 'Where?'),
      turn('assistant', 'Here.'),
      turn('user', 'What colour?'),
      turn('assistant', 'Red.'),
    ]
    const sample = { sample_id: 's', video_id: 'v', task: 'summarization', conversations: turns }
    put(join(folder, 'postvalid_v2_test.jsonl'), sample)
    film(join(folder, 'v.mp4'))
    return ['--task', 'answer']
  },
}

interface Part {
  type: string
  text?: string
  video_url?: { url: string }
  input_audio?: { data: string }
}

// A request as it came over the wire: pictures counted, videos by their kind, sound by its seconds.
function written(body: {
  messages: { role: string; content: string | Part[] }[]
  temperature?: number
  max_tokens?: number
}) {
  const { messages, temperature, max_tokens } = body
  const lines = messages.flatMap(({ role, content }) => [
    `[${role}]`,
    ...(typeof content === 'string' ? [content] : partLines(content)),
  ])
  return [`temperature ${temperature}, at most ${max_tokens} tokens`, ...lines].join('\n')
}

function partLines(parts: Part[]): string[] {
  const lines: string[] = []
  let pictures = 0
  for (const [at, part] of parts.entries()) {
    if (part.type === 'image_url') pictures++
    if (pictures > 0 && parts[at + 1]?.type !== 'image_url' && part.type === 'image_url') {
      lines.push(`<${pictures} pictures>`)
      pictures = 0
    }
    if (part.text !== undefined) lines.push(part.text)
    if (part.video_url) lines.push(`<video ${part.video_url.url.slice(0, 14)}>`)
    const bytes = part.input_audio && Buffer.from(part.input_audio.data, 'base64').length - 44
    if (bytes !== undefined) lines.push(`<sound of ${(bytes / 32_000).toFixed(1)} s>`)
  }
  return lines
}

async function asked(line: CommandLine, folder: string, benchmark: string, out: string, ...more: string[]) {
  const before = server.seen.length
  const ran = await line.run(
    ...['bench', 'run', benchmark, '--data', folder, '--out', join(line.cwd, out), '--judge', 'off', '--json'],
    ...['--profile', 'embedded', '--by', 'alone', '--set', 'models.vision.backend=openai'],
    ...['--set', `models.vision.url=${server.url}`, '--set', 'models.vision.model=test-model'],
    ...['--set', 'models.vision.accepts=["text","image","audio","video"]', ...more],
  )
  const bodies = server.seen
    .slice(before)
    .flatMap(({ path, body }) => (path.endsWith('/chat/completions') ? [body] : []))
  return { ran, requests: (bodies as Parameters<typeof written>[0][]).map(written) }
}

test('every mode of a paper asks as it is stored, over HTTP', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  for (const { name, variants = {} } of await allBenchmarks()) {
    if (Object.keys(variants).length === 0) continue
    const folder = join(line.cwd, name)
    const tasks = data[name]?.(folder)
    expect(tasks, name).toBeDefined()
    const shown: string[] = []
    for (const variant of Object.keys(variants)) {
      const { ran, requests } = await asked(
        line,
        folder,
        name,
        `${name}-${variant}`,
        ...(tasks ?? []),
        '--variant',
        variant,
      )
      expect(requests.length, `${name} ${variant}: ${ran.stderr}`).toBeGreaterThan(0)
      shown.push(`=== ${variant}\n${requests.join('\n---\n')}\n`)
    }
    await expect(shown.join('\n')).toMatchFileSnapshot(`../fixtures/variants/${name}.txt`)
  }
  expect(server.complaints).toEqual([])
})

test('modes are rows of an ablation, and of the tables of the paper that print them', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const folder = join(line.cwd, 'data')
  data['cg-bench']?.(folder)
  const out = join(line.cwd, 'study')
  const base = [
    '--base',
    'embedded',
    '--base-set',
    'models.vision.backend=scripted',
    '--base-set',
    'models.vision.atEnd=cycle',
  ]
  const study = await line.run(
    ...['ablate', 'cg-bench', '--data', folder, '--out', out, '--json', '--by', 'alone', '--task', 'long_acc', ...base],
    ...['--base-set', 'models.vision.replies=["```json\\n{\\"result\\": \\"A\\"}\\n```"]', '--base-option', 'frames=2'],
    ...['--option', 'variant=F,F+FT', '--option', 'variant=clue'],
  )
  expect(study.code, study.stderr).toBe(0)
  const names = JSON.parse(study.stdout).rows.map((row: { name: string }) => row.name)
  expect(names).toEqual(['base', 'option variant=F', 'option variant=F+FT', 'option variant=clue'])
  const run = await line.run(
    ...['bench', 'run', 'cg-bench', '--data', folder, '--out', join(line.cwd, 'own'), '--task', 'long_acc', ...model],
    ...[...says('```json\n{"result": "A"}\n```'), '--variant', 'F+FT', '--option', 'picture=high'],
  )
  expect(run.code, run.stderr).toBe(0)
  const report = await line.run('bench', 'report', join(line.cwd, 'own'))
  expect(report.stdout).toContain('The mode of the paper: F+FT.')
  const table = async (id: string) => (await line.run('bench', 'report', join(line.cwd, 'own'), '--table', id)).stdout
  const four = await table('cg-bench:4')
  expect(four).toMatch(/own \(F\+FT\) \*a +F\+FT +- +100\.0/)
  expect(four).toMatch(/\*a .*picture high/)
  expect(four).not.toMatch(/subtitles off, not|frameTimes/)
  const six = await table('cg-bench:6')
  expect(six).toMatch(/own \(F\+FT\) \*a +128 +High +Uniform +100\.0/)
  expect(six).not.toMatch(/\*a .*picture high/)
  const wrong = await line.run(
    ...['bench', 'run', 'cg-bench', '--data', folder, '--variant', 'F', '--option', 'subtitles=whole', ...model],
  )
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('--option subtitles=whole is not what the variant F of cg-bench sets')
  const agent = await line.run('bench', 'run', 'cg-bench', '--data', folder, '--variant', 'F', '--profile', 'embedded')
  expect(agent.code).toBe(2)
  expect(agent.stderr).toContain('--option variant sets what a model without the agent is shown')
})
