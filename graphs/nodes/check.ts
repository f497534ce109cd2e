import type { AgentState } from '../../src/core/agent.ts'
import { CheckReply } from '../../src/core/brief.ts'
import { exhausted, mayCallModel } from '../policy/budgets.ts'
import type { DraftSentence } from '../policy/evidence-validator.ts'
import { fence } from '../prompt-blocks.ts'
import { checkRequest } from '../prompts.ts'
import type { Session } from '../session.ts'
import { replyOf } from './plan.ts'
import { readJson } from './read-json.ts'
import type { Change, RunState } from './run-state.ts'

type Judged = AgentState['verdicts'][number]

// Tries each sentence against the rows it cites, in a fresh context. What does not hold is dropped; where nothing is left, the
// search goes on once more with what was wrong.
export async function check(session: Session, state: RunState): Promise<Change> {
  const { parts } = session
  const draft = state.draft ?? { sentences: [] }
  const verdicts: Judged[] = []
  for (let at = 0; at < draft.sentences.length; at += 4)
    verdicts.push(...(await Promise.all(draft.sentences.slice(at, at + 4).map(one => judge(session, state, one)))))
  for (const verdict of verdicts) parts.watch({ type: 'verdict', ...verdict })

  const agent = session.state(state.agent, { verdicts })
  const cited = draft.sentences
    .map((sentence, i) => ({ sentence, verdict: verdicts[i] }))
    .filter(one => one.sentence.cites.length > 0)
  const wrong = cited.filter(one => one.verdict.verdict !== 'supported')
  const nothingHolds = cited.length > 0 && wrong.length === cited.length
  const mayLook =
    parts.policy.secondLook &&
    parts.policy.verifier &&
    state.secondLooks === 0 &&
    !draft.abstained &&
    agent.stop === undefined &&
    !exhausted(agent, parts.budget, state.round, session.elapsed())
  if (nothingHolds && mayLook)
    return {
      agent: { ...agent, draft: undefined, verdicts: [] },
      draft: undefined,
      dropped: wrong.map(one => one.sentence.text),
      hints: wrong.map(one => hintFor(one.sentence, one.verdict)),
      secondLooks: 1,
      next: 'plan',
    }
  return { agent, next: 'answer' }
}

async function judge(session: Session, state: RunState, sentence: DraftSentence): Promise<Judged> {
  const { parts } = session
  const unseen = (reason: string): Judged => ({ sentence: sentence.text, verdict: 'unseen', reason })
  if (sentence.cites.length === 0) return unseen('It cites no evidence.')
  if (!parts.policy.verifier) return unseen('Checking was switched off.')
  const agent = session.state(state.agent, {})
  if (session.stopped() || !mayCallModel(agent, parts.budget, session.elapsed()))
    return unseen('The budget ended before it could be checked.')
  const rows = sentence.cites.map(id => session.ledger.get(id)).filter(row => row !== undefined)
  const reply = await replyOf(session, () => session.ask(parts.verifier, checkRequest(sentence.text, rows)))
  if (!reply) return unseen('It could not be checked: the verifier failed.')
  const parsed = CheckReply.safeParse(readJson(reply.text))
  return parsed.success ? { sentence: sentence.text, ...parsed.data } : unseen('The verifier gave no usable verdict.')
}

function hintFor(sentence: DraftSentence, judged: Judged): string {
  const about = fence('sentence', `${sentence.text} (${judged.reason})`)
  return judged.verdict === 'contradicted'
    ? `The evidence contradicts this sentence. Search for what is true instead.\n${about}`
    : `The cited rows do not show this. Look once more at that moment, or search elsewhere.\n${about}`
}
