import type { Question, Turn } from '../../core/agent.ts'
import { UsageError } from '../../core/errors.ts'
import type { AskOptions, AskReport, OpenVideo } from '../../core/runtime.ts'
import type { Video } from '../../core/video.ts'
import { type ChatSession, openSessions, type SessionStore } from '../../store/sessions.ts'

export type { ChatSession, SessionTurn } from '../../store/sessions.ts'
export { openSessions }

// The session of this name, begun if there is none. A session is about one video.
export async function sessionFor(sessions: SessionStore, name: string, video: Video): Promise<ChatSession> {
  const session = (await sessions.find(name)) ?? (await sessions.create(name, video))
  if (session.video.id === video.id) return session
  if (session.video.name === video.name)
    throw new UsageError(`Session "${name}" is about ${video.name} as it was before: its content has changed since.`, {
      hint: 'Choose another name for the conversation about the file as it is now.',
    })
  throw new UsageError(`Session "${name}" is about ${session.video.name}, not about ${video.name}.`, {
    hint: 'Choose another name for the conversation about this video.',
  })
}

// Asks with the turns of the session before it, and keeps the turn. One that was stopped is not a turn: it can be gone on with.
export async function askInSession(
  sessions: SessionStore,
  name: string,
  opened: Pick<OpenVideo, 'ask' | 'index'>,
  question: Question,
  options: AskOptions = {},
): Promise<AskReport> {
  const { turns } = await sessionFor(sessions, name, opened.index.video)
  const report = await opened.ask(question, { ...options, turns: turns.map(asTurn), session: name })
  await keepTurn(sessions, report)
  return report
}

// Once for each run: a run that is gone on with after its turn was kept adds nothing.
export async function keepTurn(sessions: SessionStore, report: AskReport): Promise<void> {
  const { session, stop, run } = report
  if (session === undefined || stop === 'interrupted') return
  const storedSession = await sessions.find(session)
  if (!storedSession || storedSession.turns.some(turn => turn.run === run)) return
  await sessions.append(session, { ...turnFromReport(report), run })
}

// What is kept of an answered question: with the rows that it cites.
export function turnFromReport({ question, answer, evidence }: AskReport): Turn {
  const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
  return { question, answer, evidence: evidence.filter(row => cited.has(row.id)).map(({ words: _, ...row }) => row) }
}

function asTurn({ question, answer, reference, evidence }: ChatSession['turns'][number]): Turn {
  return { question, answer, reference, evidence }
}
