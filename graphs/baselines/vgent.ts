import { z } from 'zod'
import type { Step } from '../../src/core/agent.ts'
import { rowLine } from '../../src/core/evidence.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { evenMoments } from '../../src/core/sight/moments.ts'
import { formatSpan, Span, spanLength } from '../../src/core/time.ts'
import type { Tool } from '../../src/core/tool.ts'
import { fence } from '../../src/core/words/fence.ts'
import { concludeAnswer } from '../answer/conclude-answer.ts'
import * as prompts from '../prompts/baselines.ts'
import type { AgentSession } from '../session.ts'
import type { Done, RunState } from '../state.ts'
import { baselineGraph, baselineTool, evenly, findPlan, planJson, questionQueries, runRound } from './baseline.ts'
import { clipTracks, hasCaptions, noCaptions } from './dvd/clips.ts'
import { askFrames, draftFromFrames, evenMomentsOver, frameShare, wholeSpan } from './frames.ts'
import { clipSpan, rankClips } from './retrieve.ts'

const clipSeconds = 64 // 64 frames at one a second
const mostFound = 20 // clips; a video of fewer is not searched
const shortVideo = 128 // seconds up to which all clips are checked
const clipFrames = 8
const answerFrames = 256
const allFrames = mostFound * clipFrames + answerFrames
const mostQuestions = 6

const Keywords = z.object({
  keywords: z.array(z.string()),
  multiple: z.boolean().optional(),
  kind: z.enum(['counting', 'order', 'other']).optional(),
})
const SubQuestions = z.object({ questions: z.array(z.string().min(1)).min(1).max(mostQuestions) })
const Answers = z.object({ answers: z.array(z.coerce.string()) })
const Summary = z.object({ summary: z.string() })

// Vgent as LongShOT runs it: keywords, the clips that fit them, sub-questions by which a vision model sorts these, and an answer from the
// best five. The rows of the index stand for the entities, actions and scenes of its graph, which a vision model makes of each clip.
export default baselineGraph(
  {
    keywords: { work: keywords, next: ['retrieve'] },
    retrieve: { work: retrieve, next: ['refine'] },
    refine: { work: refine, next: ['aggregate'] },
    aggregate: { work: aggregate, next: ['draft'] },
    draft: { work: draft, next: ['answer'] },
    answer: { work: concludeAnswer, next: [] },
  },
  given => ({
    ...given,
    tools: vgentTools(Math.max(1, Math.floor(clipFrames * frameShare(given, allFrames).share))),
    policy: { ...given.policy, callsPerRound: mostFound },
  }),
)

async function keywords(session: AgentSession, state: RunState): Promise<Done> {
  const step = { name: 'keywords', rules: prompts.vgentKeywordRules, shape: Keywords }
  const { update } = await planJson(session, state, step)
  const missing = hasCaptions(session.parts.index) ? [] : [noCaptions]
  const notes = [...(update.notes ?? []), ...missing, ...frameShare(session.parts, allFrames).notes]
  return { update: { ...update, notes } }
}

async function retrieve(session: AgentSession, state: RunState): Promise<Done> {
  const { duration } = session.parts.index.coverage
  if (namedClips(session).length > 0 || duration < clipSeconds * mostFound) return { update: {} }
  const words = findPlan(state, Keywords)?.keywords ?? []
  const queries = [...words, ...questionQueries(session)].filter(Boolean).slice(0, 24)
  const calls = [{ id: 'clips', name: 'retrieve_clips', arguments: { queries } }]
  return { update: await runRound(session, state, calls) }
}

// Those that the question names, and all of a short video, need no search.
function namedClips({ parts: { question, index } }: AgentSession): number[] {
  const { duration } = index.coverage
  const all = Array.from({ length: Math.ceil(duration / clipSeconds) }, (_, clip) => clip)
  if (/\bbeginning\b|\bat the start of\b/i.test(question.text)) return all.slice(0, 3)
  if (/\bat the end of the video\b/i.test(question.text)) return all.slice(-3)
  return duration <= shortVideo ? all : []
}

function foundClips(session: AgentSession, { steps }: RunState): Span[] {
  const named = namedClips(session)
  const numbers = steps.find(step => step.tool === 'retrieve_clips')?.text?.match(/\d+/g) ?? []
  const clips = named.length > 0 ? named : numbers.map(Number)
  return clips.map(clip => clipSpan(clip, clipSeconds, session.parts.index))
}

async function refine(session: AgentSession, state: RunState): Promise<Done> {
  const { question, vision } = session.parts
  const clips = foundClips(session, state)
  if (clips.length === 0 || !vision) return { update: {} }
  const counts = findPlan(state, Keywords)?.kind === 'counting' || /\bhow many\b/i.test(question.text)
  const step = { name: 'questions', rules: prompts.vgentSubQuestionRules, shape: SubQuestions }
  const planned = counts ? undefined : await planJson(session, state, step)
  const questions = counts ? [question.text] : planned?.plan?.questions
  if (!questions) return { update: planned?.update ?? {} }
  const calls = clips.map((span, at) => ({
    ...{ id: `clip_${at}`, name: 'check_clip', arguments: { ...span, questions, counts } },
  }))
  return { update: { ...planned?.update, ...(await runRound(session, state, calls)) } }
}

// Clips of which a sub-question holds, those of most first; if none was checked those that fit best.
function keptClips(session: AgentSession, state: RunState): Span[] {
  const isChecked = state.steps.some(step => step.tool === 'check_clip')
  const spans = isChecked
    ? checkedSteps(state)
        .sort((a, b) => heldLines(b).length - heldLines(a).length)
        .map(step => Span.parse(step.input))
    : foundClips(session, state)
  const most = findPlan(state, Keywords)?.kind === 'order' ? 8 : 5
  return spans.slice(0, most).sort((a, b) => a.start - b.start)
}

const checkedSteps = ({ steps }: RunState) =>
  steps.filter(step => step.tool === 'check_clip' && step.outcome === 'found')
const heldLines = ({ text = '' }: Step) => text.split('\n')

async function aggregate(session: AgentSession, state: RunState): Promise<Done> {
  const { multiple, kind } = findPlan(state, Keywords) ?? {}
  const clips = checkedSteps(state).map(step => ({ ...Span.parse(step.input), text: step.text ?? '' }))
  if (!multiple || kind === 'counting' || clips.length < 2) return { update: {} }
  clips.sort((a, b) => a.start - b.start)
  const clipLines = clips.map(clip => `Clip ${formatSpan(clip)}:\n${clip.text}`).join('\n')
  const step = {
    name: 'summary',
    rules: prompts.vgentAggregateRules,
    shape: Summary,
    data: [fence('clips', clipLines)],
  }
  const { plan, update } = await planJson(session, state, step)
  const span = { start: clips[0]?.start ?? 0, end: clips.at(-1)?.end ?? 0 }
  if (plan)
    session.ledger.learn([
      session.context.note({ span, track: 'summary', text: plan.summary }, session.parts.planner.id),
    ])
  return { update }
}

async function draft(session: AgentSession, state: RunState): Promise<Done> {
  const { index, policy } = session.parts
  session.ledger.learn(evenly(index.evidence({ tracks: ['speech'] }), policy.ledgerCharacters))
  const clips = keptClips(session, state)
  const most = Math.max(1, Math.floor(answerFrames * frameShare(session.parts, allFrames).share))
  const seconds = clips.reduce((sum, span) => sum + spanLength(span), 0)
  const spread = evenMomentsOver(clips, Math.max(1, Math.min(most, Math.round(seconds))))
  return draftFromFrames(session, state, clips.length > 0 ? spread : evenMoments(wholeSpan(index), most))
}

function vgentTools(frames: number): Tool[] {
  return [
    baselineTool(
      { name: 'retrieve_clips', kind: 'search', description: `The clips of ${clipSeconds} s that fit, by number.` },
      z.object({ queries: z.array(z.string()).min(1) }),
      async ({ queries }, { index }) => {
        const wish = { seconds: clipSeconds, k: mostFound, tracks: clipTracks(index) }
        const clips = await rankClips(index, queries, wish)
        return { evidence: [], text: clips.join(' '), outcome: clips.length > 0 ? 'found' : 'nothing' }
      },
    ),
    baselineTool(
      {
        name: 'check_clip',
        kind: 'look',
        description: 'Which sub-questions hold, by a few frames of a clip and its speech.',
      },
      z.object({ start: z.number(), end: z.number(), questions: z.array(z.string()), counts: z.boolean() }),
      async ({ start, end, questions, counts }, context) => {
        const span = { start, end }
        const speech = context.index
          .evidence({ tracks: ['speech'], span })
          .map(rowLine)
          .join('\n')
        const list = questions.map((question, i) => `${i + 1}. ${question}`).join('\n')
        const { text } = await askFrames(context, {
          ...{ span, times: evenMoments(span, frames), width: 512, question: list },
          beside: speech && fence('speech', speech),
          rules: counts ? prompts.vgentCountRules : prompts.vgentCheckRules,
        })
        const answers = Answers.safeParse(parseJsonText(text)).data?.answers ?? []
        const answered = questions.flatMap((question, i) =>
          /^(no|false|0)?\.?$/i.test(answers[i] ?? '') ? [] : `${question} ${answers[i]}`,
        )
        return { evidence: [], text: answered.join('\n'), outcome: answered.length > 0 ? 'found' : 'nothing' }
      },
    ),
  ]
}
