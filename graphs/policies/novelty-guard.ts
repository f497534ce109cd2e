import type { Step } from '../../src/core/agent.ts'
import { buildCalls } from '../../src/core/calls/kinds.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import type { Track } from '../../src/core/evidence.ts'
import type { Tool } from '../../src/core/tool.ts'
import { keyWords } from '../../src/text/terms.ts'
import type { Policy } from '../session.ts'
import { madeByPolicy, type RunState } from '../state.ts'

// A round without a new row or word: a hint, and a call of the code's own: the bare key words, then the tracks that nothing
// was found in, then a list of the whole video; then the answer. Two rounds of nothing but repeats end it sooner.
export default {
  steer({ parts: { tools } }, state) {
    const { steps, round } = state
    if (isStuck(steps, round)) return { stuck: true }
    const empty = emptyRounds(steps, round)
    const calls = empty > 0 ? recovery(state, tools) : []
    if (empty > 1 && calls.length === 0) return { stuck: true }
    // The planner is not told of calls that it did not make.
    const isOwn = steps.some(step => step.round === round - 1 && !step.notes.includes(madeByPolicy))
    const hint = isOwn ? noveltyHint(steps, round) : undefined
    return { hints: hint ? [hint] : [], calls }
  },
  calls({ parts: { tools } }, state, wanted) {
    const hasRows = state.steps.some(step => step.evidence.length > 0)
    return wanted.length === 0 && !hasRows ? recovery(state, tools) : []
  },
} satisfies Policy

export function noveltyHint(steps: readonly Step[], round: number): string | undefined {
  return ladder[Math.min(emptyRounds(steps, round), ladder.length) - 1]
}

export function isStuck(steps: readonly Step[], round: number): boolean {
  return emptyRounds(steps, round) > ladder.length || repeatingRounds(steps, round) > 1
}

const ladder = [
  'The last calls brought nothing new. Search with other words: synonyms, parts of names, how it may have been spelled.',
  'Still nothing new. Try another track (speech, text, sound, picture) or the lines around the nearest hit.',
  'Still nothing new. Widen the span to the whole video, or list it with timeline; then answer with what there is.',
]

// How many rounds before this one, without a break, brought neither a row nor a word that was not there before.
export function emptyRounds(steps: readonly Step[], round: number): number {
  const seen = new Set<string>()
  const fresh = new Map<number, boolean>()
  for (const step of [...steps].sort((a, b) => a.round - b.round)) {
    const ran = step.outcome === 'found' || step.outcome === 'nothing'
    const brought = ran ? [...step.evidence, ...(step.text ? [`${step.tool} ${step.text}`] : [])] : []
    const isNew = brought.some(one => !seen.has(one))
    for (const result of brought) seen.add(result)
    fresh.set(step.round, (fresh.get(step.round) ?? false) || isNew)
  }
  let empty = 0
  for (let at = round - 1; at >= 0 && fresh.get(at) === false; at--) empty++
  return empty
}

// How many of the last rounds held nothing but repeats, apart from what the code called itself.
function repeatingRounds(steps: readonly Step[], round: number): number {
  let count = 0
  for (let at = round - 1; at >= 0; at--) {
    const plannerSteps = steps.filter(step => step.round === at && !step.notes.includes(madeByPolicy))
    if (plannerSteps.some(step => step.outcome !== 'repeated')) break
    if (plannerSteps.length > 0) count++
  }
  return count
}

// The rungs of the ladder as calls that the code makes itself; each is made once in a run.
function recovery(state: RunState, tools: readonly Tool[]): ToolCall[] {
  const query = keyWords(state.question.text)
  const rungs = [
    buildCalls(tools, 'search', 'recover-words', { query, k: 10 }),
    buildCalls(tools, 'search', 'recover-tracks', { query, tracks: unseenTracks(state), k: 10 }),
    buildCalls(tools, 'list', 'recover-wider', { about: query, limit: 200 }),
  ]
  return rungs.map(calls => calls.filter(call => !state.forced.includes(call.id))).find(calls => calls.length > 0) ?? []
}

// The tracks that no row of the ledger is of; all but the fullest where each has some.
function unseenTracks(state: RunState): Track[] {
  const all: Track[] = ['speech', 'text', 'sound', 'picture']
  const count = (track: Track) => state.evidence.filter(row => row.track === track).length
  const none = all.filter(track => count(track) === 0)
  return none.length > 0 ? none : all.filter(track => count(track) < Math.max(...all.map(count)))
}
