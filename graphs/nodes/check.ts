import type { AgentState } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { fence } from '../../src/core/fence.ts'
import { exhausted } from '../policy/budgets.ts'
import type { DraftSentence } from '../policy/evidence-validator.ts'
import { lookAgain, searchOpposite } from '../policy/second-look.ts'
import type { Session } from '../session.ts'
import { runCalls } from './act.ts'
import { citedRows, type Judged, judge } from './judge.ts'
import type { Change, RunState } from './run-state.ts'
import { secondSource } from './second-source.ts'

// Tries each sentence against the rows it cites, in a fresh context. What is supported stays. What is contradicted goes, and the
// opposite is searched for. What is unseen is looked at once more and then stays or goes. Where that leaves nothing, or brought
// something to say instead, the answer is written once more.
export async function check(session: Session, state: RunState): Promise<Change> {
  const { parts } = session
  const draft = state.draft ?? { sentences: [] }
  const first = await judgeAll(session, state.agent, draft.sentences)
  const again = mayLookAgain(session, state)
  const looked = again
    ? await secondLook(session, state, draft.sentences, first)
    : { agent: state.agent, round: state.round }
  const round = looked.round
  let sentences = draft.sentences
  let verdicts = first
  if (round > state.round) ({ sentences, verdicts } = await judgeUnseen(session, looked.agent, draft.sentences, first))

  const cited = sentences
    .map((sentence, i) => ({ sentence, verdict: verdicts[i] }))
    .filter(one => one.sentence.cites.length > 0)
  const wrong = cited.filter(one => one.verdict.verdict !== 'supported')
  const contradicted = wrong.some(one => one.verdict.verdict === 'contradicted')
  const nothingHolds = cited.length > 0 && wrong.length === cited.length
  if (again && (nothingHolds || (contradicted && round > state.round)))
    return {
      agent: session.state(looked.agent, { draft: undefined, verdicts: [] }),
      draft: undefined,
      round,
      dropped: wrong.map(one => one.sentence.text),
      hints: wrong.map(one => hintFor(one.sentence, one.verdict)),
      secondLooks: 1,
      next: 'plan',
    }
  for (const verdict of verdicts) parts.watch({ type: 'verdict', ...verdict })
  const agent = session.state(looked.agent, { verdicts, draft: sentences })
  const done = { agent, draft: { ...draft, sentences }, round, secondLooks: 1, next: 'answer' as const }
  return parts.policy.minimumIndependentEvidence && parts.policy.verifier ? secondSource(session, done) : done
}

function mayLookAgain(session: Session, state: RunState): boolean {
  const { policy, budget } = session.parts
  const agent = session.state(state.agent, {})
  return (
    policy.secondLook &&
    policy.verifier &&
    state.secondLooks === 0 &&
    !state.draft?.abstained &&
    agent.stop === undefined &&
    !session.stopped() &&
    exhausted(agent, budget, state.round, session.elapsed()) === undefined
  )
}

async function judgeAll(session: Session, agent: AgentState, sentences: readonly DraftSentence[]): Promise<Judged[]> {
  const verdicts: Judged[] = []
  for (let at = 0; at < sentences.length; at += 4)
    verdicts.push(...(await Promise.all(sentences.slice(at, at + 4).map(one => judge(session, agent, one)))))
  return verdicts
}

// The next step of each verdict, as calls of one round.
async function secondLook(
  session: Session,
  state: RunState,
  sentences: readonly DraftSentence[],
  verdicts: readonly Judged[],
): Promise<{ agent: AgentState; round: number }> {
  const { tools, question, index } = session.parts
  const names = tools.map(tool => tool.name)
  const calls = sentences.flatMap((sentence, i): ToolCall[] => {
    const { verdict } = verdicts[i]
    if (sentence.cites.length === 0 || verdict === 'supported') return []
    return verdict === 'contradicted'
      ? searchOpposite(question.text, sentence.text, names)
      : lookAgain(sentence.text, citedRows(session, sentence), names, index.coverage.duration)
  })
  if (calls.length === 0) return { agent: state.agent, round: state.round }
  const agent = await runCalls(session, state.agent, calls.slice(0, session.parts.policy.callsPerRound), state.round)
  return { agent, round: state.round + 1 }
}

// What was unseen, tried once more together with what the second look brought from the same span.
async function judgeUnseen(
  session: Session,
  agent: AgentState,
  sentences: readonly DraftSentence[],
  verdicts: readonly Judged[],
): Promise<{ sentences: DraftSentence[]; verdicts: Judged[] }> {
  const round = Math.max(...agent.steps.map(step => step.round))
  const fresh = agent.steps.filter(step => step.round === round).flatMap(step => step.evidence)
  const made = await Promise.all(
    sentences.map(async (sentence, i) => {
      if (verdicts[i].verdict !== 'unseen' || sentence.cites.length === 0) return { sentence, verdict: verdicts[i] }
      const near = fresh.filter(id => !sentence.cites.includes(id) && isNear(session, id, citedRows(session, sentence)))
      if (near.length === 0) return { sentence, verdict: verdicts[i] }
      const wider = { ...sentence, cites: [...sentence.cites, ...near.slice(0, 6)] }
      const verdict = await judge(session, agent, wider)
      return verdict.verdict === 'supported' ? { sentence: wider, verdict } : { sentence, verdict }
    }),
  )
  return { sentences: made.map(one => one.sentence), verdicts: made.map(one => one.verdict) }
}

function isNear(session: Session, id: string, rows: readonly Evidence[]): boolean {
  const row = session.ledger.get(id)
  return (
    row !== undefined && rows.some(one => row.span.start <= one.span.end + 10 && row.span.end >= one.span.start - 10)
  )
}

function hintFor(sentence: DraftSentence, judged: Judged): string {
  const about = fence('sentence', `${sentence.text} (${judged.reason})`)
  return judged.verdict === 'contradicted'
    ? `The evidence contradicts this sentence. Search for what is true instead.\n${about}`
    : `The cited rows do not show this. Look once more at that moment, or search elsewhere.\n${about}`
}
