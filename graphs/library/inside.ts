import type { AskedLibrary, Budget, RunEvent, Step } from '../../src/core/agent.ts'
import { errorText, LongtakeError, UsageError } from '../../src/core/errors.ts'
import { insideQuestion, wantsSeveral } from '../../src/text/question/library-question.ts'
import { forGathering } from '../meter.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

// Asks in the best video that was not asked yet, with the agent that answers about one.
export async function inside(session: AgentSession, state: RunState): Promise<Done> {
  const { library } = session.parts
  const libraryState = state.library
  const video = libraryState?.found[libraryState.asked.length]?.video
  if (!library || !libraryState || !video)
    return { goto: 'compose', update: libraryState?.asked.length === 0 ? { stop: 'failed' } : {} }
  const { found, asked } = libraryState
  const most = Math.min(library.k, found.length)
  session.watch({ type: 'note', text: `Asking in ${video.name} (${asked.length + 1} of ${most}).` })
  const { round } = state
  try {
    const options = {
      budget: computeShare(session, most - asked.length),
      watch: (event: RunEvent) => forward(session, event, round),
      signal: session.meter.signal,
    }
    const { state: made, coverage } = await library.ask(video.id, insideQuestion(state.question), options)
    session.meter.spend(made.spent)
    session.ledger.learn(made.evidence)
    const steps = made.steps.map(step => inRound(step, round))
    if (!made.answer) throw new Error('The agent ended without an answer.')
    const all = [...asked, { video, answer: made.answer, coverage, stop: made.stop ?? 'answered' }]
    const next = { ...libraryState, asked: all }
    const update = { steps, round: Math.max(round, ...steps.map(step => step.round + 1)), library: next }
    const stop = session.meter.over(0)
    if (stop) return { goto: 'compose', update: { ...update, stop } }
    return { goto: isEnough(state, next, library.k) ? 'compose' : 'ask', update }
  } catch (error) {
    if (session.meter.stopped() || error instanceof UsageError || !(error instanceof LongtakeError)) throw error
    const mend = error.hint ?? 'Ask again.'
    const notSearched = [...libraryState.notSearched, { id: video.id, why: `${video.name}: ${errorText(error)}`, mend }]
    const foundElsewhere = libraryState.found.filter(one => one.video.id !== video.id)
    return { goto: 'ask', update: { library: { ...libraryState, found: foundElsewhere, notSearched } } }
  }
}

// Each video gets an equal share of what is left, so that what one does not need is the others'. A fifth of tokens, time and money is
// kept for the answer, which takes no frames. Rounds are counted in each for itself.
function computeShare(session: AgentSession, videos: number): Budget {
  const { budget } = session.parts
  const spent = session.meter.usage()
  const share = (limit: number, used: number) => Math.max(0, limit - used) / Math.max(1, videos)
  return {
    steps: budget.steps,
    tokens: Math.max(1, Math.floor(share(budget.tokens * forGathering, spent.inputTokens + spent.outputTokens))),
    frames: Math.max(1, Math.floor(share(budget.frames, spent.frames))),
    seconds: Math.max(1, share(budget.seconds * forGathering, spent.seconds)),
    ...(budget.money === undefined ? {} : { money: share(budget.money * forGathering, spent.money) }),
  }
}

// What a person who waits wants to see; rows and the answer come with the end of the video.
function forward(session: AgentSession, event: RunEvent, round: number): void {
  if (event.type === 'note' || event.type === 'verdict' || event.type === 'stage') session.watch(event)
  else if (event.type === 'plan' || event.type === 'tool-start') session.watch({ ...event, round: event.round + round })
  else if (event.type === 'tool-end') session.watch({ ...event, step: inRound(event.step, round) })
}

function inRound(step: Step, round: number): Step {
  return { ...step, round: step.round + round }
}

// Where one answer is asked for, and the next video holds much less of the question than one that has answered it, no more are asked.
function isEnough({ question }: RunState, { found, asked }: AskedLibrary, k: number): boolean {
  const next = found[asked.length]
  if (asked.length >= k || !next) return true
  if (wantsSeveral(question)) return false
  // `asked` and `found` go side by side: a video that could not be asked is taken out of `found`.
  const answered = asked.flatMap(({ answer }, at) =>
    !answer.abstained && answer.confidence >= sure ? [found[at]?.score ?? 0] : [],
  )
  return next.score < muchLess * Math.max(0, ...answered)
}

const sure = 0.6
const muchLess = 0.5
