import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreateRuntime } from '../../src/cli/call.ts'
import { fail } from '../../src/cli/fail.ts'
import { runCommandLine } from '../../src/cli/program.ts'
import { terminal } from '../../src/cli/terminal.ts'
import { type Evidence, stamp } from '../../src/core/evidence.ts'
import type {
  AllVideoActions,
  AskReport,
  IndexReport,
  QuestionActions,
  Runtime,
  VideoActions,
} from '../../src/core/runtime.ts'
import type { Coverage, TrackCoverage, Video } from '../../src/core/video.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface CommandLine {
  cwd: string
  run(...argv: string[]): Promise<Ran>
}

// The command line in this process, with its own folder, its own streams and the given runtime.
export function commandLine(runtime: FakeParts | CreateRuntime = {}, environment: NodeJS.ProcessEnv = {}): CommandLine {
  const cwd = mkdtempSync(join(tmpdir(), 'longtake-cli-'))
  const createRuntime: CreateRuntime = typeof runtime === 'function' ? runtime : async () => inMemoryRuntime(runtime)
  return {
    cwd,
    async run(...argv) {
      const written = { stdout: '', stderr: '' }
      const to = (name: 'stdout' | 'stderr') => ({
        write: (text: string) => {
          written[name] += text
        },
      })
      const screen = terminal(to('stdout'), to('stderr'), environment)
      const world = {
        cwd,
        environment: { LONGTAKE_HOME: join(cwd, 'home'), ...environment },
        terminal: screen,
        signal: new AbortController().signal,
        createRuntime,
      }
      const code = await runCommandLine(argv, world).catch(error =>
        fail(error, screen, { debug: false, aborted: false }),
      )
      return { code, ...written }
    },
  }
}

export const video: Video = {
  id: 'v0123456789abcdef0123',
  path: '/videos/talk.mp4',
  name: 'talk.mp4',
  bytes: 1000,
  container: 'mov',
  start: 0,
  duration: 1800,
  picture: { index: 0, codec: 'h264', width: 640, height: 360, start: 0, rotation: 0, hdr: false },
  sound: { index: 1, codec: 'aac', channels: 2, sampleRate: 48_000, start: 0 },
  otherSounds: [],
  subtitles: [],
  sidecars: [],
  notes: [],
}

const whole: TrackCoverage = { state: 'indexed', by: 'x/y', spans: [{ start: 0, end: 1800 }], items: 2 }
export const coverage: Coverage = {
  duration: 1800,
  picture: whole,
  speech: whole,
  text: whole,
  sound: { state: 'absent', spans: [], items: 0, note: 'the video has no audio track' },
  notes: [],
}

// The same video, cut short.
export const partialCoverage: Coverage = {
  ...coverage,
  speech: { ...whole, state: 'partial', spans: [{ start: 0, end: 900 }], note: '15:00-30:00 could not be decoded' },
}

export function row(start: number, end: number, text: string, track: Evidence['track'] = 'speech'): Evidence {
  return stamp({ span: { start, end }, track, text }, video.id, 'transcribe/pocketsphinx')
}

export const rows = [
  row(724, 751, 'I have to catch my train'),
  row(730, 740, 'DEPARTURES', 'text'),
  row(2, 3, 'door slam', 'sound'),
]

export const asked: AskReport = {
  video,
  question: { text: 'Why did she leave?' },
  answer: {
    text: 'She had to catch her train.',
    sentences: [{ text: 'She had to catch her train.', cites: [rows[0]!.id], verdict: 'supported' }],
    confidence: 0.72,
    abstained: false,
    degraded: [],
  },
  evidence: rows,
  coverage,
  steps: [],
  usage: { calls: 1, inputTokens: 10, outputTokens: 5, frames: 0, seconds: 1, money: 0 },
  stop: 'answered',
  profile: 'embedded',
  run: 'runs/1',
}

export const indexed: IndexReport = {
  video,
  coverage,
  overview: { duration: 1800, shots: 1, speakers: [], chapters: [], notIndexed: [] },
  stages: [{ stage: 'decode', by: 'shots/x', key: 'k', state: 'done', started: 0, seconds: 12, items: 3 }],
  seconds: 13,
  profile: 'embedded',
  partial: false,
}

type FakeParts = Partial<
  VideoActions & QuestionActions & Pick<Runtime, 'doctor' | 'close' | 'unusedKey' | 'advice'>
> & {
  searchAll?: AllVideoActions['search']
}

// A runtime that knows one video by heart; parts of it can be replaced.
export function inMemoryRuntime(parts: FakeParts = {}): Runtime {
  const unused = () => Promise.reject(new Error('not part of this test'))
  const overview = {
    ...indexed.overview,
    chapters: [
      { span: { start: 0, end: 600 }, title: 'Arrival', summary: '', cites: [] },
      { span: { start: 600, end: 1800 }, title: 'The train', summary: '', cites: [] },
    ],
  }
  const { searchAll, doctor = unused, close = async () => {}, unusedKey, advice, ...given } = parts
  const hit = { evidence: rows[0]!, score: 0.5, lists: ['words' as const], terms: ['train'] }
  return {
    profile: { name: 'embedded', why: 'it was asked for' },
    unusedKey,
    advice,
    videos: {
      index: async () => indexed,
      forecast: unused,
      fetch: unused,
      open: unused,
      search: async () => ({ video, hits: [hit], coverage }),
      show: async () => ({
        video,
        coverage,
        overview,
        shots: [{ start: 0, end: 1800, opens: 'start' }],
        evidence: rows,
      }),
      ...given,
    },
    questions: {
      ask: async (_, question) => ({ ...asked, question }),
      openVideo: unused,
      resume: unused,
      fork: unused,
      replay: unused,
      ...given,
    },
    allVideos: {
      ask: unused,
      search:
        searchAll ?? (async () => ({ hits: [{ ...hit, video }], searched: [{ video, coverage }], notSearched: [] })),
    },
    callOperation: unused,
    doctor,
    close,
  }
}
