import { z } from 'zod'
import { Verdict } from '../../src/core/agent.ts'
import type { Draft } from '../../src/core/brief.ts'
import { answerTokens, type ContentPart, textContent } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { framePart, frameRow, isFrame } from '../../src/core/sight/frame-rows.ts'
import { pictureWidth } from '../../src/core/sight/room.ts'
import { framesAt } from '../../src/core/sight/view-frames.ts'
import { formatMoment } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import { indexLine } from '../../src/core/words/index-lines.ts'
import { strangeTimes } from '../answer/conclude-answer.ts'
import { askModel } from '../asking/ask-model.ts'
import { claimCheckRules, claimVerdictsSchema } from '../prompts/verifier.ts'
import type { AgentSession } from '../session.ts'
import type { Done, DraftSentence, Judged, RunState } from '../state.ts'

const sureEnough = 0.8 // from here on claims on rows are not checked
const maxFrames = 32
const aside = 0.5 // seconds between a cited frame and its neighbours

const Reply = z.object({
  claims: z.array(z.object({ claim: z.coerce.number(), reason: z.string().default(''), verdict: Verdict })),
})

// One check with eyes at most: all claims that rest on pictures or are unsure, in one request and a fresh context. Doubts go back into the
// conversation once; the model has the last word, and what stays doubted lowers the confidence.
export async function checkClaims(session: AgentSession, state: RunState): Promise<Done> {
  const { written } = state
  if (!written) return { goto: 'answer', update: {} }
  const answer = withKnownCites(session, written)
  const before = new Map(state.verdicts.map(one => [one.sentence, one]))
  const unchecked = ({ text }: DraftSentence): Judged =>
    before.get(text) ?? { sentence: text, verdict: 'unseen', reason: 'Not checked.' }
  const isDoubted = state.messages.some(one => one.by === 'code' && one.about === 'doubt')
  if (isDoubted) return { goto: 'answer', update: { written: answer, verdicts: answer.sentences.map(unchecked) } }
  const strange = strangeTimes(session, answer).map(
    time => `The time "${time.text}" in the text is of nothing that was shown or read.`,
  )
  const checked = needsCheck(session, answer) ? await askVerdicts(session, answer) : undefined
  for (const verdict of checked ?? []) if (verdict) session.watch({ type: 'verdict', ...verdict })
  const verdicts = answer.sentences.map((one, i) => checked?.[i] ?? unchecked(one))
  const update = { written: answer, verdicts }
  const doubted = verdicts.flatMap((one, i) =>
    checked?.[i] && (one.verdict === 'contradicted' || one.verdict === 'unseen')
      ? [`Claim ${i + 1} (${one.verdict}): ${one.reason}`]
      : [],
  )
  const doubts = [...doubted, ...strange]
  if (doubts.length === 0 || session.meter.over(state.round)) return { goto: 'answer', update }
  const text = [
    'A check of the claims against what they cite doubts this:',
    fence('doubts', doubts.join('\n')),
    'Look again if it helps. Then call answer once more: keep what you are sure of, change what was wrong.',
  ].join('\n')
  return { goto: 'model', update: { ...update, messages: [{ by: 'code', about: 'doubt', text }] } }
}

// Ids that nothing has are taken out; what stays without any is a claim of the model alone.
function withKnownCites(session: AgentSession, draft: Draft): Draft {
  const { index } = session.parts
  const sentences = draft.sentences.map(claim => {
    const unknownIds = [...new Set(claim.cites)].filter(id => !session.ledger.has(id))
    session.ledger.learn(unknownIds.flatMap(id => index.byId(id) ?? []))
    for (const id of unknownIds.filter(id => !session.ledger.has(id)))
      session.watch({ type: 'note', text: `A citation of unknown evidence (${id.slice(0, 20)}) was taken out.` })
    return { ...claim, cites: [...new Set(claim.cites)].filter(id => session.ledger.has(id)) }
  })
  return { ...draft, sentences }
}

function needsCheck(session: AgentSession, { sentences, confidence = 0 }: Draft): boolean {
  const { verifier, policy } = session.parts
  if (!policy.verifier || !verifier.accepts.has('text') || !session.meter.mayAsk()) return false
  const rows = session.ledger.rows(sentences.flatMap(claim => claim.cites))
  return rows.length > 0 && (rows.some(isFrame) || confidence < sureEnough)
}

async function askVerdicts(session: AgentSession, given: Draft): Promise<(Judged | undefined)[] | undefined> {
  const { verifier, question, frameStore } = session.parts
  const rows = session.ledger.rows([...new Set(given.sentences.flatMap(claim => claim.cites))])
  const frames =
    verifier.accepts.has('image') && !session.fit.blind ? await withNeighbours(session, rows.filter(isFrame)) : []
  const claims = given.sentences.map(
    (claim, i) =>
      `${i + 1}. ${claim.text} ${(claim.at ?? []).map(({ start, end }) => `[${formatMoment(start)}-${formatMoment(end)}] `).join('')}(cites ${claim.cites.join(' ') || 'nothing'})`,
  )
  const content: ContentPart[] = [
    ...textContent(
      [
        `Question: ${question.text}`,
        fence('claims', claims.join('\n')),
        fence(
          'rows',
          rows
            .filter(row => !isFrame(row))
            .map(indexLine)
            .join('\n') || '(none)',
        ),
        frames.length > 0 ? 'Frames:' : '',
      ]
        .filter(Boolean)
        .join('\n'),
    ),
    ...frames.flatMap(row => framePart(frameStore, row, pictureWidth(verifier.id, frames.length))),
  ]
  const seen = frames.length > 0 || rows.some(row => !isFrame(row))
  if (!seen) return undefined
  const reply = await askModel(session, 'verifier', () => ({
    purpose: 'check',
    messages: [
      { role: 'system', content: textContent(claimCheckRules) },
      { role: 'user', content },
    ],
    schema: claimVerdictsSchema,
    temperature: 0,
    maxTokens: answerTokens.write,
    mayThink: true,
    brief: { kind: 'check', claim: given.text ?? '', evidence: rows },
  }))
  const read = Reply.safeParse(parseJsonText(reply?.text ?? ''))
  if (!read.success) {
    if (reply)
      session.watch({ type: 'note', text: 'The check gave no verdict that can be read; the answer stands unchecked.' })
    return undefined
  }
  return given.sentences.map((claim, i) => {
    const claimVerdict = read.data.claims.find(verdict => verdict.claim === i + 1)
    // Without its frames nobody can say that a claim on pictures is wrong.
    const blind = frames.length === 0 && session.ledger.rows(claim.cites).some(isFrame)
    if (!claimVerdict || blind) return undefined
    return { sentence: claim.text, verdict: claimVerdict.verdict, reason: claimVerdict.reason.slice(0, 300) }
  })
}

// The cited frames with the frames just before and after each, if these are not too many.
async function withNeighbours(session: AgentSession, cited: readonly Evidence[]): Promise<Evidence[]> {
  const { frameStore, verifier } = session.parts
  const { context } = session
  if (!frameStore || cited.length === 0) return []
  const few = cited.slice(0, maxFrames)
  const { duration } = session.parts.index.coverage
  const isNew = (time: number) =>
    time >= 0 && time < duration && few.every(row => Math.abs((row.frame ?? 0) - time) > aside / 2)
  const around: number[] = []
  for (const time of few.flatMap(row => [(row.frame ?? 0) - aside, (row.frame ?? 0) + aside]))
    if (isNew(time) && around.every(other => Math.abs(other - time) > aside / 2)) around.push(time)
  const times = few.length + around.length <= maxFrames ? around : []
  try {
    const near = await framesAt(context, times, pictureWidth(verifier.id, few.length + times.length))
    const citedTimes = new Set(few.map(row => row.frame))
    const beside = near.filter(frame => !citedTimes.has(frame.time))
    const width = pictureWidth(verifier.id, few.length + beside.length)
    const rows = beside.map(frame => frameRow(context, frame, { distance: aside }))
    await Promise.all(beside.map((frame, i) => frameStore.put(context, rows[i] as Evidence, frame, width)))
    await frameStore.load(context, few, width)
    session.meter.spend({ frames: few.length + rows.length })
    return [...few, ...rows].sort((a, b) => (a.frame ?? 0) - (b.frame ?? 0))
  } catch {
    session.meter.signal.throwIfAborted()
    return []
  }
}
