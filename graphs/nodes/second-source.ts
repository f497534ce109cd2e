import type { Evidence } from '../../src/core/evidence.ts'
import { exhausted } from '../policy/budgets.ts'
import { areIndependent, needsSecondSource, secondSourceCalls } from '../policy/minimum-independent-evidence.ts'
import { routeOf } from '../policy/routing.ts'
import type { Session } from '../session.ts'
import { runCalls } from './act.ts'
import { judge } from './judge.ts'
import type { Change, RunState } from './run-state.ts'

type Checked = Change & Pick<RunState, 'agent' | 'round'> & { draft: NonNullable<RunState['draft']> }

// Where the main claim rests on one row alone, a second one is looked for, and cited where it bears the claim out too.
export async function secondSource(session: Session, done: Checked): Promise<Change> {
  const { policy, question, tools, budget } = session.parts
  const at = done.agent.verdicts.findIndex(
    (one, i) => one.verdict === 'supported' && done.draft.sentences[i].cites.length > 0,
  )
  const main = done.draft.sentences[at]
  if (!main || done.draft.abstained || done.agent.stop || session.stopped()) return done
  const rows = rowsOf(session, main.cites)
  const route = routeOf(question.text, question.options)
  if (!needsSecondSource(route, rows, policy.independentSources)) return done
  if (exhausted(session.state(done.agent, {}), budget, done.round, session.elapsed())) return done
  const calls = secondSourceCalls(
    main.text,
    rows,
    tools.map(tool => tool.name),
  )
  if (calls.length === 0) return done
  const agent = await runCalls(session, done.agent, calls, done.round)
  const found = rowsOf(
    session,
    agent.steps.filter(step => step.round === done.round).flatMap(step => step.evidence),
  )
  const other = await firstThatBears(
    session,
    { ...done, agent },
    main.text,
    found.filter(row => rows.every(one => areIndependent(row, one))),
  )
  if (!other) return { ...done, agent, round: done.round + 1 }
  const sentences = done.draft.sentences.map((one, i) => (i === at ? { ...one, cites: [...one.cites, other.id] } : one))
  return {
    ...done,
    agent: session.state(agent, { draft: sentences }),
    draft: { ...done.draft, sentences },
    round: done.round + 1,
  }
}

async function firstThatBears(
  session: Session,
  { agent }: Checked,
  claim: string,
  rows: readonly Evidence[],
): Promise<Evidence | undefined> {
  for (const row of rows.slice(0, 2)) {
    const { verdict } = await judge(session, agent, { text: claim, cites: [row.id] })
    if (verdict === 'supported') return row
  }
  return undefined
}

function rowsOf(session: Session, ids: readonly string[]): Evidence[] {
  return [...new Set(ids)].map(id => session.ledger.get(id)).filter(row => row !== undefined)
}
