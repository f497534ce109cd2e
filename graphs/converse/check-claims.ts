import { z } from 'zod'
import { Verdict } from '../../src/core/agent.ts'
import { answerTokens, type ContentPart, text } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { readJson } from '../../src/core/json.ts'
import { formatSpan } from '../../src/core/time.ts'
import { fence } from '../../src/core/words/fence.ts'
import { askModel } from '../nodes/ask-model.ts'
import { exhausted, mayCallModel } from '../nodes/budget.ts'
import type { AgentSession } from '../session.ts'
import type { Done, Judged, RunState } from '../state.ts'
import { isFrame } from './conversation.ts'
import { framePart } from './first-request.ts'
import { frameRow, framesAt, viewWidth } from './frames.ts'
import { indexLine } from './index-lines.ts'
import { claimCheckRules, claimVerdictsSchema } from './prompts.ts'
import type { Claim, GivenAnswer } from './turn.ts'

const sureEnough = 0.8 // from here on claims on rows are not checked
const maxFrames = 24
const aside = 0.5 // seconds between a cited frame and its neighbours

const Reply = z.object({
  claims: z.array(z.object({ claim: z.coerce.number(), reason: z.string().default(''), verdict: Verdict })),
})

// One check with eyes at most: all claims that rest on pictures or are unsure, in one request and a fresh context. Doubts go back into the
// conversation once; the model has the last word, and what stays doubted lowers the confidence.
export async function checkClaims(session: AgentSession, state: RunState): Promise<Done> {
  const given = withKnownCites(session, state.given)
  if (!given) return { goto: 'answer', update: {} }
  const before = new Map(state.verdicts.map(one => [one.sentence, one]))
  const unchecked = (claim: Claim): Judged =>
    before.get(claim.text) ?? { sentence: claim.text, verdict: 'unseen', reason: 'Not checked.' }
  const verdicts = given.claims.map(unchecked)
  if (state.secondLooks > 0 || !needsCheck(session, given)) return { goto: 'answer', update: { given, verdicts } }
  const checked = await verdictsOf(session, given)
  for (const verdict of checked ?? []) if (verdict) session.watch({ type: 'verdict', ...verdict })
  const now = given.claims.map((claim, i) => checked?.[i] ?? unchecked(claim))
  const update = { given, verdicts: now, secondLooks: 1 }
  const doubts = now.flatMap((one, i) =>
    checked?.[i] && (one.verdict === 'contradicted' || one.verdict === 'unseen')
      ? [`Claim ${i + 1} (${one.verdict}): ${one.reason}`]
      : [],
  )
  const over = session.stopped() ?? exhausted(session.usage(), session.parts.budget, state.round)
  const turn = state.replies.at(-1)
  if (doubts.length === 0 || over || !turn) return { goto: 'answer', update }
  const response = [
    'Another reader checked the claims against what they cite and doubts these:',
    fence('doubts', doubts.join('\n')),
    'Look again if it helps. Then call answer once more: keep what you are sure of, change what was wrong.',
  ].join('\n')
  const doubted = { before: '', text: '', calls: [], response }
  return { goto: 'model', update: { ...update, replies: [doubted] } }
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
      `${i + 1}. ${claim.text} ${claim.at.map(formatSpan).join(' ')} (cites ${claim.cites.join(' ') || 'nothing'})`,
  )
  const content: ContentPart[] = [
    ...text(
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
    ...frames.flatMap(row => framePart(session, row)),
  ]
  const seen = frames.length > 0 || rows.some(row => !isFrame(row))
  if (!seen) return undefined
  const reply = await askModel(session, 'verifier', () => ({
    purpose: 'check',
    messages: [
      { role: 'system', content: text(claimCheckRules) },
      { role: 'user', content },
    ],
    schema: claimVerdictsSchema,
    temperature: 0,
    maxTokens: answerTokens.write,
    brief: { kind: 'check', claim: given.text, evidence: rows },
  }))
  const read = Reply.safeParse(readJson(reply?.text ?? ''))
  if (!read.success) {
    if (reply)
      session.watch({ type: 'note', text: 'The check gave no verdict that can be read; the answer stands unchecked.' })
    return undefined
  }
  return given.claims.map((claim, i) => {
    const one = read.data.claims.find(verdict => verdict.claim === i + 1)
    // Without its frames nobody can say that a claim on pictures is wrong.
    const blind = frames.length === 0 && session.rows(claim.cites).some(isFrame)
    if (!one || blind) return undefined
    return { sentence: claim.text, verdict: one.verdict, reason: one.reason.slice(0, 300) }
  })
}

// The cited frames with the frames just before and after each.
async function withNeighbours(session: AgentSession, cited: readonly Evidence[]): Promise<Evidence[]> {
  const { frameStore } = session.parts
  if (!frameStore || cited.length === 0) return []
  const few = cited.slice(0, maxFrames)
  const { duration } = session.parts.index.coverage
  const more =
    few.length * 3 <= maxFrames ? few.flatMap(row => [(row.frame ?? 0) - aside, (row.frame ?? 0) + aside]) : []
  try {
    await frameStore.load(session.context, few, viewWidth)
    const times = more.filter(time => time >= 0 && time < duration)
    const near = await framesAt(session.context, times, viewWidth)
    const rows = near.map(frame => frameRow(session.context, frame, aside))
    await Promise.all(near.map((frame, i) => frameStore.put(session.context, rows[i] as Evidence, frame)))
    session.spend({ frames: few.length + rows.length })
    const all = [...few, ...rows].sort((a, b) => (a.frame ?? 0) - (b.frame ?? 0))
    return all.filter((row, i) => i === 0 || row.frame !== all[i - 1]?.frame || few.includes(row))
  } catch {
    session.signal.throwIfAborted()
    return few.filter(row => frameStore.jpegOf(row))
  }
}
