import { SightBrief } from '../../src/core/brief.ts'
import { readCalls } from '../../src/store/call-log/resume.ts'
import type { AskRecord, SampleLine } from '../data/sample-line.ts'
import { callFolder } from './ask/call-folder.ts'

// What an answer rests on, for readers who have no right to the texts and pictures: a line of frames.jsonl.
interface SeenFrames {
  id: string
  ask: string
  times: number[] // of frames that a model was shown, in seconds, where its request says them
  frames: number // that models were shown in all
  rows: { id: string; track: string; start: number; end: number; cited: boolean }[]
  prompts: string[] // sha256 of each request
}

// From the recorded calls of each question. A request that several questions shared belongs to none of them.
export async function listSeenFrames(folder: string, lines: readonly SampleLine[]): Promise<SeenFrames[]> {
  const seen: SeenFrames[] = []
  for (const { id, asks } of lines) for (const ask of asks) seen.push(await readSeen(folder, id, ask))
  return seen
}

async function readSeen(folder: string, id: string, { name, usage, evidence }: AskRecord): Promise<SeenFrames> {
  const chats = (await readCalls(callFolder(folder, `${id}-${name}`))).filter(({ kind }) => kind === 'chat')
  const times = chats.flatMap(({ request }) => SightBrief.safeParse(request.brief).data?.pictures.flat() ?? [])
  return {
    id,
    ask: name,
    times: [...new Set(times)].sort((a, b) => a - b),
    frames: usage.frames,
    rows: evidence.map(({ id, track, span, cited }) => ({ id, track, start: span.start, end: span.end, cited })),
    prompts: [...new Set(chats.flatMap(({ key }) => key ?? []))].sort(),
  }
}
