import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { absentAs, UsageError } from '../../../src/core/errors.ts'
import { parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import { RecordMap } from '../../benchmarks/map/record-map.ts'
import { AskedBy } from '../../data/asked-by.ts'
import { judgeModes } from '../../protocols/judge/protocol.ts'

const text = z.string().max(10_000)
const digest = z.object({ sha256: text })
const Interval = z.looseObject({ task: text, n: z.number(), mean: z.number(), low: z.number(), high: z.number() })
const Metrics = z.record(text, z.number().nullable())

// What "bench reproduce" reads of a card. A stranger may have written it: no path in it is opened and no program started.
export const RunCard = z.looseObject({
  format: z.literal(2),
  benchmark: text,
  split: text.nullable(),
  data: z.looseObject({
    questions: z.number(),
    questionsHash: text,
    map: RecordMap.optional(),
    files: z.array(digest.extend({ bytes: z.number() })).max(1000),
    videos: z.record(text, text), // content ids, by the names in the data
  }),
  longtake: text,
  node: text,
  platform: text,
  asked: AskedBy,
  tasks: z.array(text),
  limit: z.int().min(1).nullable(),
  options: z.record(text, z.unknown()),
  settings: z.record(text, z.unknown()),
  change: z.unknown().optional(), // of a row of an ablation
  models: z.record(text, z.object({ model: text, digest: text.nullable() })),
  judging: z.object({ choice: z.enum(['auto', 'model', 'words', 'off']), mode: z.enum(judgeModes).nullable() }),
  judge: z.looseObject({ by: text, wording: z.union([text, z.looseObject({ sha256: text })]) }).nullable(),
  prompt: z.looseObject({ sha256: text }).optional(),
  about: text.optional(),
  sent: digest.extend({ requests: z.number() }),
  scores: z.looseObject({
    strict: z.array(Interval).max(1000),
    metrics: z.object({ strict: Metrics, official: Metrics }).nullable(),
  }),
})
export type RunCard = z.infer<typeof RunCard>

// From its file, or from the folder that the export wrote.
export async function readCard(path: string): Promise<RunCard> {
  const stats = await stat(path).catch(absentAs(undefined))
  const file = stats?.isDirectory() ? join(path, 'card.json') : path
  const content = await readTextFile(file, 32e6)
  const parsed = RunCard.safeParse(parseStoredJson(content))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(
    content === undefined
      ? `There is no card at ${file}.`
      : `${file} is not the card of a run: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`,
    { hint: 'Name the card.json that "longtake bench export RUN --form card" of this version wrote.' },
  )
}
