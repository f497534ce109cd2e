import { join } from 'node:path'
import { z } from 'zod'
import { contentHash } from '../../src/core/json.ts'
import { recordCalls } from '../../src/store/call-log/record.ts'
import { resumeCalls } from '../../src/store/call-log/resume.ts'
import { ensureFolder } from '../../src/store/durable.ts'
import { openJsonLines, readJsonLines } from '../../src/store/json-lines.ts'
import type { Redact } from '../../src/store/redact.ts'
import type { Sample } from '../data/sample.ts'
import { Judgment } from '../data/sample-line.ts'
import type { OpenedJudge } from '../judges/open-judges.ts'
import type { JudgeSight } from '../protocols/judge/protocol.ts'
import type { JudgedAnswer, JudgedRun } from './judged-run.ts'

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

// A judge's verdicts on a run's answers, by sample. They are kept below the run, each judge's apart, and nothing is asked twice:
// of a judgment that failed, the next time asks for what failed. What the run's own judge said in the same wording counts as its
// first time. The run itself stays as it is.
export async function judgeAgain(work: JudgeAgain): Promise<Map<string, Judgment>> {
  const { run, judge, redact, signal, sight: look } = work
  const folder = nameFolder(work)
  const file = join(folder, 'verdicts.jsonl')
  const keptVerdicts = await keptIn(file)
  await ensureFolder(folder)
  const rows = await openJsonLines(file, 'each-line')
  const judgments = new Map<string, Judgment>()
  for (const answer of spread(run.answers, work.limit)) {
    const { sample, reply, hash } = answer
    const before = findJudgment(work, keptVerdicts, answer)
    if (before && isWhole(before)) judgments.set(sample.id, before)
    else {
      const calls = join(folder, 'calls', contentHash({ id: sample.id, hash }).slice(0, 16))
      // What could not be read as a verdict is not read from the record.
      const log = before ? recordCalls(join(calls, 'again'), redact) : resumeCalls(calls, redact)
      const service = judge.service.withChat?.(log.model) ?? judge.service
      const judgment = await service.judge({ sample, reply, before, sight: look && (() => look(sample)), signal })
      await rows.append(redact({ id: sample.id, reply: hash, judgment }))
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
  const storedVerdicts = await keptIn(join(nameFolder(work), 'verdicts.jsonl'))
  return spread(work.run.answers, work.limit).filter(answer => {
    const storedJudgment = findJudgment(work, storedVerdicts, answer)
    return !storedJudgment || !isWhole(storedJudgment)
  })
}

// The last of each answer, by the sample and the hash of the reply.
async function keptIn(file: string): Promise<Map<string, Judgment>> {
  const lines = await readJsonLines(file, KeptJudgment)
  return new Map(lines.map(({ id, reply, judgment }) => [`${id}\n${reply}`, judgment]))
}

function nameFolder({ run, judge, repeat = 1 }: Pick<JudgeAgain, 'run' | 'judge' | 'repeat'>): string {
  const { name } = judge.service
  const slug = `${name.replace(/[^\w-]+/g, '_')}-${contentHash({ name, wording: judge.wording ?? '' }).slice(0, 8)}`
  return join(run.folder, 'judges', slug, ...(repeat > 1 ? [`repeat-${repeat}`] : []))
}

function findJudgment(
  { run, judge, repeat = 1 }: Pick<JudgeAgain, 'run' | 'judge' | 'repeat'>,
  kept: ReadonlyMap<string, Judgment>,
  { sample, hash, judgment }: JudgedAnswer,
): Judgment | undefined {
  const isOwn = judgment?.by === judge.service.name && run.run.wording?.sha256 === judge.wording && repeat === 1
  const candidates = [kept.get(`${sample.id}\n${hash}`), isOwn ? judgment : undefined].filter(one => one !== undefined)
  return candidates.find(isWhole) ?? candidates[0]
}

function isWhole({ failed }: Judgment): boolean {
  return Object.keys(failed).length === 0
}

// Evenly over the run, so that a part stands for the whole.
function spread<Thing>(items: readonly Thing[], limit = items.length): Thing[] {
  if (limit >= items.length) return [...items]
  return Array.from({ length: limit }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / limit)] as Thing)
}
