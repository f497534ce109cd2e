import type { Turn } from '../../../../src/core/agent.ts'
import type { Job } from '../../../../src/core/api/job.ts'
import { stableJson } from '../../../../src/core/json.ts'
import type { Video } from '../../../../src/core/video.ts'
import { checkQuestion } from '../../../../src/text/question/check-question.ts'
import { libraryVideo } from '../../work/jobs/begin-ask.ts'
import { pathInFolder } from '../../work/videos/find-video.ts'
import { type NamedFile, openNamed, videosNamed } from '../../work/videos/name-video.ts'
import { readAnswerFormat } from './answer-json.ts'
import type { AnswerForm } from './chunks.ts'
import { ModelError } from './errors.ts'
import { videoOfData, videoOfFile } from './files.ts'
import { readLetteredOptions } from './lettered-options.ts'
import type { ChatTurn, VideoName } from './messages.ts'
import { videoOfModel } from './models.ts'
import { type Own, unusedIn } from './parameters.ts'
import type { ModelParts } from './parts.ts'
import { pairsIn, readTurns } from './turns.ts'

interface Understood {
  video: Job['video']
  library?: true // it is asked over all videos
  question: { text: string; options?: string[] }
  turns: Turn[]
  session?: string
  budget?: NonNullable<Own['longtake']>['budget']
  graph?: string
  form: AnswerForm
  notes: string[] // what was not used
}

interface AskInput {
  body: Own
  said: readonly ChatTurn[]
  video?: string // of the response that it goes on from, which holds the conversation so far
}

// What a request asks: its last message is the question, the earlier ones are the conversation so far.
export async function parseAsk(parts: ModelParts, given: AskInput, signal: AbortSignal): Promise<Understood> {
  const { body, said } = given
  const { metadata, options, longtake } = body
  const last = said.at(-1)
  if (last?.role !== 'user' || last.text === '')
    throw new ModelError(400, 'invalid_request', 'The last message must be a question of the user.', {
      param: 'messages',
    })
  refuseTaskOfClient(last.text)
  const lettered = options ? undefined : readLetteredOptions(last.text)
  const question = lettered ?? { text: last.text, ...(options && { options }) }
  checkQuestion(question)
  const named = metadata?.session
  const session = typeof named === 'string' && named !== '' ? named : undefined
  const storedSession = session === undefined ? undefined : await parts.sessions.find(session)
  const about = given.video ?? storedSession?.video.id
  const names = videoNames(body, said)
  const requested = await findRequestVideo(
    parts,
    about === undefined ? names : [...names, { by: 'name', name: about }],
    signal,
  )
  const video = requested ?? (await libraryVideo(parts))
  const { pairs, notes } = pairsIn(said.slice(0, -1), session !== undefined || given.video !== undefined)
  return {
    video,
    ...(!requested && { library: true }),
    question,
    turns: requested ? await readTurns(parts, requested, pairs) : [],
    session,
    budget: longtake?.budget,
    graph: longtake?.graph,
    form: { letters: lettered !== undefined, json: readAnswerFormat(body) },
    notes: [
      ...unusedIn(body),
      ...notes,
      ...(!requested && pairs.length > 0
        ? ['The earlier messages are not used: a question over all videos does not see them.']
        : []),
    ],
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

// Every name that a request has for its video.
function videoNames({ model, video_id: id, metadata }: Own, said: readonly ChatTurn[]): VideoName[] {
  const names = [videoOfModel(model), id, metadata?.video_id].filter(name => typeof name === 'string' && name !== '')
  return [...names.map(name => ({ by: 'name', name: name as string }) as const), ...said.flatMap(one => one.names)]
}

// All names must mean the same video. If there is none, a library of one video leaves no doubt; of several, all are asked.
async function findRequestVideo(
  parts: ModelParts,
  names: readonly VideoName[],
  signal: AbortSignal,
): Promise<Video | undefined> {
  const { library } = parts.served.runtime
  if (names.length === 0) {
    const all = await library.list()
    const [only] = all
    if (only && all.length === 1) return only
    if (all.length > 1) return undefined
    throw new ModelError(400, 'video_missing', 'The request names no video.', {
      param: 'video_id',
      hint: 'The library is empty: name a file with "video_id", or upload it to /v1/files.',
    })
  }
  const [firstName, ...otherNames] = new Map(names.map(name => [stableJson(name), name])).values()
  const first = await named(parts, firstName as VideoName, signal)
  for (const name of otherNames) {
    const other = await named(parts, name, signal)
    if (other.id === first.id) continue
    throw new ModelError(400, 'video_ambiguous', `The request names ${first.name} and ${other.name}.`, {
      param: 'video_id',
      hint: 'A question is about one video.',
    })
  }
  return first
}

async function named(parts: ModelParts, name: VideoName, signal: AbortSignal): Promise<Video> {
  const { served, folders } = parts
  if (name.by === 'file') return videoOfFile(parts, name.file, signal)
  if (name.by === 'data') return videoOfData(parts, name.data, signal)
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

function ambiguous(name: string, fitting: readonly NamedFile[]): ModelError {
  const candidateIds = fitting.flatMap(({ video }) => video?.id ?? [])
  return new ModelError(409, 'video_ambiguous', `${fitting.length} videos are named ${JSON.stringify(name)}.`, {
    param: 'video_id',
    hint:
      candidateIds.length > 0
        ? `Send the id of one: ${candidateIds.slice(0, 8).join(', ')}.`
        : 'Send the whole name of the file.',
  })
}
