import { z } from 'zod'
import look from '../../../tools/look.ts'
import { Refused } from '../../core/api/problem.ts'
import { UsageError } from '../../core/errors.ts'
import type { Box } from '../../core/evidence.ts'
import type { Operation, VideoMemory } from '../../core/operation.ts'
import type { OperationReply } from '../../core/operation-reply.ts'
import { evenMoments } from '../../core/sight/moments.ts'
import { Region, regionBox } from '../../core/sight/region.ts'
import { formatMoment, type Span, spanLength } from '../../core/time.ts'
import type { Frame } from '../../core/video.ts'
import { chooseSpan, findPart } from './choose-span.ts'
import { momentInput, spanInputs, untilInput } from './inputs.ts'
import { rowLines } from './read.ts'
import { eachPart, openTimeline, partAt, type Timeline } from './source.ts'

const maxFrames = 64
const usualFrames = 16
const margin = 0.03 // of the picture, around a text that is enlarged
const afterCut = 0.3 // seconds after a cut at which a shot is seen
const widths: [frames: number, width: number][] = [
  [1, 768],
  [4, 512],
  [9, 384],
  [20, 320],
  [maxFrames, 256],
]

const input = z.object({
  ...spanInputs,
  at: momentInput,
  frames: z.number().int().min(1).max(maxFrames).optional().describe('default: by length, at most 16'),
  shots: z.boolean().optional().describe('one frame of each shot instead'),
  region: z
    .string()
    .max(60)
    .optional()
    .describe(
      'enlarges a quarter (top-left, top, center, ...), a box ("x,y,width,height" in fractions) or "row": the text of the row in at',
    ),
  width: z.number().int().min(64).max(1280).optional().describe('of one frame, in pixels'),
  singly: z.boolean().optional().describe('a picture each instead of one sheet'),
  question: z.string().min(1).max(2000).optional().describe('if you see no pictures: a vision model answers in words'),
  until: untilInput,
})

export const viewOperation: Operation<typeof input> = {
  name: 'view',
  description:
    'Frames of a span as one sheet, each numbered and with its exact time. For colours, numbers of things, faces, actions, positions, and text that was read badly. What a text goes with may come later than the text: look over the whole span. More frames are smaller; region enlarges a part.',
  input,
  async run(wish, memory) {
    const source = await openTimeline(memory, wish.video, wish.until)
    const span = await chooseSpan(memory, source, wish)
    const region = wish.region === undefined ? undefined : readRegion(wish.region, span.row?.box)
    if (wish.question !== undefined)
      return viewInWords(source, span, { frames: wish.frames, region, question: wish.question }, memory)
    const times = wish.shots
      ? (
          await eachPart(memory, source, span, (index, local, { offset }) =>
            index.shots
              .filter(({ start, end }) => end > local.start && start <= local.end)
              .map(({ start, end }) => offset + Math.min(Math.max(start, local.start) + afterCut, (start + end) / 2)),
          )
        ).flat()
      : evenMoments(span, wish.frames ?? (wish.region === 'row' ? 1 : framesFor(span)))
    const chosen = times.slice(0, maxFrames)
    const width = wish.width ?? widths.find(([frames]) => chosen.length <= frames)?.[1] ?? 256
    const frames = await framesAt(source, chosen, width, region && regionBox(region), memory)
    if (frames.length === 0) throw new Refused('unreadable', 'No frame there can be decoded.', 'View another span.')
    const { composeSheet } = await import('../../media/sheet/compose-sheet.ts')
    const { encodeJpeg, resizeFrame } = await import('../../media/image.ts')
    const [first] = frames
    const alike = await Promise.all(
      frames.map(frame => resizeFrame(frame, first?.width ?? frame.width, first?.height ?? frame.height)),
    )
    const cells = alike.map((frame, i) => ({
      frames: [frame],
      label: `#${i + 1} ${formatMoment(frames[i]?.time ?? 0)}`,
    }))
    const columns = Math.ceil(Math.sqrt(cells.length))
    const pictures = wish.singly
      ? await Promise.all(frames.map(frame => encodeJpeg(frame)))
      : [await encodeJpeg(composeSheet(cells, columns))]
    const rest = times.length > chosen.length ? ` ${times.length - chosen.length} more shots did not fit.` : ''
    return {
      head: `${wish.singly ? `${cells.length} pictures` : `One sheet, ${columns} in a row`}: ${cells.map(({ label }) => label).join(', ')}.${rest}`,
      lines: [],
      pictures,
      times: wish.singly ? frames.map(({ time }) => [time]) : [frames.map(({ time }) => time)],
      ...(rest && { next: `Next: the same from ${formatMoment(times[maxFrames] ?? span.end)}.` }),
    }
  },
}

function readRegion(given: string, box?: Box): Region {
  if (given === 'row' && box) return padded(box)
  const numbers = given.split(',').map(Number)
  const [x, y, width, height] = numbers
  const region = Region.safeParse(numbers.length === 4 ? { x, y, width, height } : given)
  if (region.success && (typeof region.data === 'string' || isInside(region.data))) return region.data
  throw new Refused(
    'usage',
    `"region" must be part of a picture, got ${JSON.stringify(given)}.`,
    'Write "top-left", or "0.5,0,0.5,0.5": x, y, width and height from 0 to 1; "row" with "at" a row of text.',
  )
}

function padded({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)]
  const [right, bottom] = [Math.min(1, x + width + margin), Math.min(1, y + height + margin)]
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function isInside({ x, y, width, height }: Box): boolean {
  return width > 0 && height > 0 && x + width < 1.001 && y + height < 1.001
}

// Two a second below eight seconds, then as many as one sheet shows well.
function framesFor(span: Span): number {
  return Math.max(1, Math.min(usualFrames, Math.ceil(spanLength(span) * 2) + 1))
}

// Each frame once, with the second of the source's clock at which it comes up.
async function framesAt(
  source: Timeline,
  times: readonly number[],
  width: number,
  region: ReturnType<typeof regionBox> | undefined,
  memory: VideoMemory,
): Promise<Frame[]> {
  const frames: Frame[] = []
  for (const sourcePart of source.parts) {
    const partTimes = times.filter(time => partAt(source, time) === sourcePart)
    if (partTimes.length === 0) continue
    const local = partTimes.map(time => time - sourcePart.offset)
    const decoded = await memory.frames(sourcePart.video, local, width, region)
    frames.push(...decoded.map(frame => ({ ...frame, time: frame.time + sourcePart.offset })))
  }
  return [...new Map(frames.map(frame => [frame.time, frame])).values()]
}

function refuseBlind(error: unknown): never {
  if (!(error instanceof UsageError)) throw error
  throw new Refused('conflict', error.message, 'Leave "question" out: you then see the frames yourself.')
}

async function viewInWords(
  source: Timeline,
  span: Span,
  { question, frames, region }: { question: string; frames?: number; region?: Region },
  memory: VideoMemory,
): Promise<OperationReply> {
  const { offset } = findPart(source, span)
  const [seen] = await eachPart(memory, source, span, (index, local) => {
    const wish = { start: local.start, end: Math.max(local.end, local.start + 0.1), question, frames, region }
    return look.run(look.input.parse(wish), memory.context(index)).catch(refuseBlind)
  })
  const rows = seen?.evidence ?? []
  return {
    head: [`A vision model says, from ${formatMoment(offset + span.start)} on:`, seen?.text ?? ''].join(' ').trim(),
    lines: rowLines(rows).map(({ line }) => line),
  }
}
