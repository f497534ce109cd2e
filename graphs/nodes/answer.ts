import type { Answer, Sentence } from '../../src/core/agent.ts'
import { abstain, lastAnswer, nearestRows, quote } from '../policy/abstention.ts'
import { openAspects } from '../policy/aspect-writer.ts'
import { confidenceOf } from '../policy/confidence.ts'
import { damageAsked } from '../policy/damage-asked.ts'
import { degradedBy } from '../policy/degraded.ts'
import { chosenByVerdict } from '../policy/hypothesis-clue-verdict.ts'
import { independent } from '../policy/minimum-independent-evidence.ts'
import { statedTimes } from '../policy/times-in-text.ts'
import { isNegated, isUnheardOf, trapsIn } from '../policy/trap-detector.ts'
import { keeps } from '../policy/verifier.ts'
import type { Session } from '../session.ts'
import type { Change, RunState } from './run-state.ts'
import { choiceText, rowsOf, shown } from './shown-answer.ts'

// Puts the answer together: what held, with the times of the rows it cites; never empty.
export async function answer(session: Session, state: RunState): Promise<Change> {
  const { parts } = session
  const draft = state.draft ?? { sentences: [] }
  const verdicts = state.agent.verdicts
  const judged: Sentence[] = draft.sentences.map((sentence, i) => ({
    ...sentence,
    verdict: verdicts[i]?.verdict ?? 'unseen',
  }))
  const { policy, question, index } = parts
  const ledger = [...session.ledger.values()]
  const supported = judged.filter(one => keeps(one, policy.verifier))
  const premise = wrongPremise(session, state)
  const intro = draft.abstained ? judged.filter(one => one.cites.length === 0 && saysThatItIsMissing(one.text)) : []
  const choice = choiceOf(session, state, supported)
  // What was written for another option than the one that is chosen speaks for nothing.
  const held = choice === undefined || choice === (draft.choice ?? choice) ? supported : []
  const grounds = choice !== undefined && held.length === 0 ? groundsOf(session, state, choice) : []
  const kept = premise ? [premise, ...held.filter(one => one.text !== premise.text)] : [...held, ...grounds]
  const nothing = kept.length === 0 && choice === undefined
  const silent = choice === undefined && intro.length === 0 && (draft.abstained === true || nothing)
  const quotes = silent && !policy.abstention ? quoted(lastAnswer(question.text, ledger)) : []
  const abstained = (draft.abstained === true || nothing) && quotes.length === 0
  const damage = abstained ? damageAsked(question.text, index.coverage) : undefined
  const sentences: Sentence[] = damage
    ? quoted([{ text: damage, cites: [] }])
    : quotes.length > 0
      ? quotes
      : silent
        ? [...quoted(abstain(question.text, ledger, index.coverage)), ...kept].filter(isFirst)
        : draft.abstained
          ? judged.filter(one => held.includes(one) || intro.includes(one))
          : kept
  const stop = state.agent.stop ?? 'answered'
  const lead = choice === undefined ? [] : [choiceText(question.options ?? [], choice, rowsOf(session, sentences))]
  const unknown = policy.aspectWriter && !abstained && choice === undefined ? unknownParts(session, state, held) : []
  const missing = unknown.length > 0 ? [`Not found in the video: ${unknown.join(' ')}`] : []
  const text = [...lead, ...sentences.map(sentence => shown(sentence, session)), ...missing].join(' ')
  const single =
    policy.minimumIndependentEvidence && !abstained && isSingle(session, held[0], policy.independentSources)
  const made: Answer = {
    text,
    ...(choice === undefined ? {} : { choice }),
    sentences,
    confidence: confidenceOf(judged, draft.confidence, abstained, stop, single),
    abstained: choice === undefined && abstained,
    degraded: [...degradedBy(index.coverage, stop, session.failures), ...unheardOf(session, state)],
    ...(unknown.length > 0 ? { unknown } : {}),
  }
  parts.watch({ type: 'answer', answer: made })
  return { agent: session.state(state.agent, { answer: made, stop }), next: 'answer' }
}

// Options given, one is always chosen: an answer left open scores below a guess. The writer's choice gives way where it
// cannot be true, and where the clues speak for one other option alone.
function choiceOf(session: Session, state: RunState, held: readonly Sentence[]): number | undefined {
  const { question, policy, index } = session.parts
  const options = question.options ?? []
  if (options.length === 0) return undefined
  const traps = policy.trapDetector ? trapsIn(question, index.coverage.duration) : []
  const impossible = traps.flatMap(trap => (trap.kind === 'impossible' ? [trap.option] : []))
  const negated = traps.some(trap => trap.kind === 'negated') || isNegated(question.text)
  const verdicts = state.agent.weighed?.options ?? []
  const byClue = chosenByVerdict(verdicts, negated, impossible)
  const written = state.draft?.choice
  const open = options.map((_, i) => i).filter(i => !impossible.includes(i))
  if (written === undefined || impossible.includes(written)) return byClue?.option ?? open[0] ?? 0
  const own = verdicts.find(one => one.option === written)?.verdict
  const refuted = negated && policy.trapDetector ? own === 'supported' : own === 'contradicted'
  // Verdicts by words alone are too weak to overrule what held.
  const sure = byClue?.sure && session.parts.verifier.accepts.has('text')
  const outdone = own !== 'supported' && own !== undefined && (sure || held.length === 0)
  return byClue && (refuted || outdone) ? byClue.option : written
}

// "Why was it closed?" where the video says that it stayed open: that is said first.
function wrongPremise(session: Session, state: RunState): Sentence | undefined {
  const { premise } = state.agent.weighed ?? {}
  if (!session.parts.policy.trapDetector || premise?.verdict !== 'contradicted' || session.parts.question.options)
    return undefined
  const [row] = rowsOf(session, [{ text: '', verdict: 'supported', cites: premise.cites }])
  if (!row) return undefined
  const text = `The question takes for granted that "${premise.claim}", but the video says otherwise: ${quote(row)}`
  return { text, cites: [row.id], verdict: 'supported' }
}

// A choice of which nothing that was written held still shows what speaks for it, or what comes nearest.
function groundsOf(session: Session, state: RunState, choice: number): Sentence[] {
  const { question } = session.parts
  const cites = state.agent.weighed?.options?.find(one => one.option === choice)?.cites ?? []
  const found = cites.map(id => session.ledger.get(id)).filter(row => row !== undefined)
  const ledger = [...session.ledger.values()]
  const near = found.length > 0 ? found : nearestRows(`${question.text} ${question.options?.[choice] ?? ''}`, ledger, 2)
  const lead = found.length > 0 ? '' : 'The nearest is: '
  return quoted(near.slice(0, 2).map(row => ({ text: `${lead}${quote(row)}`, cites: [row.id] })))
}

function unheardOf(session: Session, state: RunState): string[] {
  const { premise } = state.agent.weighed ?? {}
  const { policy, index } = session.parts
  if (!policy.trapDetector || premise?.verdict !== 'unseen') return []
  const rows = [...session.ledger.values(), ...index.evidence()]
  return isUnheardOf(premise.claim, rows)
    ? [`Nothing that was found bears out what the question takes for granted: "${premise.claim}".`]
    : []
}

function unknownParts(session: Session, state: RunState, held: readonly Sentence[]): string[] {
  const aspects = state.agent.weighed?.aspects ?? []
  const stated = (state.draft?.unknown ?? []).map(one => one.slice(0, 200)).filter(one => statedTimes(one).length === 0)
  const open = aspects.length > 1 ? openAspects(aspects, held, one => rowsOf(session, [one])) : []
  return [...new Set([...stated, ...open])].slice(0, 6)
}

function isSingle(session: Session, main: Sentence | undefined, wanted: number): boolean {
  return main !== undefined && independent(rowsOf(session, [main])).length < wanted
}

function quoted(sentences: readonly { text: string; cites: string[] }[]): Sentence[] {
  return sentences.map(one => ({ ...one, verdict: one.cites.length > 0 ? 'supported' : 'unseen' }))
}

function isFirst(sentence: Sentence, at: number, all: readonly Sentence[]): boolean {
  return all.findIndex(other => other.text === sentence.text) === at
}

// A sentence without evidence may only say that something is not there.
function saysThatItIsMissing(text: string): boolean {
  return /\b(not|no|none|nothing|nobody|nowhere|never|cannot|without|missing|unknown|unclear|off)\b|n['’]t\b/i.test(
    text,
  )
}
