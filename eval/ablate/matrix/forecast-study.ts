import type { StageAtHand } from '../../../src/runtime/index/forecast/planned-stages.ts'
import { listChangedSettings } from '../../runner/changes/change.ts'
import { stageSeconds } from '../../runner/cost/estimate.ts'
import type { Forecast } from '../../runner/cost/forecast.ts'
import type { BaseFirst, MatrixRow } from './rows.ts'

// What a study will take, before anything is spent. What was never measured on this machine is left out, not guessed.
export interface StudyPlan {
  rows: RowPlan[]
  questions: number // of all rows, to the agent
  calls?: number // of models, at most
  tokens?: number
  money?: number
  indexSeconds?: number // undefined if a stage was never measured here
  askSeconds?: number
  from: string // what calls and seconds go by
  notes: string[]
}

interface RowPlan {
  id: string
  name: string
  stages: { make: Record<string, number>; there: Record<string, number>; earlier: Record<string, number> } // videos by stage; earlier: made by a row before
  indexSeconds?: number
  questions: number
  calls?: number
  reuse: string // which calls are taken from other rows
}

interface PlanParts {
  rows: Readonly<BaseFirst<MatrixRow>>
  stages(row: MatrixRow): Promise<StageAtHand[]> // of all videos
  isAsBase(row: MatrixRow): boolean // nothing differs
  forecast: Forecast // of the base only
  notes: string[]
}

export async function studyPlan(parts: PlanParts): Promise<StudyPlan> {
  const { forecast } = parts
  const knownKeys = new Set<string>()
  const rows: RowPlan[] = []
  for (const row of parts.rows) {
    const plan: RowPlan = {
      id: row.id,
      name: row.name,
      stages: { make: {}, there: {}, earlier: {} },
      indexSeconds: undefined,
      questions: forecast.questions,
      ...(forecast.modelCalls !== undefined && { calls: forecast.modelCalls }),
      reuse: describeReuse(row, parts.isAsBase(row)),
    }
    const toMake: StageAtHand[] = []
    for (const atHand of await parts.stages(row)) {
      const { stage, key, video, there } = atHand
      const name = `${video} ${stage} ${key}`
      const kind = there ? 'there' : knownKeys.has(name) ? 'earlier' : 'make'
      plan.stages[kind][stage] = (plan.stages[kind][stage] ?? 0) + 1
      if (kind !== 'make') continue
      knownKeys.add(name)
      toMake.push(atHand)
    }
    plan.indexSeconds = stageSeconds(toMake)
    rows.push(plan)
  }
  const questions = rows.reduce((sum, row) => sum + row.questions, 0)
  const measured = rows.every(row => row.indexSeconds !== undefined)
  const times = (value: number | undefined) => (value === undefined ? undefined : value * rows.length)
  return {
    rows,
    questions,
    calls: times(forecast.modelCalls),
    tokens: times(forecast.tokens),
    money: times(forecast.money),
    askSeconds: times(forecast.askSeconds),
    ...(measured && { indexSeconds: rows.reduce((sum, row) => sum + (row.indexSeconds ?? 0), 0) }),
    from: `${forecast.from}${forecast.modelCalls === undefined ? '' : '; calls that rows share are counted for each of them'}`,
    notes: parts.notes,
  }
}

const later = { writer: 'planner', verifier: 'planner and writer' } as const

function describeReuse(row: MatrixRow, isAsBase: boolean): string {
  if (row.changes.length === 0) return 'none: it comes first'
  if (isAsBase) return 'all calls: it is the base once more'
  const settings = row.changes.flatMap(listChangedSettings)
  const only = (role: string) =>
    settings.length > 0 &&
    row.changes.every(change => listChangedSettings(change).length > 0) &&
    settings.every(setting => setting.startsWith(`models.${role}.`))
  for (const role of ['writer', 'verifier'] as const)
    if (only(role)) return `calls of the ${later[role]}; only what comes from the ${role} on is asked anew`
  return 'calls whose request stays the same'
}
