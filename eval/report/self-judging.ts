import { findMaker, usualFamilies } from '../../src/config/families.ts'
import { type AskedByKind, splitAskedBy } from '../data/asked-by.ts'
import type { BenchRun } from '../runner/files/run-files.ts'

type AnsweredRun = Pick<BenchRun, 'by' | 'judgedBy' | 'models' | 'digests'>

// Which model an agent of someone else asks is not known.
const answeringRoles: Record<AskedByKind, string[]> = {
  longtake: ['planner', 'writer', 'vision'],
  alone: ['vision'],
  host: ['planner'],
  acp: [],
  'mcp-host': [],
}

// Whether the answers of a run were judged by the model that gave them, or by one of the same maker: judges favour their own.
export function describeSelfJudging(
  { by, judgedBy, models, digests = {} }: AnsweredRun,
  families: Record<string, string[]> = usualFamilies,
): string | undefined {
  const { judge } = models
  if (judgedBy === undefined || judgedBy === 'words' || judge === undefined) return undefined
  const answering = answeringRoles[splitAskedBy(by).kind].flatMap(role =>
    models[role] ? [{ model: models[role], digest: digests[role] }] : [],
  )
  const hint =
    'Another judge: --set models.judge=BACKEND/MODEL, or "bench judges RUN --judge BACKEND/MODEL" on this run.'
  const same = answering.find(({ digest }) => digest !== undefined && digest === digests.judge)
  if (same) return `The judge ${judge} is the model that answered (${same.digest?.slice(0, 19)}). ${hint}`
  if (judge.includes('/') && answering.some(({ model }) => model === judge))
    return `The judge ${judge} is the model that answered. ${hint}`
  const maker = findMaker(judge, families)
  const kin = answering.find(({ model }) => maker !== undefined && findMaker(model, families) === maker)
  return kin && `The judge ${judge} and the model that answered, ${kin.model}, are both of ${maker}. ${hint}`
}
