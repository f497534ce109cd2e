import type { z } from 'zod'
import { parseJsonText } from '../../../src/core/json.ts'
import type { OverviewSentence } from '../../../src/core/video.ts'
import type { StoryClip } from './clips.ts'
import { citedIn, firstSentences, type JoinedParts, joinSpans, type StoryPart } from './part.ts'
import { ClipsReply, JoinedReply, sentencesAtMost, WholeReply } from './prompts.ts'
import { type RowsById, readSentences, strangeIn } from './read-sentences.ts'
import type { ReadReply } from './writer.ts'

// What holds of a reply. Undefined: it is not of its form.

export function readClips(reply: string, clips: readonly StoryClip[]): ReadReply<OverviewSentence[][]> | undefined {
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

export function readJoined(
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

export function readWhole(
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
