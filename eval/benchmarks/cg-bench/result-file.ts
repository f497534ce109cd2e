import { plain } from '../../python/value.ts'
import type { CgBenchRecord } from './record.ts'
import { isFinal, readGrounding, readLetter, readOpen, readVerdict } from './reply.ts'

// The file per question that the released tools keep: the record, and under each result key what was read from the reply.
export interface ResultFile {
  version: string
  results: Record<string, Result>
  [field: string]: unknown
}

interface Result {
  version: string
  result: unknown
  step_1?: { version: string; result: unknown }
  step_2?: { version: string; result: unknown }
}

export function resultFile(record: CgBenchRecord, version: string): ResultFile {
  return { ...record, version, results: {} }
}

// Adds a reply as the released tools would save it: nothing where they read nothing, so that they would ask again.
export function withReply(
  file: ResultFile,
  key: string,
  reply: string | null,
  judge: Record<string, string | null> = {},
): ResultFile {
  const record = file as unknown as CgBenchRecord
  const { value } = key.startsWith('miou')
    ? readGrounding(reply, record.clue_intervals)
    : key.startsWith('open')
      ? readOpen(reply)
      : readLetter(reply, record.right_answer)
  if (value === null) return file
  const { version } = file
  const result: Result = { version, result: plain(value), ...(key.startsWith('open') && verdicts(judge, version)) }
  return { ...file, results: { ...file.results, [key]: result } }
}

// A final first verdict is the second's too.
function verdicts(judge: Record<string, string | null>, version: string): Pick<Result, 'step_1' | 'step_2'> {
  const first = readVerdict(judge.step_1, 1).value
  if (first === null) return {}
  const step_1 = { version, result: plain(first) }
  const second = isFinal(first) ? first : readVerdict(judge.step_2, 2).value
  return second === null ? { step_1 } : { step_1, step_2: { version, result: plain(second) } }
}
