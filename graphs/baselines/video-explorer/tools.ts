import { z } from 'zod'
import { answerTokens, textContent } from '../../../src/core/chat.ts'
import { byTime, type Evidence, rowLine } from '../../../src/core/evidence.ts'
import { parseJsonText } from '../../../src/core/json.ts'
import { chooseFrameTimes } from '../../../src/core/sight/moments.ts'
import { clampSpan, formatSpan, formatTime, type Span } from '../../../src/core/time.ts'
import type { Tool, ToolContext, ToolResult } from '../../../src/core/tool.ts'
import { fence } from '../../../src/core/words/fence.ts'
import { explorerIntervalRules, explorerQueryRules, explorerReaderRules } from '../../prompts/baselines.ts'
import { baselineTool, TimeInReply } from '../baseline.ts'
import { askFrames, wholeSpan } from '../frames.ts'
import { clipSpan, rankClips } from '../retrieve.ts'

const clipSeconds = 10
const clipsPerQuery = 5
const linesPerQuery = 10 // of speech
const mostFrames = 32
const perSecond = 2
const width = 768
const groundingShare = 4 // of the frames that are left, a grounding may use a quarter

const Queries = z.object({ scenes: z.array(z.string()), speech: z.array(z.string()), check: z.string() })
const Segments = z.object({
  segments: z.array(z.object({ start: TimeInReply, end: TimeInReply, description: z.string().default('') })),
})
const time = z.number().min(0).describe('seconds from the start of the video')

// The tools of VideoExplorer, by its names.
export function explorerTools(): Tool[] {
  return [
    baselineTool(
      { name: 'temporal_grounding', kind: 'search', description: 'Finds when something happens or is said.' },
      z.object({ need: z.string().min(1).describe('the question, its options, and the one thing to find') }),
      ({ need }, context) => ground(need, context),
    ),
    baselineTool(
      {
        name: 'video_reader',
        kind: 'look',
        description: `Answers a question from up to ${mostFrames} frames of a span.`,
      },
      z.object({ start: time, end: time, question: z.string().min(1) }),
      ({ start, end, question }, context) => {
        const [from, to] = start <= end ? [start, end] : [end, start]
        const wide = to - from < 1 ? { start: Math.max(0, from - 0.5), end: to + 0.5 } : { start: from, end: to }
        return read(clampSpan(wide, context.index.coverage.duration), question, mostFrames, context)
      },
    ),
    baselineTool(
      {
        name: 'video_browser',
        kind: 'overview',
        description: `Answers a question from ${mostFrames} frames of the whole video.`,
      },
      z.object({ question: z.string().min(1) }),
      ({ question }, context) => read(wholeSpan(context.index), question, mostFrames, context),
    ),
    baselineTool(
      { name: 'subtitle_extractor', kind: 'list', description: 'What is said in a span.' },
      z.object({ start: time, end: time }),
      async (span, { index }) => ({ evidence: index.evidence({ tracks: ['speech'], span }) }),
    ),
  ]
}

async function read(span: Span, question: string, most: number, context: ToolContext): Promise<ToolResult> {
  const max = Math.max(1, Math.min(most, context.framesLeft?.() ?? most))
  const times = chooseFrameTimes(span, { max, perSecond })
  const {
    by,
    text,
    times: frameTimes,
  } = await askFrames(context, { times, span, rules: explorerReaderRules, question, width })
  if (!text) return { evidence: [], text: 'The vision model said nothing.' }
  return { evidence: [context.note({ span, track: 'picture', text, frame: frameTimes[0] }, by)] }
}

// The grounder in its three turns: what to look for, a look at each segment that is found, and the intervals that fit.
async function ground(need: string, context: ToolContext): Promise<ToolResult> {
  const { index } = context
  const about = `Information need: ${need}\nThe video is ${formatTime(index.coverage.duration)} long.`
  const { scenes, speech, check } = (await askWriter(explorerQueryRules, about, Queries, context)) ?? {
    ...{ scenes: [need], speech: [need], check: need },
  }
  const seen = { seconds: clipSeconds, k: clipsPerQuery, tracks: ['picture' as const, 'caption' as const] }
  const clips = await Promise.all(scenes.slice(0, 3).map(query => rankClips(index, [query], seen)))
  const lines = await Promise.all(
    speech.slice(0, 3).map(query => index.search({ query: query.slice(0, 500), tracks: ['speech'], k: linesPerQuery })),
  )
  const spokenRows = [...new Set(lines.flat().map(hit => hit.evidence))].sort(byTime)
  const spoken = lines.flatMap(hits => hits.slice(0, 1).map(hit => Math.floor(hit.evidence.span.start / clipSeconds)))
  const candidates = [...new Set([...clips.flat(), ...spoken])].sort((a, b) => a - b)
  const frames = Math.floor((context.framesLeft?.() ?? mostFrames) / groundingShare / Math.max(1, candidates.length))
  const rows = [...spokenRows, ...(await watch(candidates, check, Math.min(mostFrames, frames), context))]
  const results = fence('results', rows.map(rowLine).join('\n') || '(none)')
  const listed =
    rows.length > 0 ? await askWriter(explorerIntervalRules, `${about}\n\n${results}`, Segments, context) : undefined
  const segments = listed?.segments.map(
    one => `${formatSpan(clampSpan(one, index.coverage.duration))} ${one.description}`,
  )
  const fitting = segments
    ? `Segments that fit: ${segments.join('; ') || 'none'}.`
    : 'No segment was chosen from these rows.'
  return { evidence: rows, text: `${candidates.length} clips of ${clipSeconds} s were watched. ${fitting}` }
}

async function watch(clips: number[], question: string, most: number, context: ToolContext): Promise<Evidence[]> {
  if (most < 1) return []
  const looks = clips.map(clip => read(clipSpan(clip, clipSeconds, context.index), question, most, context))
  const results = await Promise.allSettled(looks)
  context.signal.throwIfAborted()
  return results.flatMap(one => (one.status === 'fulfilled' ? one.value.evidence : []))
}

async function askWriter<Reply>(rules: string, ask: string, shape: z.ZodType<Reply>, context: ToolContext) {
  const { service } = await context.services.writer()
  if (!service.accepts.has('text')) return undefined
  const reply = await service.reply(
    {
      purpose: 'summarise',
      messages: [
        { role: 'system', content: textContent(rules) },
        { role: 'user', content: textContent(ask) },
      ],
      temperature: 0,
      maxTokens: answerTokens.plan,
    },
    context.signal,
  )
  context.spend({ calls: 1, ...reply.usage })
  return shape.safeParse(parseJsonText(reply.text)).data
}
