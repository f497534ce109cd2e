import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { contentHash } from '../../../src/core/json.ts'
import type { DraftItem } from '../../recipes/item.ts'

// What a person says of an item of a made set, one line each in verdicts/REVIEWER.jsonl.

export const dropReasons = [
  ...(['wrong-answer', 'several-right', 'ambiguous', 'trivial', 'answerable-without-video', 'not-in-video'] as const),
  ...(['bad-clue', 'bad-options', 'bad-rubric', 'leak', 'private', 'broken-video', 'language'] as const),
] as const

export const Intervals = z
  .array(
    z
      .tuple([z.number().min(0), z.number()])
      .refine(([start, end]) => end > start, 'an interval must end after it starts'),
  )
  .max(5)

// When an event happens that an answer rests on, or that it is not in the video.
const EventMark = z.union([z.literal('absent'), Intervals.min(1)])
export type EventMark = z.infer<typeof EventMark>

const FixedText = z.string().trim().min(1).max(4000) // the checks compare its words with all that the video says

// What a fix puts in the place of what was there.
export const Fixed = z
  .strictObject({
    question: FixedText.optional(),
    answer: FixedText.optional(), // of an open question; the right option says it of a choice
    options: z.array(FixedText).min(2).max(8).optional(),
    right: z.int().min(0).optional(), // the place of the right one among these options, as they were shown
    clues: Intervals.optional(),
  })
  .refine(
    ({ right, options }) => right === undefined || (options !== undefined && right < options.length),
    'right must be the place of one of its options',
  )
export type Fixed = z.infer<typeof Fixed>

const verdicts = ['keep', 'fix', 'drop'] as const

const verdictFields = {
  item: z.string(),
  itemHash: z.string(),
  seconds: z.number().min(0),
  answered: z.string().optional(), // before the key was seen: the text of an option, or free words
  verdict: z.enum(verdicts),
  reasons: z.array(z.enum(dropReasons)).default([]),
  note: z.string().max(2000).optional(),
  fixed: Fixed.optional(),
  clues: Intervals.optional(), // marked before the key was seen
  events: z.record(z.string(), EventMark).optional(), // by their texts
  confidence: z.int().min(1).max(5).optional(),
}

// What the page or a file says; the reviewer and the time are added here.
export const ReviewVerdict = z
  .strictObject(verdictFields)
  .refine(
    ({ verdict, fixed }) => (verdict === 'fix') === (fixed !== undefined && Object.keys(fixed).length > 0),
    'a fix must hold what is fixed, and nothing else may',
  )
export type ReviewVerdict = z.infer<typeof ReviewVerdict>

// What takes back what was said before.
export const Undone = z.strictObject({
  item: verdictFields.item,
  itemHash: verdictFields.itemHash,
  seconds: verdictFields.seconds,
  verdict: z.literal('undone'),
  reasons: z.tuple([]).default([]),
})
export type Undone = z.infer<typeof Undone>

// Only the last line of a reviewer on an item counts; "undone" takes back what was said before.
export const ReviewLine = z.looseObject({
  ...verdictFields,
  reviewer: z.string(),
  at: z.string(), // ISO date
  verdict: z.enum([...verdicts, 'undone']),
  // A line is read whatever it says of these.
  seconds: z.number(),
  reasons: z.array(z.string()),
  note: z.string().optional(),
  confidence: z.number().optional(),
})
export type ReviewLine = z.infer<typeof ReviewLine>

// Of the question, the answer and the options in any order: their places are dealt again if another question of the set is gone.
export function itemHash({ right: _, options, ...item }: DraftItem): string {
  return contentHash({ ...item, ...(options && { options: [...options].sort() }) }).slice(0, 16)
}

// The name is that of the file with the verdicts.
export function checkReviewer(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(name)) return name
  throw new UsageError(
    `The name of a reviewer must be 1 to 40 letters, digits, blanks, ".", "_" or "-" and begin with one of the first two, not ${JSON.stringify(name)}.`,
    { hint: 'As in --as anna.' },
  )
}
