import { join } from 'node:path'
import { z } from 'zod'
import { contentHash } from '../../src/core/json.ts'
import { resumeCalls } from '../../src/store/call-log/resume.ts'
import { makeFolder, removeFolder } from '../../src/store/durable.ts'
import { openJsonLines, readJsonLines } from '../../src/store/json-lines.ts'
import type { Redact } from '../../src/store/redact.ts'
import type { JudgedAnswer, JudgedRun } from '../agree/judged-run.ts'
import type { Sample } from '../benchmarks/sample.ts'
import { Judgment } from '../runner/sample-line.ts'
import type { OpenedJudge } from './open-judges.ts'
import type { JudgeSight } from './protocol.ts'

const KeptJudgment = z.object({ id: z.string(), reply: z.string(), judgment: Judgment })

interface JudgeAgain {
  run: JudgedRun
  judge: OpenedJudge
  repeat?: number // from 1; each has calls of its own
  limit?: number
  sight?(sample: Sample): Promise<JudgeSight>
  redact: Redact
  signal: AbortSignal
  onJudged(): void
}

// A judge's verdicts on a run's answers, by sample. They are kept below the run, each judge's apart, and nothing is asked twice;
// what the run's own judge said in the same wording counts as its first time. The run itself stays as it is.
export async function judgeAgain(work: JudgeAgain): Promise<Map<string, Judgment>> {
  const { run, judge, redact, signal, sight: look } = work
  const folder = folderOf(work)
  const file = join(folder, 'verdicts.jsonl')
  const kept = new Map(
    (await readJsonLines(file, KeptJudgment)).map(line => [`${line.id}\n${line.reply}`, line.judgment]),
  )
  await makeFolder(folder)
  const rows = await openJsonLines(file, 'each-line')
  const judgments = new Map<string, Judgment>()
  for (const answer of spread(run.answers, work.limit)) {
    const { sample, reply, hash } = answer
    const known = kept.get(`${sample.id}\n${hash}`) ?? ownJudgment(work, answer)
    if (known) judgments.set(sample.id, known)
    else {
      const calls = join(folder, 'calls', contentHash({ id: sample.id, hash }).slice(0, 16))
      const service = judge.service.withChat?.(resumeCalls(calls, redact).model) ?? judge.service
      const judgment = await service.judge({ sample, reply, sight: look && (() => look(sample)), signal })
      // What could not be read as a verdict is asked anew the next time, and not read from the record.
      if (Object.keys(judgment.failed).length > 0) await removeFolder(calls)
      else await rows.append(redact({ id: sample.id, reply: hash, judgment }))
      judgments.set(sample.id, judgment)
    }
    work.onJudged()
  }
  return judgments
}

// How many answers of a run this judge would have to be asked about.
export async function toAsk(
  work: Omit<JudgeAgain, 'redact' | 'signal' | 'sight' | 'onJudged'>,
): Promise<JudgedAnswer[]> {
  const lines = await readJsonLines(join(folderOf(work), 'verdicts.jsonl'), KeptJudgment)
  const kept = new Set(lines.map(line => `${line.id}\n${line.reply}`))
  return spread(work.run.answers, work.limit).filter(
    answer => !kept.has(`${answer.sample.id}\n${answer.hash}`) && !ownJudgment(work, answer),
  )
}

function folderOf({ run, judge, repeat = 1 }: Pick<JudgeAgain, 'run' | 'judge' | 'repeat'>): string {
  const { name } = judge.service
  const slug = `${name.replace(/[^\w-]+/g, '_')}-${contentHash({ name, wording: judge.wording ?? '' }).slice(0, 8)}`
  return join(run.folder, 'judges', slug, ...(repeat > 1 ? [`repeat-${repeat}`] : []))
}

function ownJudgment(
  { run, judge, repeat = 1 }: Pick<JudgeAgain, 'run' | 'judge' | 'repeat'>,
  { judgment }: JudgedAnswer,
) {
  const isSame = judgment?.by === judge.service.name && run.run.wording?.sha256 === judge.wording
  return isSame && repeat === 1 && Object.keys(judgment.failed).length === 0 ? judgment : undefined
}

// Evenly over the run, so that a part stands for the whole.
function spread<Thing>(items: readonly Thing[], limit = items.length): Thing[] {
  if (limit >= items.length) return [...items]
  return Array.from({ length: limit }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / limit)] as Thing)
}
