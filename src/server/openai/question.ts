import { turnOf } from '../../app/ask/ask-in-session.ts'
import { checkQuestion } from '../../app/ask/check-question.ts'
import { type AllowedFolder, findVideo, pathInFolder } from '../../app/serve/find-video.ts'
import type { Jobs } from '../../app/serve/jobs.ts'
import { type Named, openNamed, videosNamed } from '../../app/serve/name-video.ts'
import { reportOfRun } from '../../app/serve/run-view.ts'
import type { Served } from '../../app/serve/video-view.ts'
import type { Turn } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { Video } from '../../core/video.ts'
import type { SessionStore } from '../../store/sessions.ts'
import { contentOf } from './content.ts'
import { ModelError } from './errors.ts'
import type { Said, VideoName } from './messages.ts'
import { videoOfModel } from './models.ts'
import { type Own, unusedIn } from './parameters.ts'

export interface ModelParts {
  served: Served
  jobs: Jobs
  sessions: SessionStore
  folders: readonly AllowedFolder[]
  home: string
  uploaded(file: string): Promise<string> // the video of an uploaded file
  link(video: string, row: Pick<Evidence, 'id' | 'span'>): string // to the moment on the page
}

export interface Understood {
  video: Video
  question: { text: string; options?: string[] }
  turns: Turn[]
  session?: string
  budget?: NonNullable<Own['longtake']>['budget']
  graph?: string
  notes: string[] // what was not used
}

interface Given {
  body: Own
  said: readonly Said[]
  video?: string // of the response that it goes on from, which holds the conversation so far
}

// What a request asks: its last message is the question, the earlier ones are the conversation so far.
export async function understand(parts: ModelParts, given: Given, signal: AbortSignal): Promise<Understood> {
  const { body, said } = given
  const { metadata, options, longtake } = body
  const last = said.at(-1)
  if (last?.role !== 'user' || last.text === '')
    throw new ModelError(400, 'invalid_request', 'The last message must be a question of the user.', {
      param: 'messages',
    })
  refuseTaskOfClient(last.text)
  const question = { text: last.text, ...(options && { options }) }
  checkQuestion(question)
  const named = metadata?.session
  const session = typeof named === 'string' && named !== '' ? named : undefined
  const known = session === undefined ? undefined : await parts.sessions.find(session)
  const about = given.video ?? known?.video.id
  const names = namesIn(body, said)
  const video = await videoOf(parts, about === undefined ? names : [...names, { by: 'name', name: about }], signal)
  const { pairs, notes } = pairsIn(said.slice(0, -1), session !== undefined || given.video !== undefined)
  return {
    video,
    question,
    turns: await Promise.all(pairs.map(pair => turnFrom(parts, video, pair))),
    session,
    budget: longtake?.budget,
    graph: longtake?.graph,
    notes: [...unusedIn(body), ...notes],
  }
}

// Open WebUI asks its models for titles, tags and follow-ups of a chat as well.
function refuseTaskOfClient(text: string): void {
  if (!/^### Task:/.test(text)) return
  throw new ModelError(400, 'task_unsupported', 'This model answers questions about videos and does no other task.', {
    param: 'messages',
    hint: 'Choose another model for titles, tags and follow-ups: in Open WebUI under Admin Settings, Interface.',
  })
}

function namesIn({ model, video_id: id, metadata }: Own, said: readonly Said[]): VideoName[] {
  const names = [videoOfModel(model), id, metadata?.video_id].filter(name => typeof name === 'string' && name !== '')
  return [...names.map(name => ({ by: 'name', name: name as string }) as const), ...said.flatMap(one => one.names)]
}

// All names must mean the same video. Where none is given, a library of one video leaves no doubt.
async function videoOf(parts: ModelParts, names: readonly VideoName[], signal: AbortSignal): Promise<Video> {
  const { library } = parts.served.runtime
  if (names.length === 0) {
    const all = await library.list()
    const [only] = all
    if (only && all.length === 1) return only
    const listed = all.slice(0, 20).map(({ name }) => name)
    const more = all.length > listed.length ? ` and ${all.length - listed.length} more` : ''
    throw new ModelError(400, 'video_missing', 'The request names no video.', {
      param: 'video_id',
      hint:
        all.length === 0
          ? 'The library is empty: name a file with "video_id", or upload it to /v1/files.'
          : `Send "video_id", or the model "longtake/NAME", with one of: ${listed.join(', ')}${more}.`,
    })
  }
  const found: Video[] = []
  for (const name of names) found.push(await named(parts, name, signal))
  const [first, ...others] = found
  const other = others.find(({ id }) => id !== first?.id)
  if (!first || other)
    throw new ModelError(400, 'video_ambiguous', `The request names ${first?.name} and ${other?.name}.`, {
      param: 'video_id',
      hint: 'A question is about one video.',
    })
  return first
}

async function named(parts: ModelParts, name: VideoName, signal: AbortSignal): Promise<Video> {
  const { served, folders } = parts
  if (name.by === 'file') return findVideo(served.runtime.library, await parts.uploaded(name.file))
  if (name.by === 'path') {
    const path = await pathInFolder(folders, name.path, undefined)
    return openNamed(served, { path }, signal)
  }
  const fitting = await videosNamed(served, folders, name.name)
  const [first] = fitting
  if (!first) throw notFound(name.name)
  if (fitting.length > 1) throw ambiguous(name.name, fitting)
  return openNamed(served, first, signal)
}

function notFound(name: string): ModelError {
  return new ModelError(404, 'video_not_found', `There is no video ${JSON.stringify(name)}.`, {
    param: 'video_id',
    hint: 'GET /v1/models lists those with an index; others are named by a file below a folder of the server.',
  })
}

function ambiguous(name: string, fitting: readonly Named[]): ModelError {
  const known = fitting.flatMap(({ video }) => video?.id ?? [])
  return new ModelError(409, 'video_ambiguous', `${fitting.length} videos are named ${JSON.stringify(name)}.`, {
    param: 'video_id',
    hint:
      known.length > 0 ? `Send the id of one: ${known.slice(0, 8).join(', ')}.` : 'Send the whole name of the file.',
  })
}

interface Pair {
  asked: string
  answered: string
}

// A question with its answer each. What stands alone is left out, and said.
function pairsIn(said: readonly Said[], isKept: boolean): { pairs: Pair[]; notes: string[] } {
  const pairs: Pair[] = []
  let alone = 0
  let asked: string | undefined
  for (const { role, text } of said) {
    if (role === 'other') continue
    if (role === 'user') {
      if (asked !== undefined) alone++
      asked = text
    } else if (asked === undefined) alone++
    else {
      pairs.push({ asked, answered: withoutThinking(text) })
      asked = undefined
    }
  }
  if (asked !== undefined) alone++
  const isDropped = isKept && pairs.length > 0
  const notes = [
    ...(said.some(({ role }) => role === 'other')
      ? ['Messages that are not of the user or the assistant are not used.']
      : []),
    ...(alone > 0 ? [`Earlier messages that are no question with its answer are not used: ${alone}.`] : []),
    ...(isDropped ? ['The earlier messages are not used: the conversation is kept here.'] : []),
  ]
  return { pairs: isDropped ? [] : pairs, notes }
}

function withoutThinking(text: string): string {
  return text.replace(/<think>[\s\S]*?<\/think>/g, '').trim()
}

// An answer of this server, word for word, is that answer with its evidence. Any other text is taken as the reference.
async function turnFrom(parts: ModelParts, video: Video, { asked, answered }: Pair): Promise<Turn> {
  const same = parts.jobs
    .list()
    .filter(job => job.video.id === video.id && job.state === 'done' && job.question?.text === asked)
  for (const { run } of same) {
    const report = run === undefined ? undefined : await reportOfRun(parts.home, run).catch(() => undefined)
    if (report && contentOf(report.answer, report.evidence, () => '').text.trim() === answered) return turnOf(report)
  }
  return { question: { text: asked }, reference: answered }
}
