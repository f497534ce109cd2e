import { type Answer, type Sentence, type StopReason, stands } from '../../src/core/agent.ts'
import { damageAsked } from '../../src/text/question/damage-asked.ts'
import { buildAnswer, computeConfidence, reportAnswer, toHundredths } from '../answer/build-answer.ts'
import { abstain, lastAnswer, nearestRows, quote } from '../answer/quotes.ts'
import { isChecked } from '../asking/judge.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'

export async function answer(session: AgentSession, state: RunState): Promise<Done> {
  const { answer, stop } = takeAnswer(session, state)
  return reportAnswer(session, answer, stop)
}

// Puts the answer together, with the times of the rows that it cites; never empty. What a model wrote stays as it is; of what rules
// wrote only what held.
export function takeAnswer(session: AgentSession, state: RunState): { answer: Answer; stop: StopReason } {
  const { parts } = session
  const { question, index } = parts
  const draft = state.written ?? { sentences: [] }
  const judged: Sentence[] = draft.sentences.map((sentence, i) => ({
    ...sentence,
    verdict: state.verdicts[i]?.verdict ?? 'unseen',
  }))
  const ledger = session.ledger.all()
  const always = parts.answerAlways === true
  const isOwn = writtenByModel(session, state)
  const borneOut = isOwn ? judged : judged.filter(one => keeps(one, isChecked(session)))
  const supported = borneOut.length === 0 && always ? judged.filter(isInference) : borneOut
  const declined = draft.abstained === true && !(always && supported.length > 0)
  const intro = declined ? judged.filter(one => isOwn || isMissing(one)) : []
  const choice = chooseOption(session, state, supported)
  // What was written for another option than the one that is chosen speaks for nothing.
  const heldSentences = choice === undefined || choice === (draft.choice ?? choice) ? supported : []
  const grounds = choice !== undefined && heldSentences.length === 0 ? listGrounds(session, state, choice) : []
  const isEmpty = heldSentences.length + grounds.length === 0 && choice === undefined
  const silent = choice === undefined && (always || intro.length === 0) && (declined || isEmpty)
  const ending = { held: heldSentences, abstained: declined || isEmpty, ...(choice === undefined ? {} : { choice }) }
  const findings = session.policies.map(policy => policy.finish?.(session, state, ending) ?? {})
  const shownSentences = [...heldSentences, ...grounds]
  const quotes = silent && always ? quoted(lastAnswer(question.text, ledger, always)) : []
  const abstained = (declined || isEmpty) && quotes.length === 0
  const damage = abstained ? damageAsked(question.text, index.coverage) : undefined
  const sentences: Sentence[] = damage
    ? quoted([{ text: damage, cites: [] }])
    : quotes.length > 0
      ? quotes
      : silent
        ? [...quoted(abstain(question.text, ledger, index.coverage)), ...shownSentences].filter(isFirst)
        : declined
          ? judged.filter(one => heldSentences.includes(one) || intro.includes(one))
          : shownSentences
  const stop = state.stop ?? 'answered'
  const statedUnknown = isOwn && !abstained && choice === undefined ? (draft.unknown ?? []).slice(0, 6) : []
  const unknown = isOwn ? statedUnknown : findings.flatMap(one => one.unknown ?? [])
  const confidence = computeConfidence(judged, draft.confidence, abstained, stop)
  const answer = buildAnswer(session, state, {
    sentences,
    choice,
    confidence: findings.reduce((own, one) => toHundredths(one.confidence?.(own) ?? own), confidence),
    abstained,
    cause: draft.cause,
    unknown,
    ...(unknown.length > 0 && { missing: `Not found in the video: ${unknown.join(' ')}` }),
    notes: [
      ...(isOwn && isChecked(session) ? judged.flatMap(describeDoubt) : []),
      ...findings.flatMap(one => one.degraded ?? []),
    ],
    stop,
  })
  return { answer, stop }
}

// A model's words stand as it wrote them; what the check thinks of them is reported and lowers the confidence.
function writtenByModel({ parts }: AgentSession, { written }: RunState): boolean {
  return parts.writer.accepts.has('text') && written !== undefined && written.by === undefined
}

function describeDoubt({ text, verdict, cites }: Sentence): string[] {
  if (stands(verdict)) return []
  if (verdict === 'contradicted') return [`The check found otherwise than: ${text}`]
  return cites.length > 0 ? [`The check did not find this in its evidence: ${text}`] : []
}

// What of a draft by rules may stand in the answer.
function keeps(sentence: Sentence, checked: boolean): boolean {
  return stands(sentence.verdict) || (!checked && sentence.verdict === 'unseen' && sentence.cites.length > 0)
}

// What may be answered where an answer is demanded and nothing is borne out.
function isInference({ text, verdict, cites }: Sentence): boolean {
  return verdict !== 'contradicted' && (cites.length > 0 || !saysThatItIsMissing(text))
}

// Options given, one is always chosen: an answer left open scores below a guess. A model's choice stands. That of rules gives way
// where a policy has a better one.
function chooseOption(session: AgentSession, state: RunState, held: readonly Sentence[]): number | undefined {
  const options = session.parts.question.options ?? []
  if (options.length === 0) return undefined
  const ownChoice = state.written?.choice
  if (ownChoice !== undefined && writtenByModel(session, state)) return ownChoice
  for (const candidate of session.policies) {
    const chosen = candidate.choose?.(session, state, { written: ownChoice, held })
    if (chosen !== undefined) return chosen
  }
  return ownChoice ?? 0
}

// A choice of which nothing that was written held still shows what speaks for it, or what comes nearest.
function listGrounds(session: AgentSession, state: RunState, choice: number): Sentence[] {
  const { question } = session.parts
  const cites = state.weighed?.options?.find(one => one.option === choice)?.cites ?? []
  const clueRows = session.ledger.rows(cites)
  const ledger = session.ledger.all()
  const near =
    clueRows.length > 0 ? clueRows : nearestRows(`${question.text} ${question.options?.[choice] ?? ''}`, ledger, 2)
  const lead = clueRows.length > 0 ? '' : 'The nearest is: '
  return quoted(near.slice(0, 2).map(row => ({ text: `${lead}${quote(row)}`, cites: [row.id] })))
}

function quoted(sentences: readonly { text: string; cites: string[] }[]): Sentence[] {
  return sentences.map(one => ({ ...one, verdict: one.cites.length > 0 ? 'supported' : 'unseen' }))
}

function isFirst(sentence: Sentence, at: number, all: readonly Sentence[]): boolean {
  return all.findIndex(other => other.text === sentence.text) === at
}

// By rules, what cites nothing may only say that something is not there.
function isMissing({ text, cites }: Sentence): boolean {
  return cites.length === 0 && saysThatItIsMissing(text)
}

function saysThatItIsMissing(text: string): boolean {
  return /\b(not|no|none|nothing|nobody|nowhere|never|cannot|without|missing|unknown|unclear|off)\b|n['’]t\b/i.test(
    text,
  )
}
