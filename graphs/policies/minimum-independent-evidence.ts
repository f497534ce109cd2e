import type { ToolCall } from '../../src/core/chat.ts'
import type { Evidence, Track } from '../../src/core/evidence.ts'
import { type Route, routeOf } from '../../src/text/question/route.ts'
import { keyWords } from '../../src/text/terms.ts'
import { callsOf } from '../calls/kinds.ts'
import { helperRounds } from '../helper/set-aside.ts'
import { exhausted } from '../nodes/budget.ts'
import { isChecked, judge } from '../nodes/judge.ts'
import type { AgentSession, Policy } from '../session.ts'

const apart = 10 // seconds
const oneMoment: Route[] = ['when', 'count', 'order', 'summary'] // where a second moment would be wrong

// A main claim on one row: one search for a second in another track or 10 s apart, cited where the verifier says that it bears
// the claim out too; where there is none the confidence is a tenth lower. Not where one moment, a count or an order is asked
// for.
export default {
  async support(session, { stop, steps }, done, run) {
    const { policy, question, budget } = session.parts
    const at = done.written.sentences.findIndex(
      (one, i) => one.cites.length > 0 && done.verdicts[i]?.verdict === 'supported',
    )
    const main = done.written.sentences[at]
    if (!isChecked(session) || !main || done.written.abstained || stop || session.stopped()) return done
    const rows = session.rows(main.cites)
    if (oneMoment.includes(routeOf(question.text, question.options))) return done
    if (rows.length === 0 || independent(rows).length >= policy.independentSources) return done
    if (exhausted(session.usage(), budget, done.round + helperRounds(steps))) return done
    const calls = secondSourceCalls(session, main.text, rows)
    if (calls.length === 0) return done
    const looked = await run(done, calls)
    const found = new Set(looked.steps.filter(step => step.round === done.round).flatMap(step => step.evidence))
    const others = session.rows([...found]).filter(row => rows.every(one => areIndependent(row, one)))
    const other = await firstThatBears(session, main.text, others)
    if (!other) return looked
    const sentences = done.written.sentences.map((one, i) =>
      i === at ? { ...one, cites: [...one.cites, other.id] } : one,
    )
    return { ...looked, written: { ...done.written, sentences } }
  },
  finish(session, _state, { held: [main], abstained }) {
    const wanted = session.parts.policy.independentSources
    return { single: !abstained && main !== undefined && independent(session.rows(main.cites)).length < wanted }
  },
} satisfies Policy

// Rows that do not stand or fall together: of another track, or at another moment.
function independent(rows: readonly Evidence[]): Evidence[] {
  const kept: Evidence[] = []
  for (const row of rows) if (kept.every(other => areIndependent(row, other))) kept.push(row)
  return kept
}

function areIndependent(a: Evidence, b: Evidence): boolean {
  return a.track !== b.track || a.span.start - b.span.end >= apart || b.span.start - a.span.end >= apart
}

// The words of the claim, in the other tracks and elsewhere.
function secondSourceCalls({ parts }: AgentSession, claim: string, rows: readonly Evidence[]): ToolCall[] {
  const all: Track[] = ['speech', 'text', 'sound', 'picture']
  const tracks = all.filter(track => rows.every(row => row.track !== track))
  const query = keyWords(`${claim} ${rows[0]?.text.slice(0, 120) ?? ''}`)
  return callsOf(parts.tools, 'search', 'second-source', { query, tracks, k: 4 })
}

async function firstThatBears(
  session: AgentSession,
  claim: string,
  rows: readonly Evidence[],
): Promise<Evidence | undefined> {
  for (const row of rows.slice(0, 2)) {
    const { verdict } = await judge(session, { text: claim, cites: [row.id] })
    if (verdict === 'supported') return row
  }
  return undefined
}
