import { z } from 'zod'

// Which fields the released tools read of a record, and as what: facts of their code, written down by hand. What stands beside them is
// not read. LongShOT at 4810800, CG-Bench at f826608, VideoEval-Pro at 4220bd4; the others have released no loader.

const letter = z.string().regex(/^[A-Z]$/)
const words = z.string().min(1)

const Criterion = z.looseObject({ name: words, description: words, weight: z.number(), is_penalty: z.boolean() })
const UserTurn = z.looseObject({ role: z.literal('user'), content: words, modalities: z.array(words).min(1) })
const AssistantTurn = z.looseObject({
  ...{ role: z.literal('assistant'), content: words },
  // Points are shared out over the positive weights, so there must be one.
  criteria: z.array(Criterion).refine(all => all.some(({ weight, is_penalty }) => weight > 0 && !is_penalty)),
})

export const LongshotSample = z.looseObject({
  ...{ sample_id: words, video_id: words, task: words, duration: z.number().positive() },
  // The video goes with the first turn.
  conversations: z.tuple([UserTurn]).rest(z.union([UserTurn, AssistantTurn])),
})
export const LongshotAnswered = LongshotSample.extend({
  conversations: z.tuple([UserTurn]).rest(
    z.union([
      UserTurn,
      AssistantTurn.extend({
        candidate_response: z.string(),
        criteria: z.array(Criterion.extend({ criteria_met: z.boolean().nullable() })),
      }),
    ]),
  ),
})
// How a sample that is done is found in a file, without reading it as JSON.
export const longshotId = /"sample_id"\s*:\s*"([^"]+)"/

const CgBenchAsked = z.looseObject({
  ...{ qid: z.number().int(), video_uid: words, question: words, answer: words },
  choices: z.array(z.string()).min(2).max(26),
  right_answer: letter,
  clue_intervals: z.array(z.tuple([z.number(), z.number()])).min(1),
})
export const CgBenchFile = z.array(CgBenchAsked)
export const CgBenchVideos = z.record(
  words,
  z.looseObject({ fps: z.number().positive(), max_frame: z.number().int().positive() }),
)
// A question that changes has its version counted up.
const version = z.number().int()
const Step = z.looseObject({ version, result: z.number().int() })
export const CgBenchResult = CgBenchAsked.extend({
  version,
  results: z.record(
    z.string().regex(/^(?:long_acc|clue_acc|miou|open)_[^_].*_\w+_\d+_(?:True|False)_(?:True|False)_(?:True|False)$/),
    z.looseObject({
      version,
      result: z.union([z.number(), z.string()]),
      step_1: Step.optional(),
      step_2: Step.optional(),
    }),
  ),
})

export const VideoEvalProRow = z.looseObject({
  ...{ video: words, question: words, options: z.array(words).min(2), answer: letter, answer_text: words },
  ...{ source: words, qa_type: words, qa_subtype: words, meta: z.string() },
})
const failed = z.strictObject({ correct: z.literal(false), reason: z.string() })
export const VideoEvalProJudged = VideoEvalProRow.extend({
  ...{ textqa_answer: z.string(), mcq_answer: z.string() },
  ...{ textqa_judge: z.union([z.boolean(), failed]), mcq_judge: z.boolean() },
})

// The hub's loader keeps a column of one type for all records; fields that hold several, by their paths.
export function mixedFields(records: readonly unknown[]): string[] {
  const types = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string) => {
    if (value === null) return
    const type = Array.isArray(value) ? 'array' : typeof value
    types.set(path, (types.get(path) ?? new Set()).add(type))
    if (Array.isArray(value)) for (const one of value) visit(one, `${path}[]`)
    else if (typeof value === 'object') for (const [key, one] of Object.entries(value)) visit(one, `${path}.${key}`)
  }
  for (const record of records) visit(record, '')
  return [...types].flatMap(([path, found]) => (found.size > 1 ? [`${path}: ${[...found].join(', ')}`] : []))
}
