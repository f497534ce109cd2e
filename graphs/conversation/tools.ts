import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { byTime } from '../../src/core/evidence.ts'
import { type FrameStore, framesFor, viewMoments } from '../../src/core/sight/frame-rows.ts'
import { evenMoments } from '../../src/core/sight/moments.ts'
import { Region, regionBox } from '../../src/core/sight/region.ts'
import { pictureWidth } from '../../src/core/sight/room.ts'
import { formatMoment, parseTime, type Span } from '../../src/core/time.ts'
import type { Tool, ToolContext, ToolResult } from '../../src/core/tool.ts'
import { countPhrase } from '../../src/core/words/counted.ts'
import { findHits } from '../../src/core/words/default-hits.ts'
import { isTelling } from '../../src/core/words/index-lines.ts'
import { hitCounts, rowTracks, unindexedTracks } from '../../src/core/words/row-remarks.ts'
import { type GraphParts, seesPictures } from '../parts.ts'
import { conversationLengths } from './lengths.ts'

const longFilm = 600 // seconds from which helpers may be sent out
const maxRows = 400
const maxFound = 30

const time = z.union([z.string(), z.number()]).transform((value, issue) => {
  const seconds = parseTime(value)
  if (seconds !== undefined) return seconds
  issue.addIssue(`"${value}" is not a time: write "3:20.5" or seconds`)
  return z.NEVER
})
const start = time.describe('"3:20.5" or seconds')
const end = time.describe('as start')
const tracks = z.array(z.enum(rowTracks)).optional().describe('all if left out')

const frames = z.number().int().min(1).max(64).optional().describe('by the length of the span if left out')
const openQuestion = 'What is to be seen and read, and what changes?'

// The few tools of the conversation. The user's own tools and the paper's sixteen come beside them.
export function converseTools(given: GraphParts, store: FrameStore): Tool[] {
  const { index, planner, tools, helper } = given
  const conversationNames = new Set(['find', 'read', 'view', 'hear', 'delegate', 'answer'])
  const listeners = tools.filter(tool => tool.kind === 'listen' && coreNames.has(tool.name))
  const look = tools.find(tool => tool.name === 'look')
  const focus = tools.find(tool => tool.sends === 'helper')
  const max = conversationLengths(planner).viewFrames
  const picture = index.video.picture !== undefined || index.coverage.picture.state === 'indexed'
  return [
    ...(picture && seesPictures(given)
      ? [view(store, max, planner.id)]
      : picture && look && given.vision
        ? [viewInWords(look)]
        : []),
    find,
    read,
    ...(index.video.sound && listeners.length > 0 ? [hear(listeners)] : []),
    ...(focus && helper && index.coverage.duration > longFilm ? [{ ...focus, name: 'delegate' }] : []),
    ...tools.filter(tool => !coreNames.has(tool.name) && !conversationNames.has(tool.name)),
  ]
}

// Those of tools/index.ts that the conversation has in other forms.
const coreNames = new Set([
  'overview',
  'browse',
  'search',
  'timeline',
  'who',
  'transcribe',
  'read_text',
  'look',
  'listen',
  'verify_claim',
  'calculator',
  'focus',
])

function tool<Schema extends z.ZodType>(
  made: Omit<Tool, 'input' | 'run'> & {
    input: Schema
    run(input: z.infer<Schema>, context: ToolContext): Promise<ToolResult>
  },
): Tool {
  return made as Tool
}

const find = tool({
  name: 'find',
  description: 'Finds rows of the index by words, best first.',
  kind: 'search',
  input: z.object({ words: z.string().min(1), tracks, limit: z.number().int().min(1).max(maxFound).optional() }),
  async run({ words, tracks, limit = findHits }, { index }) {
    const searched = await index.search({ query: words, ...(tracks && { tracks }), k: limit })
    const hits = searched.filter(({ evidence }) => evidence.text.trim() !== '')
    const rows = hits.map(hit => hit.evidence)
    if (rows.length === 0) return { evidence: [], text: 'No row fits. Try other words, or view the span.' }
    return { evidence: rows, text: `${countPhrase(rows.length, 'row')}: ${hitCounts(hits)}.` }
  },
})

const read = tool({
  name: 'read',
  description: 'All rows of a span in time order.',
  kind: 'list',
  input: z.object({ start, end, tracks }),
  async run({ start, end, tracks = rowTracks }, { index }) {
    const rows = index
      .evidence({ tracks: [...tracks], span: ordered(start, end) })
      .filter(isTelling)
      .sort(byTime)
    const next = rows[maxRows]
    const rest = next
      ? `The first ${maxRows} of ${rows.length} rows; read on from ${formatMoment(next.span.start)}.`
      : ''
    const missing = unindexedTracks(index.coverage, tracks)
    const gaps = missing.length > 0 ? `Not looked at: ${missing.join(', ')}.` : ''
    return { evidence: rows.slice(0, maxRows), ...text(rest, rows.length === 0 ? 'No rows there.' : '', gaps) }
  },
})

function view(store: FrameStore, max: number, model: string): Tool {
  return tool({
    name: 'view',
    description:
      'Shows you frames of a span, evenly spaced: the fewer, the larger. With region that part is cut out and enlarged.',
    kind: 'look',
    varies: true, // pictures that have left the conversation can be asked for again
    input: z.object({
      start,
      end,
      frames,
      region: Region.optional(),
    }),
    async run({ start, end, frames, region }, context) {
      const { duration } = context.index.coverage
      const wholeSpan = ordered(start, Math.min(end, duration))
      const span =
        wholeSpan.end - wholeSpan.start < 0.05
          ? { start: Math.max(0, wholeSpan.start - 0.5), end: Math.min(duration, wholeSpan.end + 0.5) }
          : wholeSpan
      const framesLeft = context.framesLeft?.() ?? max
      if (framesLeft < 1)
        throw new UsageError('No frames are left in the budget of this question.', { hint: 'Answer now.' })
      const wantedFrames = frames ?? framesFor(span, 32)
      const count = Math.min(wantedFrames, max, framesLeft)
      const width = (shown: number) => pictureWidth(model, shown)
      const box = region && regionBox(region)
      const rows = await viewMoments(context, store, { times: evenMoments(span, count), span, width, box })
      const fewer =
        count < wantedFrames
          ? `Only ${count} of ${wantedFrames} frames: ${count === framesLeft ? 'the budget has no more' : 'no more fit'}.`
          : ''
      return { evidence: rows, ...text(fewer, rows.length === 0 ? 'No frame there could be decoded.' : '') }
    },
  })
}

// For a model that does not see: another one that does answers in words.
function viewInWords(look: Tool): Tool {
  return tool({
    name: 'view',
    description: 'Asks a vision model about frames of a span (up to 60 s) and gives its words.',
    kind: 'look',
    makes: ['picture'],
    input: z.object({ start, end, question: z.string().min(1).default(openQuestion), frames }),
    run: ({ start, end, question, frames }, context) =>
      look.run(look.input.parse({ ...ordered(start, end), question, ...(frames && { frames }) }), context),
  })
}

function hear(listeners: readonly Tool[]): Tool {
  return tool({
    name: 'hear',
    description: 'Transcribes a span again and names its sounds (up to 300 s).',
    kind: 'listen',
    makes: ['speech', 'sound'],
    input: z.object({ start, end }),
    async run({ start, end }, context) {
      const span = ordered(start, end)
      const heard = await Promise.allSettled(
        listeners.map(one => one.run(one.input.parse({ start: span.start, end: span.end }), context)),
      )
      context.signal.throwIfAborted()
      const results = heard.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
      const [failed] = heard.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
      if (results.length === 0 && failed) throw failed
      return {
        evidence: results.flatMap(one => one.evidence).sort(byTime),
        ...text(...results.map(one => one.text ?? '')),
      }
    },
  })
}

function ordered(a: number, b: number): Span {
  return { start: Math.min(a, b), end: Math.max(a, b) }
}

function text(...lines: string[]): { text?: string } {
  const joinedText = lines.filter(Boolean).join(' ')
  return joinedText ? { text: joinedText } : {}
}
