import { stands } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { type Span, spanLength } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import { contentWords } from '../../src/text/terms.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'
import { callsOf, closerCalls } from '../calls/kinds.ts'
import { helperRounds } from '../helper/set-aside.ts'
import { exhausted } from '../nodes/budget.ts'
import { isChecked, judge } from '../nodes/judge.ts'
import type { AgentSession, Policy } from '../session.ts'
import type { Checked, DraftSentence, Judged, RunState } from '../state.ts'

// The next step of each verdict: supported stays; contradicted goes, and the question is searched without what was claimed;
// unseen is looked at once more at that span with the tool of its track, then stays or goes. Where that leaves nothing, or
// brought something to say instead, the answer is written once more.
export default {
  async doubt(session, state, checked, run) {
    if (!mayLookAgain(session, state)) return checked
    const calls = pairs(checked).flatMap(([sentence, judged]) => nextCalls(session, sentence, judged))
    const looked = calls.length > 0
    const seen = looked
      ? await judgeUnseen(session, await run(checked, calls.slice(0, session.parts.policy.callsPerRound)))
      : checked
    const cited = pairs(seen).filter(([sentence]) => sentence.cites.length > 0)
    const wrong = cited.filter(([, judged]) => !stands(judged.verdict))
    const contradicted = wrong.some(([, judged]) => judged.verdict === 'contradicted')
    const nothingHolds = cited.length > 0 && wrong.length === cited.length
    if (!nothingHolds && !(contradicted && looked)) return seen
    return {
      ...seen,
      again: {
        dropped: wrong.map(([sentence]) => sentence.text),
        hints: wrong.map(([sentence, judged]) => hintFor(sentence, judged)),
      },
    }
  },
} satisfies Policy

const margin = 6 // seconds on each side of what was cited
const longest = 40

function pairs({ written, verdicts }: Checked): [DraftSentence, Judged][] {
  return written.sentences.flatMap((sentence, i) => {
    const judged = verdicts[i]
    return judged ? [[sentence, judged]] : []
  })
}

function mayLookAgain(session: AgentSession, { stop, written, round, secondLooks, steps }: RunState): boolean {
  return (
    isChecked(session) &&
    secondLooks === 0 &&
    !written?.abstained &&
    stop === undefined &&
    !session.stopped() &&
    exhausted(session.usage(), session.parts.budget, round + helperRounds(steps)) === undefined
  )
}

function nextCalls(session: AgentSession, sentence: DraftSentence, { verdict }: Judged): ToolCall[] {
  if (sentence.cites.length === 0 || stands(verdict)) return []
  return verdict === 'contradicted' ? searchOpposite(session, sentence.text) : lookAgain(session, sentence)
}

// The words of the question without what the sentence claimed of them.
function searchOpposite({ parts: { question, tools } }: AgentSession, sentence: string): ToolCall[] {
  const asked = contentWords(question.text)
  const words =
    asked.length > 0
      ? asked
      : tokens(sentence)
          .filter(token => !isStopWord(token.text))
          .slice(0, 4)
  const query = [...new Set(words.map(token => token.text))].slice(0, 10).join(' ')
  return callsOf(tools, 'search', 'opposite', { query: `${query} not instead`, k: 8 })
}

// The cited span once more with the tool that goes back to its track, and all around it.
function lookAgain(session: AgentSession, { text, cites }: DraftSentence): ToolCall[] {
  const { tools, index } = session.parts
  const [row] = session.rows(cites)
  if (!row) return []
  const span = widened(row.span, index.coverage.duration)
  const short = text.slice(0, 200)
  const questions: Record<string, object> = {
    sound: { question: `Is this borne out: ${short}` },
    picture: { question: `What is seen that bears on: ${short}` },
  }
  const question = Object.hasOwn(questions, row.track) ? questions[row.track] : {}
  return [
    ...closerCalls(tools, row.track, 'again', { ...span, ...question }),
    ...callsOf(tools, 'list', 'again-around', span),
  ]
}

// What was unseen, tried once more together with what the second look brought from the same span.
async function judgeUnseen(session: AgentSession, checked: Checked): Promise<Checked> {
  const { steps, written } = checked
  const fresh = steps.filter(step => step.round === checked.round - 1).flatMap(step => step.evidence)
  const made = await Promise.all(
    pairs(checked).map(async ([sentence, judged]) => {
      const as = { sentence, verdict: judged }
      if (judged.verdict !== 'unseen' || sentence.cites.length === 0) return as
      const rows = session.rows(sentence.cites)
      const near = session.rows(fresh).filter(row => !sentence.cites.includes(row.id) && isNear(row, rows))
      if (near.length === 0) return as
      const wider = { ...sentence, cites: [...sentence.cites, ...near.slice(0, 6).map(row => row.id)] }
      const verdict = await judge(session, wider)
      return { sentence: stands(verdict.verdict) ? wider : sentence, verdict }
    }),
  )
  return {
    ...checked,
    written: { ...written, sentences: made.map(one => one.sentence) },
    verdicts: made.map(one => one.verdict),
  }
}

function isNear(row: Evidence, rows: readonly Evidence[]): boolean {
  return rows.some(one => row.span.start <= one.span.end + 10 && row.span.end >= one.span.start - 10)
}

function hintFor(sentence: DraftSentence, judged: Judged): string {
  const about = fence('sentence', `${sentence.text} (${judged.reason})`)
  return judged.verdict === 'contradicted'
    ? `The evidence contradicts this sentence. Search for what is true instead.\n${about}`
    : `The cited rows do not show this. Look once more at that moment, or search elsewhere.\n${about}`
}

function widened(span: Span, duration: number): Span {
  const start = Math.max(0, span.start - margin)
  const wanted = spanLength(span) > longest ? span.start + longest : span.end + margin
  return { start, end: Math.min(duration, wanted) }
}
