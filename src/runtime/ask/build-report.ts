import type { AgentState } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import type { AskReport } from '../../core/runtime.ts'
import type { VideoIndex } from '../../core/video.ts'
import type { QuestionContext } from '../context.ts'

// What a question came to, as the command line, the library and the run folder give it.
export function buildReport({ index, runtime, options }: QuestionContext, state: AgentState, run: string): AskReport {
  const report = buildAskReport(state, index, runtime.profile.name, run)
  return { ...report, ...(options.session && { session: options.session }) }
}

export function buildAskReport(
  state: AgentState,
  { video, coverage }: Pick<VideoIndex, 'video' | 'coverage'>,
  profile: string,
  run: string,
): AskReport {
  if (!state.answer) throw new Error('The graph ended without an answer.')
  return {
    video,
    question: state.question,
    answer: state.answer,
    evidence: citedFirst(state),
    coverage,
    steps: state.steps,
    usage: state.spent,
    stop: state.stop ?? 'answered',
    profile,
    run,
    ...(state.weighed?.votes && { votes: state.weighed.votes }),
    ...(state.library && { library: state.library }),
  }
}

// The rows that the answer cites first, then the rest of the ledger.
function citedFirst(state: AgentState): Evidence[] {
  const cited = new Set(state.answer?.sentences.flatMap(sentence => sentence.cites))
  return [...state.evidence.filter(row => cited.has(row.id)), ...state.evidence.filter(row => !cited.has(row.id))]
}
