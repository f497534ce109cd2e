import { z } from 'zod'
import { Verdict } from '../../src/core/agent.ts'
import { answerTokens, type ContentPart, textContent } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { pictureWidth } from '../../src/core/sight/room.ts'
import { formatMoment } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import { indexLine } from '../../src/core/words/index-lines.ts'
import { askModel } from '../asking/ask-model.ts'
import { exhausted, mayCallModel } from '../asking/budget.ts'
import { claimCheckRules, claimVerdictsSchema } from '../prompts/verifier.ts'
import type { AgentSession } from '../session.ts'
import type { Done, Judged, RunState } from '../state.ts'
import { framePart } from './first-request.ts'
import { frameRow, framesAt, isFrame } from './frames.ts'
import { strangeTimes } from './stated-times.ts'
import type { Claim, GivenAnswer } from './turn.ts'

const sureEnough = 0.8 // from here on claims on rows are not checked
const maxFrames = 32
const aside = 0.5 // seconds between a cited frame and its neighbours

const Reply = z.object({
  claims: z.array(z.object({ claim: z.coerce.number(), reason: z.string().default(''), verdict: Verdict })),
})

// One check with eyes at most: all claims that rest on pictures or are unsure, in one request and a fresh context. Doubts go back into the
// conversation once; the model has the last word, and what stays doubted lowers the confidence.
export async function checkClaims(session: AgentSession, state: RunState): Promise<Done> {
  const knownAnswer = withKnownCites(session, state.given)
  if (!knownAnswer) return { goto: 'answer', update: {} }
  const before = new Map(state.verdicts.map(one => [one.sentence, one]))
  const unchecked = (claim: Claim): Judged =>
    before.get(claim.text) ?? { sentence: claim.text, verdict: 'unseen', reason: 'Not checked.' }
  const verdicts = knownAnswer.claims.map(unchecked)
  if (state.secondLooks > 0) return { goto: 'answer', update: { given: knownAnswer, verdicts } }
  const strange = strangeTimes(session, knownAnswer).map(
    time => `The time "${time.text}" in the text is of nothing that was shown or read.`,
  )
  const checked = needsCheck(session, knownAnswer) ? await verdictsOf(session, knownAnswer) : undefined
  for (const verdict of checked ?? []) if (verdict) session.watch({ type: 'verdict', ...verdict })
  const now = knownAnswer.claims.map((claim, i) => checked?.[i] ?? unchecked(claim))
  const update = { given: knownAnswer, verdicts: now, secondLooks: 1 }
  const doubted = now.flatMap((one, i) =>
    checked?.[i] && (one.verdict === 'contradicted' || one.verdict === 'unseen')
      ? [`Claim ${i + 1} (${one.verdict}): ${one.reason}`]
      : [],
  )
  const doubts = [...doubted, ...strange]
  const over = session.stopped() ?? exhausted(session.usage(), session.parts.budget, state.round)
  const turn = state.replies.at(-1)
  if (doubts.length === 0 || over || !turn) return { goto: 'answer', update }
  const response = [
    'A check of the claims against what they cite doubts this:',
    fence('doubts', doubts.join('\n')),
    'Look again if it helps. Then call answer once more: keep what you are sure of, change what was wrong.',
  ].join('\n')
  return { goto: 'model', update: { ...update, replies: [{ before: '', text: '', calls: [], response }] } }
}

// Ids that nothing has are taken out; what stays without any is a claim of the model alone.
function withKnownCites(session: AgentSession, given: GivenAnswer | undefined): GivenAnswer | undefined {
  if (!given) return undefined
  const claims = given.claims.map(claim => {
    const cites = [...new Set(claim.cites)].filter(id => session.ledger.has(id) || indexed(session, id))
    for (const id of claim.cites.filter(id => !cites.includes(id)))
      session.watch({ type: 'note', text: `A citation of unknown evidence (${id.slice(0, 20)}) was taken out.` })
    return { ...claim, cites }
  })
  return { ...given, claims }
}

function indexed(session: AgentSession, id: string): boolean {
  const row = session.parts.index.byId(id)
  return row !== undefined && session.learn([row]).length >= 0
}

function needsCheck(session: AgentSession, given: GivenAnswer): boolean {
  const { verifier, budget, policy } = session.parts
  if (!policy.verifier || !verifier.accepts.has('text') || session.stopped()) return false
  if (!mayCallModel(session.usage(), budget)) return false
  const rows = session.rows(given.claims.flatMap(claim => claim.cites))
  return rows.length > 0 && (rows.some(isFrame) || (given.confidence ?? 0) < sureEnough)
}

async function verdictsOf(session: AgentSession, given: GivenAnswer): Promise<(Judged | undefined)[] | undefined> {
  const { verifier, question } = session.parts
  const rows = session.rows([...new Set(given.claims.flatMap(claim => claim.cites))])
  const frames =
    verifier.accepts.has('image') && !session.blind ? await withNeighbours(session, rows.filter(isFrame)) : []
  const claims = given.claims.map(
    (claim, i) =>
      `${i + 1}. ${claim.text} ${claim.at.map(({ start, end }) => `[${formatMoment(start)}-${formatMoment(end)}] `).join('')}(cites ${claim.cites.join(' ') || 'nothing'})`,
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
    ...frames.flatMap(row => framePart(session, row, pictureWidth(verifier.id, frames.length))),
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
    brief: { kind: 'check', claim: given.text, evidence: rows },
  }))
  const read = Reply.safeParse(parseJsonText(reply?.text ?? ''))
  if (!read.success) {
    if (reply)
      session.watch({ type: 'note', text: 'The check gave no verdict that can be read; the answer stands unchecked.' })
    return undefined
  }
  return given.claims.map((claim, i) => {
    const claimVerdict = read.data.claims.find(verdict => verdict.claim === i + 1)
    // Without its frames nobody can say that a claim on pictures is wrong.
    const blind = frames.length === 0 && session.rows(claim.cites).some(isFrame)
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
    session.spend({ frames: few.length + rows.length })
    return [...few, ...rows].sort((a, b) => (a.frame ?? 0) - (b.frame ?? 0))
  } catch {
    session.signal.throwIfAborted()
    return []
  }
}
