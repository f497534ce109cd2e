import type { z } from 'zod'
import { inOrder } from '../../../src/core/basics/in-order.ts'
import { BackendError } from '../../../src/core/errors.ts'
import { rowLine } from '../../../src/core/evidence.ts'
import { parseJsonText } from '../../../src/core/json.ts'
import type { Span } from '../../../src/core/time.ts'
import type { OverviewSentence } from '../../../src/core/video.ts'
import type { StoryClip } from './clips.ts'
import { citedIn, firstSentences, type JoinedParts, joinSpans, pieceFrom, type StoryPart } from './part.ts'
import {
  ClipsReply,
  JoinedReply,
  overhead,
  questionTokens,
  type StoryPiece,
  sentenceLine,
  sentencesAtMost,
  storyRequest,
  WholeReply,
} from './prompts.ts'
import { type RowsById, readSentences, strangeIn } from './read-sentences.ts'
import { roughTokens, rowTokens } from './tokens.ts'
import type { ReadReply, StoryWriter } from './writer.ts'

export interface LevelWork {
  writer: StoryWriter
  rows: RowsById
  maxTokens: number // of a request
  signal: AbortSignal
  done(span: Span): void
}

const clipsAtOnce = 8
export const piecesAtOnce = 40

export const roomOf = (maxTokens: number) => maxTokens - overhead

// The clips of each request.
export function clipPacks(clips: readonly StoryClip[], room: number): StoryClip[][] {
  return pack(clips, ({ rows }) => 12 + rows.reduce((sum, row) => sum + rowTokens(row), 0), room, clipsAtOnce)
}

// Each clip in a few sentences.
export async function writeClips(clips: readonly StoryClip[], work: LevelWork): Promise<StoryPart[]> {
  return eachPack(clipPacks(clips, roomOf(work.maxTokens)), work, async some => {
    const pieces = some.map(({ span, rows }): StoryPiece => ({ span, lines: rows.map(rowLine) }))
    const sentences = await work.writer.write(storyRequest('clip', pieces, []), reply => readClips(reply, some))
    return some.map(({ span }, at): StoryPart => ({ span, told: sentences?.[at] ?? [] }))
  })
}

// Neighbours joined to larger parts, and the questions that are open in them.
export async function join(
  level: 'scene' | 'chapter',
  pieces: readonly StoryPart[],
  questions: readonly OverviewSentence[],
  work: LevelWork,
): Promise<JoinedParts> {
  const joined = await eachPack(packed(pieces, work), work, async some => {
    const openQuestions = within(questions, some, work.rows)
    const rows = citedIn([...some.map(({ told }) => told), openQuestions], work.rows)
    const request = storyRequest(level, some.map(pieceFrom), fitting(openQuestions))
    const read = await work.writer.write(request, reply => readJoined(reply, level, some, rows, work.rows))
    return [read ?? { parts: [firstSentences(some, level)], open: openQuestions }]
  })
  return { parts: joined.flatMap(({ parts }) => parts), open: joined.flatMap(({ open }) => open) }
}

// The whole in a few sentences: where its parts do not fit into one request, of what is said of some of them together.
export async function sumUp(
  parts: readonly StoryPart[],
  questions: readonly OverviewSentence[],
  work: LevelWork,
): Promise<JoinedParts> {
  const whole = packed(parts, work)
  // What is summed up more than once becomes fewer each time, also where two summaries do not fit beside each other.
  const packs = whole.length > Math.ceil(parts.length / 2) ? packed(parts.map(shortened), work) : whole
  const summed = await eachPack(packs, work, async some => {
    const openQuestions = within(questions, some, work.rows)
    const rows = citedIn([...some.map(({ told }) => told), openQuestions], work.rows)
    const read = await work.writer.write(storyRequest('whole', some.map(pieceFrom), fitting(openQuestions)), reply =>
      readWhole(reply, rows),
    )
    const span = joinSpans(some)
    return [
      read
        ? { parts: [{ span, told: read.told }], open: read.open }
        : { parts: [firstSentences(some, 'whole')], open: openQuestions },
    ]
  })
  const joined = { parts: summed.flatMap(({ parts }) => parts), open: summed.flatMap(({ open }) => open) }
  return packs.length > 1 ? sumUp(joined.parts, joined.open, work) : joined
}

// Side by side, in order. What is too long for the model is asked for in two halves.
async function eachPack<Item extends { span: Span }, Result>(
  packs: readonly Item[][],
  work: LevelWork,
  write: (some: Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  const writePack = async (some: Item[]): Promise<Result[]> => {
    try {
      return await write(some)
    } catch (error) {
      const tooLong = error instanceof BackendError && error.reason === 'context-overflow'
      if (!tooLong || some.length < 2) throw error
      const half = Math.ceil(some.length / 2)
      return [...(await writePack(some.slice(0, half))), ...(await writePack(some.slice(half)))]
    }
  }
  let at = 0
  for await (const packResults of inOrder(packs, work.writer.atOnce, work.signal, writePack)) {
    results.push(...packResults)
    work.done(joinSpans(packs[at++] ?? []))
  }
  return results
}

function shortened(part: StoryPart): StoryPart {
  return { ...part, told: part.told.slice(0, 2) }
}

function packed(pieces: readonly StoryPart[], { maxTokens }: LevelWork): StoryPart[][] {
  return pack(pieces, piece => roughTokens(pieceFrom(piece).lines.join('\n')) + 30, roomOf(maxTokens), piecesAtOnce)
}

// The questions that were raised in these pieces.
function within(
  questions: readonly OverviewSentence[],
  pieces: readonly { span: Span }[],
  rows: RowsById,
): OverviewSentence[] {
  const { start, end } = joinSpans(pieces)
  return questions.filter(({ cites }) => {
    const raised = rows.get(cites[0] ?? '')?.span.start ?? start
    return raised >= start && raised < end
  })
}

function fitting(questions: readonly OverviewSentence[]): string[] {
  return pack(questions.map(sentenceLine), roughTokens, questionTokens, 20)[0] ?? []
}

// Neighbours together, as many as fit into `room`, and no more than `atMost`. What does not fit by itself stands alone.
function pack<Item>(items: readonly Item[], size: (item: Item) => number, room: number, atMost: number): Item[][] {
  const packs: Item[][] = []
  let roomLeft = 0
  for (const item of items) {
    const needed = size(item)
    const last = packs.at(-1)
    if (last && needed <= roomLeft && last.length < atMost) last.push(item)
    else {
      packs.push([item])
      roomLeft = room
    }
    roomLeft -= needed
  }
  return packs
}

// What holds of a reply. Undefined: it is not of its form.

function readClips(reply: string, clips: readonly StoryClip[]): ReadReply<OverviewSentence[][]> | undefined {
  const parsedReply = parsed(reply, ClipsReply)
  if (!parsedReply) return undefined
  const value: OverviewSentence[][] = clips.map(() => [])
  const faults: string[] = []
  let dropped = 0
  for (const [at, { rows }] of clips.entries()) {
    const clipSentences = parsedReply.clips
      .filter(({ number }) => number === at + 1)
      .flatMap(({ sentences }) => sentences)
    if (clipSentences.length === 0) faults.push(`Clip ${at + 1} has no sentence.`)
    const ids = new Map(rows.map(row => [row.id, row]))
    const read = readSentences(clipSentences, ids, { atMost: sentencesAtMost.clip })
    value[at] = read.told
    dropped += read.faults.length
    faults.push(...read.faults)
  }
  return { value, good: sentencesIn(value), dropped, faults }
}

function readJoined(
  reply: string,
  level: 'scene' | 'chapter',
  pieces: readonly StoryPart[],
  asked: RowsById,
  rows: RowsById,
): ReadReply<JoinedParts> | undefined {
  const parsedReply = parsed(reply, JoinedReply)
  const starts = parsedReply?.parts.map(({ first }) => first) ?? []
  const isOrdered = starts.every((first, at) => first > (starts[at - 1] ?? 0) && first <= pieces.length)
  if (!parsedReply || parsedReply.parts.length === 0 || !isOrdered) return undefined
  const open = readSentences(parsedReply.open, asked, { atMost: 5, asks: true })
  const faults = starts[0] === 1 ? [...open.faults] : ['The first part must begin with piece 1.', ...open.faults]
  let dropped = open.faults.length
  let good = 0
  const parts = parsedReply.parts.map(({ title: written, sentences }, at): StoryPart => {
    const some = pieces.slice(at === 0 ? 0 : (starts[at] ?? 1) - 1, (starts[at + 1] ?? pieces.length + 1) - 1)
    const citedRows = citedIn(
      some.map(({ told }) => told),
      rows,
    )
    const read = readSentences(sentences, citedRows, { atMost: sentencesAtMost[level] })
    const title = written.replace(/\s+/g, ' ').trim()
    const strange = title === '' || title.length > 120 ? ['it'] : strangeIn(title, [...citedRows.values()])
    if (strange.length > 0)
      faults.push(`The title "${title.slice(0, 120)}": ${strange.join(', ')} stands in none of its rows.`)
    faults.push(...read.faults)
    dropped += read.faults.length
    good += read.told.length
    return {
      span: joinSpans(some),
      ...(strange.length === 0 && { title }),
      told: read.told.length > 0 ? read.told : firstSentences(some, level).told,
    }
  })
  return { value: { parts, open: open.told }, good, dropped, faults }
}

function readWhole(
  reply: string,
  rows: RowsById,
): ReadReply<{ told: OverviewSentence[]; open: OverviewSentence[] }> | undefined {
  const parsedReply = parsed(reply, WholeReply)
  if (!parsedReply) return undefined
  const { told, faults } = readSentences(parsedReply.sentences, rows, { atMost: sentencesAtMost.whole })
  const open = readSentences(parsedReply.open, rows, { atMost: 5, asks: true })
  if (told.length === 0 && faults.length === 0) faults.push('It says nothing.')
  const all = [...faults, ...open.faults]
  return { value: { told, open: open.told }, good: told.length, dropped: all.length, faults: all }
}

function parsed<T>(reply: string, shape: z.ZodType<T>): T | undefined {
  return shape.safeParse(parseJsonText(reply)).data
}

function sentencesIn(lists: readonly OverviewSentence[][]): number {
  return lists.reduce((sum, list) => sum + list.length, 0)
}
