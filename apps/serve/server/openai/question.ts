import type { Turn } from '../../../../src/core/agent.ts'
import type { Video } from '../../../../src/core/video.ts'
import { checkQuestion } from '../../../../src/text/question/check-question.ts'
import { ModelError } from './errors.ts'
import type { ChatTurn } from './messages.ts'
import { type Own, unusedIn } from './parameters.ts'
import type { ModelParts } from './parts.ts'
import { pairsIn, readTurns } from './turns.ts'
import { findRequestVideo, videoNames } from './which-video.ts'

interface Understood {
  video: Video
  question: { text: string; options?: string[] }
  turns: Turn[]
  session?: string
  budget?: NonNullable<Own['longtake']>['budget']
  graph?: string
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
  const question = { text: last.text, ...(options && { options }) }
  checkQuestion(question)
  const named = metadata?.session
  const session = typeof named === 'string' && named !== '' ? named : undefined
  const storedSession = session === undefined ? undefined : await parts.sessions.find(session)
  const about = given.video ?? storedSession?.video.id
  const names = videoNames(body, said)
  const video = await findRequestVideo(
    parts,
    about === undefined ? names : [...names, { by: 'name', name: about }],
    signal,
  )
  const { pairs, notes } = pairsIn(said.slice(0, -1), session !== undefined || given.video !== undefined)
  return {
    video,
    question,
    turns: await readTurns(parts, video, pairs),
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
