import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import type { Track } from '../../../src/core/evidence.ts'
import { clampSpan, type Span } from '../../../src/core/time.ts'
import type { Tool, ToolContext, ToolResult } from '../../../src/core/tool.ts'
import type { GraphParts } from '../../parts.ts'
import { baselineTool } from '../baseline.ts'

const longest = { audio: 300, visual: 60 } // seconds of one refinement
const shortest = 5 // seconds around a moment

// The three tools of the released agent, by its names and parameters, over the index and the tools that are there.
export function longshotTools({ tools }: GraphParts): Tool[] {
  const inner = (name: string) => {
    const tool = tools.find(one => one.name === name)
    if (!tool) throw new UsageError(`This baseline needs the tool "${name}", which is not there.`)
    return tool
  }
  return [search(), refine(inner), verify(inner)]
}

type Inner = (name: string) => Tool

const modality = z.enum(['audio', 'visual'])
const time = z.number().min(0).describe('seconds')

function search(): Tool {
  return baselineTool(
    {
      name: 'search_video',
      description:
        'Finds moments of the video by meaning: audio is what is said, visual is frames. Returns times and scores to refine.',
    },
    z.object({
      query: z.string().describe('what to look for'),
      modality: z.array(modality).default(['audio', 'visual']),
      max_results: z.number().int().min(1).max(20).default(5).describe('of each modality'),
    }),
    async ({ query, modality, max_results: k }, { index }) => {
      const tracks: Record<'audio' | 'visual', Track[]> = { audio: ['speech'], visual: ['picture'] }
      const lists = await Promise.all(modality.map(name => index.search({ query, tracks: tracks[name], k })))
      return { evidence: lists.flat().map(hit => hit.evidence) }
    },
  )
}

function refine(inner: Inner): Tool {
  return baselineTool(
    {
      name: 'refine_video',
      description: 'Listens to or looks at a part of the video closely (60 seconds at most) with a focused query.',
    },
    z.object({ start_time: time, end_time: time, modality, query: z.string().optional() }),
    async ({ start_time, end_time, modality, query }, context) => {
      const span = buildSpan(start_time, end_time, modality, context.index.coverage.duration)
      return modality === 'visual'
        ? look(inner, span, query ?? 'Describe all that is seen.', context)
        : hear(inner, span, query, context)
    },
  )
}

// As released: the claim is not sent along. A neutral description comes back, and the model must decide for itself.
function verify(inner: Inner): Tool {
  return baselineTool(
    {
      name: 'verify_claim',
      description: 'Describes a part of the video neutrally, so that you can decide whether a claim holds.',
    },
    z.object({ start_time: time, end_time: time, claim: z.string() }),
    async ({ start_time, end_time }, context) => {
      const span = buildSpan(start_time, end_time, 'visual', context.index.coverage.duration)
      return look(
        inner,
        span,
        'Describe neutrally and completely what is seen: people, things, places, actions, text.',
        context,
      )
    },
  )
}

function look(inner: Inner, span: Span, question: string, context: ToolContext): Promise<ToolResult> {
  return inner('look').run({ ...span, question, frames: 32 }, context)
}

// The released agent asks one audio model; ours are one for words and one for sounds. One that is off does not spoil the other.
async function hear(inner: Inner, span: Span, question: string | undefined, context: ToolContext): Promise<ToolResult> {
  const heard = await Promise.allSettled([
    inner('transcribe').run(span, context),
    inner('listen').run({ ...span, question }, context),
  ])
  const results = heard.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  if (results.length === 0 && heard[0].status === 'rejected') throw heard[0].reason
  const texts = results.map(one => one.text).filter(Boolean)
  return { evidence: results.flatMap(one => one.evidence), ...(texts.length > 0 ? { text: texts.join('\n') } : {}) }
}

// Ends that were swapped, moments without length, and a video so short that it is sent whole.
function buildSpan(start: number, end: number, modality: 'audio' | 'visual', duration: number): Span {
  if (duration <= 60) return { start: 0, end: duration }
  const [from, to] = start <= end ? [start, end] : [end, start]
  const wide =
    to - from > 0 ? { start: from, end: to } : { start: Math.max(0, from - shortest / 2), end: from + shortest / 2 }
  const within = clampSpan(wide, duration)
  return { start: within.start, end: Math.min(within.end, within.start + longest[modality]) }
}
