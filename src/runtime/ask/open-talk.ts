import type { Question, RunEvent, Turn } from '../../core/agent.ts'
import type { AskOptions, AskReport, OpenVideo } from '../../core/runtime.ts'
import { type AnswerStream, answerStream } from './answer-stream.ts'
import { askInSession, openSessions, sessionFor } from './ask-in-session.ts'

// Whoever aborts `signal` gets its reason; the run folder stays, and can be gone on with.
export type TalkOptions = Pick<AskOptions, 'watch' | 'signal' | 'budget' | 'graph' | 'checkpointer' | 'reply'>

// Questions about one video, one after another: what a question says of earlier answers is understood.
export interface Talk {
  name?: string // where it is kept
  turns(): Promise<Turn[]>
  ask(question: string | Question, options?: TalkOptions): Promise<AskReport>
  stream(question: string | Question, options?: TalkOptions): AnswerStream
  fork(name?: string, at?: number): Promise<Talk> // another one that begins with these turns, or with the first `at` of them
}

// Without a name a conversation is kept in memory only.
export function openTalk(opened: OpenVideo, home: string, name?: string, first: readonly Turn[] = []): Talk {
  const talkTurns: Turn[] = [...first]
  const sessions = openSessions(home)
  const ask = async (question: string | Question, options: TalkOptions = {}): Promise<AskReport> => {
    const fullQuestion = asQuestion(question)
    if (name !== undefined) return askInSession(sessions, name, opened, fullQuestion, options)
    const report = await opened.ask(fullQuestion, { ...options, turns: [...talkTurns] })
    const cited = new Set(report.answer.sentences.flatMap(sentence => sentence.cites))
    if (report.stop !== 'interrupted')
      talkTurns.push({
        question: report.question,
        answer: report.answer,
        evidence: report.evidence.filter(row => cited.has(row.id)),
      })
    return report
  }
  const askOnce: Talk['ask'] = async (question, options) =>
    throwIfInterrupted(await ask(question, options), options?.signal)
  return {
    name,
    turns: async () =>
      name === undefined ? [...talkTurns] : (await sessionFor(sessions, name, opened.index.video)).turns,
    ask: askOnce,
    stream: (question, options = {}) =>
      answerStream((watch, signal) => {
        const both = (event: RunEvent) => {
          options.watch?.(event)
          watch(event)
        }
        return askOnce(question, { ...options, watch: both, signal })
      }, options.signal),
    async fork(as, at) {
      if (name === undefined || as === undefined) {
        const turns = name === undefined ? talkTurns : (await sessions.read(name)).turns
        return openTalk(opened, home, undefined, turns.slice(0, at ?? turns.length))
      }
      await sessions.fork(name, at, as)
      return openTalk(opened, home, as)
    },
  }
}

export function asQuestion(question: string | Question): Question {
  return typeof question === 'string' ? { text: question } : question
}

// Whoever aborts wants no answer any more, as everywhere in Node.
export function throwIfInterrupted(report: AskReport, signal: AbortSignal | undefined): AskReport {
  if (report.stop === 'interrupted') signal?.throwIfAborted()
  return report
}
