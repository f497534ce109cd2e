import type { Answer, Budget } from '../../src/core/agent.ts'
import { type ChatModel, decorate } from '../../src/core/chat.ts'
import type { Track } from '../../src/core/evidence.ts'
import { fence } from '../../src/core/words/fence.ts'
import { forwardEvent, innerParts, shiftedStep } from '../helper/run-helper.ts'
import { settleVotes } from '../helper/settle-votes.ts'
import { helperRounds } from '../meter.ts'
import { takeAnswer } from '../nodes/answer.ts'
import type { AgentSession, Policy } from '../session.ts'
import { type Ballot, buildHint, type Poll, type RunState, type Update } from '../state.ts'

// Where the confidence is between `policy.votesFrom` and `policy.votesTo` and budget is left, two more runs answer from the same
// ledger with other plans. Agreement raises the confidence, disagreement goes to the verifier with the answers. Only with a
// language model as planner and writer; off unless asked for.
export default {
  async after(session, state) {
    const { votesFrom, votesTo } = session.parts.policy
    if (!mayVote(session, state)) return {}
    const { confidence } = takeAnswer(session, state).answer
    if (confidence < votesFrom || confidence >= votesTo) return {}
    let poll = begun(session, state)
    let votesUpdate: Update = {}
    for (const plan of plans) {
      const now = session.now({
        ...state,
        steps: [...state.steps, ...(votesUpdate.steps ?? [])],
        round: votesUpdate.round ?? state.round,
      })
      const rounds = now.round + helperRounds(now.steps)
      const set = mayVote(session, now) && session.meter.setAside(1 / (1 + plans.length - poll.ballots.length), rounds)
      if (!set) break
      const isPaid = pays(session, poll, set.budget.tokens)
      const { ballot, update } = isPaid ? await castBallot(session, now, poll, plan(session, poll), set.budget) : {}
      set.release()
      if (update) votesUpdate = { steps: [...(votesUpdate.steps ?? []), ...(update.steps ?? [])], round: update.round }
      if (!ballot) break
      poll = { ...poll, ballots: [...poll.ballots, ballot] }
    }
    return settled(session, poll, votesUpdate)
  },
  finish(_session, { weighed }) {
    const outcome = weighed?.votes?.outcome
    if (outcome === 'agreed') return { confidence: own => own + (1 - own) / 2 }
    if (outcome !== 'split') return {}
    return { confidence: own => own * 0.8, degraded: ['Runs with other plans came to other answers.'] }
  },
} satisfies Policy

function mayVote(session: AgentSession, { stop, round, steps }: RunState): boolean {
  const { helper, planner, writer } = session.parts
  if (!helper || !planner.accepts.has('text') || !writer.accepts.has('text')) return false
  if (stop !== undefined || session.meter.stopped()) return false
  return session.meter.over(round + helperRounds(steps)) === undefined
}

// A run that would end before it has answered is not begun: it gets at least half of what one took so far.
function pays(session: AgentSession, { ballots }: Poll, tokens: number): boolean {
  const { inputTokens, outputTokens } = session.meter.usage()
  return tokens >= (inputTokens + outputTokens) / ballots.length / 2
}

function begun(session: AgentSession, state: RunState): Poll {
  const { steps, evidence, round, verdicts, weighed, written = { sentences: [] } } = state
  const { options } = weighed ?? {}
  const { answer } = takeAnswer(session, state)
  return {
    base: { steps: steps.length, rows: evidence.length, round },
    ballots: [{ plan: 'the first run', rounds: round, written, verdicts, options, answer }],
  }
}

// How the further runs go about it, one after the other.
const plans = [
  (session: AgentSession, { ballots: [first] }: Poll) => {
    const cited = session.ledger.rows(first?.answer.sentences.flatMap(({ cites }) => cites) ?? []).map(row => row.track)
    const unsearched = searched.filter(track => !cited.includes(track))
    const names = (unsearched.length > 0 ? unsearched : searched).join(', ')
    const hint = `Plan anew, on your own: search the tracks ${names} first, with other words than before.`
    return { plan: 'other tracks first', hint }
  },
  (_session: AgentSession, { ballots: [first] }: Poll) => {
    const hint = `Suppose that the answer so far is wrong:\n${fence('answer', first?.answer.text ?? '')}\nLook for what speaks against it and for another answer; keep it where there is none.`
    return { plan: 'the opposite', hint }
  },
]
const searched: Track[] = ['speech', 'text', 'sound', 'picture']

async function settled(session: AgentSession, { ballots }: Poll, made: Update): Promise<Update> {
  const stop = session.meter.stopped()
  const update = { ...made, ...(stop ? { stop } : {}) }
  if (ballots.length < 2) return update
  const end = await settleVotes(session, ballots)
  const { written, verdicts, options } = ballots[end.taken] as Ballot
  session.watch({ type: 'note', text: `${ballots.length} runs were compared, ${end.outcome}: ${end.reason}` })
  if (end.taken > 0) for (const verdict of verdicts) session.watch({ type: 'verdict', ...verdict })
  const runs = ballots.map(({ plan, rounds, answer }) => ({ plan, rounds, ...runSummary(answer) }))
  return { ...update, written, verdicts, weighed: { options, votes: { runs, ...end } } }
}

function runSummary({ text, choice, confidence, abstained, sentences }: Answer) {
  const cites = [...new Set(sentences.flatMap(one => one.cites))]
  return { text, ...(choice === undefined ? {} : { choice }), confidence, abstained, cites }
}

const temperature = 0.7
const forwarded = ['evidence', 'plan', 'tool-start', 'tool-end', 'note']

interface Cast {
  ballot?: Ballot // undefined if the run came to no answer of its own
  update: Update
}

// One more run of the agent from what the first one had found, with a plan, a temperature and a seed of its own. What it finds
// enters the ledger, and its steps are steps of the run.
async function castBallot(
  session: AgentSession,
  state: RunState,
  { base, ballots }: Poll,
  { plan, hint }: { plan: string; hint: string },
  budget: Budget,
): Promise<Cast> {
  const { parts } = session
  const { helper, toolsOf = () => parts.tools } = parts
  const number = ballots.length
  const shift = state.round - base.round
  const steps = state.steps.slice(0, base.steps)
  const runState = await helper?.(
    innerParts(session, {
      planner: varied(parts.planner, number),
      writer: varied(parts.writer, number),
      tools: toolsOf(`vote ${number}`),
      policy: { ...parts.policy, votes: false },
      budget: { ...budget, steps: base.round + helperRounds(steps) + budget.steps },
    }),
    {
      ...{ question: state.question, turns: state.turns, steps, evidence: state.evidence.slice(0, base.rows) },
      ...{ weighed: { aspects: state.weighed?.aspects }, round: base.round, forced: state.forced, fit: state.fit },
      messages: [buildHint(hint)],
    },
    event => forwarded.includes(event.type) && forwardEvent(session, event, shift),
  )
  if (!runState) throw new Error('This graph has no helper.')
  session.context.spend(runState.spent)
  session.ledger.learn(runState.evidence)
  for (const failure of runState.failures) if (!session.failures.includes(failure)) session.failures.push(failure)
  const note = `Made by run ${number + 1}, which planned anew: ${plan}.`
  const fresh = runState.steps
    .slice(base.steps)
    .map(step => shiftedStep({ ...step, notes: [...step.notes, note] }, shift))
  const rounds = runState.round - base.round
  const update = { steps: fresh, round: state.round + rounds }
  const { result, written, verdicts, stop, weighed } = runState
  if (!result || !written || stop === 'failed' || stop === 'interrupted') return { update }
  return { update, ballot: { plan, rounds, written, verdicts, options: weighed?.options, answer: result } }
}

// A model that is asked the same with the same seed would say the same.
function varied(model: ChatModel, seed: number): ChatModel {
  return decorate(model, (request, signal, onText) => model.reply({ ...request, temperature, seed }, signal, onText))
}
