import { z } from 'zod'
import { Answer, Question, Step, StopReason } from '../../core/agent.ts'
import { Refused } from '../../core/api/problem.ts'
import { Usage } from '../../core/chat.ts'
import { UsageError } from '../../core/errors.ts'
import { Evidence } from '../../core/evidence.ts'
import type { AskReport } from '../../core/runtime.ts'
import { Coverage } from '../../core/video.ts'
import { type RunRecord, readRunRecord } from '../../store/run/run-folder.ts'

export async function runRecord(home: string, id: string): Promise<RunRecord> {
  return readRunRecord(home, id).catch(error => {
    if (error instanceof UsageError)
      throw new Refused('unknown', 'There is no run with this name.', 'GET /api/runs lists them.')
    throw error
  })
}

// That answered its question, where it was told.
export function readGraphName({ environment }: RunRecord): string | undefined {
  return typeof environment.graph === 'string' ? environment.graph : undefined
}

// None where it is the run of an evaluation.
export function readRunQuestion({ environment }: RunRecord): Question | undefined {
  return Question.safeParse(environment.question).data
}

// The answer that a run ended with, also where a limit ended it.
export async function reportOfRun(home: string, id: string): Promise<AskReport | undefined> {
  return recordedReport(await readRunRecord(home, id))
}

const Report = z.object({
  video: z.looseObject({ id: z.string(), path: z.string(), duration: z.number() }),
  question: Question,
  answer: Answer,
  evidence: z.array(Evidence),
  coverage: Coverage,
  steps: z.array(Step),
  usage: Usage,
  stop: StopReason,
  profile: z.string(),
})

// None where the summary is that of an evaluation, or of a release whose answers were other ones.
export function recordedReport({ summary, folder }: RunRecord): AskReport | undefined {
  if (!Report.safeParse(summary).success) return undefined
  const { status: _, state: __, ...report } = summary as AskReport & { status?: string; state?: string }
  return { ...report, run: folder }
}
