import { z } from 'zod'
import type { StageContext } from '../../../src/core/stage.ts'
import type { PassReport } from '../../../src/media/pass/decode-pass.ts'
import { need } from '../results.ts'

// What was really decoded.
export async function readReport(context: Pick<StageContext, 'result'>): Promise<PassReport> {
  return (await need(context.result('decode')).json('report.json', z.unknown())) as PassReport
}

// Keyframes alone were shown, so the last one says nothing about the end.
export function wasSkimmed({ level, errors }: PassReport): boolean {
  return level === 'quick' && errors === 0
}
