import type { Turn } from '../../../../src/core/agent.ts'
import type { Video } from '../../../../src/core/video.ts'
import { turnFromReport } from '../../../../src/runtime/ask/ask-in-session.ts'
import { reportOfRun } from '../../../../src/runtime/runs/run-record.ts'
import { writeAnswerContent } from './content.ts'
import type { ChatTurn } from './messages.ts'
import type { ModelParts } from './parts.ts'

const maxPairs = 50 // the newest ones are read
const maxCharacters = 100_000 // of them together: what they point at is looked for in all of it

interface Pair {
  asked: string
  answered: string
}

// A question with its answer each. What stands alone is left out, and said.
export function pairsIn(said: readonly ChatTurn[], isKept: boolean): { pairs: Pair[]; notes: string[] } {
  const pairs: Pair[] = []
  let alone = 0
  let question: string | undefined
  for (const { role, text } of said) {
    if (role === 'other') continue
    if (role === 'user') {
      if (question !== undefined) alone++
      question = text
    } else if (question === undefined) alone++
    else {
      pairs.push({ asked: question, answered: withoutThinking(text) })
      question = undefined
    }
  }
  if (question !== undefined) alone++
  const isDropped = isKept && pairs.length > 0
  const newest = pairs.slice(-maxPairs)
  const read = isDropped ? [] : keepNewest(newest)
  const cut = !isDropped && measureLength(read) < measureLength(newest)
  const unread = isDropped ? 0 : Math.max(0, pairs.length - maxPairs)
  const notes = [
    ...(said.some(({ role }) => role === 'other')
      ? ['Messages that are not of the user or the assistant are not used.']
      : []),
    ...(alone > 0 ? [`Earlier messages that are not a question with its answer are not used: ${alone}.`] : []),
    ...(isDropped ? ['The earlier messages are not used: the conversation is kept here.'] : []),
    ...(unread > 0 ? [`Of the earlier questions only the newest ${maxPairs} are used; ${unread} are not.`] : []),
    ...(cut ? [`Of the earlier messages only the newest ${maxCharacters} characters are used.`] : []),
  ]
  return { pairs: read, notes }
}

// The newest pairs, as far as there is room for them.
function keepNewest(pairs: readonly Pair[]): Pair[] {
  const recentPairs: Pair[] = []
  let charactersLeft = maxCharacters
  for (const { asked, answered } of [...pairs].reverse()) {
    if (charactersLeft <= asked.length) break
    recentPairs.unshift({ asked, answered: answered.slice(0, charactersLeft - asked.length) })
    charactersLeft -= asked.length + answered.length
  }
  return recentPairs
}

function measureLength(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, { asked, answered }) => sum + asked.length + answered.length, 0)
}

// Read once from its start to its end: a thought without an end does not count.
export function withoutThinking(text: string): string {
  let remainder = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<think>', at)
    const end = start < 0 ? -1 : text.indexOf('</think>', start)
    if (end < 0) return (remainder + text.slice(at)).trim()
    remainder += text.slice(at, start)
    at = end + '</think>'.length
  }
}

// An answer of this server, word for word, is that answer with its evidence. Any other text is taken as the reference.
export async function readTurns(parts: ModelParts, video: Video, pairs: readonly Pair[]): Promise<Turn[]> {
  if (pairs.length === 0) return []
  const runs = new Map<string, string[]>() // by the words of their question
  for (const { video: about, state, question, run } of parts.jobs.list()) {
    if (about.id !== video.id || state !== 'done' || !question || run === undefined) continue
    runs.set(question.text, [...(runs.get(question.text) ?? []), run])
  }
  const answers = new Map<string, Answered | undefined>() // each run is read once
  const answerOf = async (run: string): Promise<Answered | undefined> => {
    if (!answers.has(run)) answers.set(run, await readAnswer(parts.home, run))
    return answers.get(run)
  }
  const turns: Turn[] = []
  for (const { asked, answered } of pairs) {
    let turn: Turn | undefined
    for (const run of runs.get(asked) ?? []) {
      const answer = await answerOf(run)
      if (answer?.text === answered) turn = answer.turn
      if (turn) break
    }
    turns.push(turn ?? { question: { text: asked }, reference: answered })
  }
  return turns
}

interface Answered {
  text: string
  turn: Turn
}

async function readAnswer(home: string, run: string): Promise<Answered | undefined> {
  const report = await reportOfRun(home, run).catch(() => undefined)
  return (
    report && {
      text: writeAnswerContent(report.answer, report.evidence, () => '').text.trim(),
      turn: turnFromReport(report),
    }
  )
}
