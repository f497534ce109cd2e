import { z } from 'zod'
import { parseJsonText } from '../../src/core/json.ts'
import { chooseFrameTimes } from '../../src/core/sight/moments.ts'
import { clampSpan, formatSpan, type Span, spanLength } from '../../src/core/time.ts'
import type { Tool } from '../../src/core/tool.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import { videoMindGrounderRules, videoMindPlannerRules, videoMindVerifierRules } from '../prompts/baselines.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { baselineGraph, baselineTool, runRound, TimeInReply } from './baseline.ts'
import { askFrames, draftFromFrames, frameShare, wholeSpan } from './frames.ts'

const mostMoments = 5
const shortestAnswer = 32 // seconds that the answerer sees at least
const shortestMoment = 2 // seconds, likewise of the verifier

const roles = {
  planner: {
    max: 100,
    perSecond: 1,
    rules: videoMindPlannerRules,
    description: 'Says whether a moment must be found.',
  },
  grounder: { max: 150, perSecond: 1, rules: videoMindGrounderRules, description: 'Finds moments that fit a query.' },
  verifier: {
    max: 64,
    perSecond: 2,
    rules: videoMindVerifierRules,
    description: 'Says whether a moment is the right one.',
  },
}
const answerer = { max: 32, perSecond: 2 }
const width = 300 // pixels of a frame; twice as many for the answerer
const allFrames = roles.planner.max + roles.grounder.max + mostMoments * roles.verifier.max + answerer.max

const Plan = z.object({ ground: z.boolean(), query: z.string().nullish() })
const Moments = z.object({ moments: z.array(z.object({ start: TimeInReply, end: TimeInReply })).min(1) })
const Verdict = z.object({ yes: z.number() })

// VideoMind: one vision model as planner, grounder, verifier and answerer. Prompts stand for its four trained adapters, moments and
// confidences in words for its timestamp decoder, and a number for the odds of "yes". It sees frames only: no index is needed.
export default {
  ...baselineGraph(
    {
      plan: { work: plan, next: ['ground'] },
      ground: { work: ground, next: ['verify'] },
      verify: { work: verify, next: ['draft'] },
      draft: { work: draft, next: ['answer'] },
      answer: { work: concludeAnswer, next: [] },
    },
    given => ({ ...given, tools: videoMindTools(frameShare(given, allFrames).share) }),
  ),
  withoutIndex: true as const,
}

async function plan(session: AgentSession, state: RunState): Promise<Done> {
  const { update } = await callRole(session, state, 'planner', [{ question: fullQuestion(session) }])
  return { update: { ...update, notes: frameShare(session.parts, allFrames).notes } }
}

async function ground(session: AgentSession, state: RunState): Promise<Done> {
  const { ground, query } = readReplies(state, 'planner', Plan)[0] ?? { ground: true }
  const question = `Query: ${query || fullQuestion(session)}`
  return callRole(session, state, 'grounder', ground ? [{ question }] : [])
}

// Each moment is seen with half of its length on either side.
async function verify(session: AgentSession, state: RunState): Promise<Done> {
  const { duration } = session.parts.index.coverage
  const wishes = foundMoments(session, state).map(found => {
    const moment = widened(found, shortestMoment, duration)
    const half = spanLength(moment) / 2
    const around = { start: Math.max(0, moment.start - half), end: Math.min(duration, moment.end + half) }
    return { ...around, question: `Candidate: ${formatSpan(moment)}\n${fullQuestion(session)}` }
  })
  return callRole(session, state, 'verifier', wishes.length > 1 ? wishes : [])
}

async function draft(session: AgentSession, state: RunState): Promise<Done> {
  const { index } = session.parts
  const verdicts = readReplies(state, 'verifier', Verdict).map(verdict => verdict?.yes ?? -1)
  const at = Math.max(0, verdicts.indexOf(Math.max(...verdicts)))
  const moment = foundMoments(session, state)[at] ?? wholeSpan(index)
  const max = scaled(answerer.max, frameShare(session.parts, allFrames).share)
  const span = widened(moment, shortestAnswer, index.coverage.duration)
  return draftFromFrames(session, state, chooseFrameTimes(span, { ...answerer, max }), 2 * width)
}

type RoleCall = { question: string } & Partial<Span>

async function callRole(
  session: AgentSession,
  state: RunState,
  name: keyof typeof roles,
  wishes: RoleCall[],
): Promise<Done> {
  const calls = wishes.map((wish, i) => ({ id: `${name}_${i}`, name, arguments: wish }))
  return { update: session.parts.vision ? await runRound(session, state, calls) : {} }
}

function fullQuestion({ parts: { question } }: AgentSession): string {
  return [question.text, ...(question.options ?? []).map((option, i) => `${i}: ${option}`)].join('\n')
}

// In the order of the calls.
function readReplies<Shape>(
  { steps }: RunState,
  role: keyof typeof roles,
  shape: z.ZodType<Shape>,
): (Shape | undefined)[] {
  const replies = steps.filter(step => step.tool === role)
  return replies.map(({ text = '' }) => shape.safeParse(parseJsonText(text)).data)
}

// Windows that overlap by half where the grounder gave none.
function foundMoments({ parts: { index } }: AgentSession, state: RunState): Span[] {
  const { duration } = index.coverage
  const replies = readReplies(state, 'grounder', Moments)
  if (replies.length === 0) return []
  const windows = Array.from({ length: 5 }, (_, i) => ({ start: (i * duration) / 6, end: ((i + 2) * duration) / 6 }))
  const spans = (replies[0]?.moments ?? windows).map(({ start, end }) =>
    start <= end ? { start, end } : { start: end, end: start },
  )
  return spans.slice(0, mostMoments).map(span => clampSpan(span, duration))
}

// To so many seconds at least, around its middle and within the video.
function widened({ start, end }: Span, seconds: number, duration: number): Span {
  const length = Math.min(duration, Math.max(end - start, seconds))
  const from = Math.min(Math.max(0, (start + end - length) / 2), duration - length)
  return { start: from, end: from + length }
}

function scaled(frames: number, share: number): number {
  return Math.max(1, Math.floor(frames * share))
}

function videoMindTools(share: number): Tool[] {
  return Object.entries(roles).map(([name, { rules, max, perSecond, description }]) =>
    baselineTool(
      { name, kind: 'look', description },
      z.object({ question: z.string(), start: z.number().optional(), end: z.number().optional() }),
      async ({ question, start, end }, context) => {
        const whole = wholeSpan(context.index)
        const span = { start: start ?? whole.start, end: end ?? whole.end }
        const times = chooseFrameTimes(span, { max: scaled(max, share), perSecond })
        const { text } = await askFrames(context, { times, span, rules, question, width })
        return { evidence: [], text, outcome: text ? 'found' : 'nothing' }
      },
    ),
  )
}
