import { happens } from '../../../src/core/basics/draws.ts'
import { type Evidence, stamp } from '../../../src/core/evidence.ts'
import type { RowsChange, StageChanges } from '../../../src/runtime/index/plan-stages.ts'
import type { AblationFault } from '../../runner/changes/fault.ts'
import { lineDraw, misheard, misread, textDraw, wordPool } from './plant-errors.ts'

// Raise it when the same settings plant other errors than before.
const version = 1

// Faults of what a video's index is made from. A fault of no strength changes nothing, so that nothing is made again for it.
export function stageFaults(faults: readonly AblationFault[], seed: number): StageChanges {
  const changes: StageChanges = {}
  for (const fault of faults) {
    if (fault.amount === 0) continue
    if (fault.target === 'asr')
      changes.speech = spoiled('fault/asr', { wer: fault.amount, seed, version }, mishear(fault.amount, seed))
    if (fault.target === 'ocr')
      changes.text = spoiled('fault/ocr', { cer: fault.amount, seed, version }, misreadRows(fault.amount, seed))
    if (fault.target === 'frames')
      changes.stills = {
        settings: { drop: fault.amount, seed, version },
        keep: still => !isDropped(fault.amount, seed, still.time),
      }
  }
  return changes
}

export function isDropped(amount: number, seed: number, time: number): boolean {
  return happens(amount, seed, 'frames', Math.round(time * 1000))
}

function spoiled(by: string, settings: object, rows: (before: Evidence[]) => Evidence[]): RowsChange {
  return { by, needs: 'rows', settings: () => settings, rows: (_, before) => rows(before) }
}

// The rows say that they are by the same backend as before: nobody who reads them shall know of the fault.
function mishear(wer: number, seed: number): (before: Evidence[]) => Evidence[] {
  return before => {
    const pool = wordPool(before)
    return before.flatMap(row => {
      const heard = misheard(row, wer, pool, lineDraw(seed, row))
      return heard ? [again(row, heard)] : []
    })
  }
}

function misreadRows(cer: number, seed: number): (before: Evidence[]) => Evidence[] {
  return before =>
    before.flatMap(row => {
      const text = misread(row.text, cer, textDraw(seed, row.span, row.text))
      return text.trim() === '' ? [] : [again(row, { ...row, text })]
    })
}

function again(before: Evidence, { id: _, video: __, by: ___, ...finding }: Evidence): Evidence {
  return stamp(finding, before.video, before.by)
}
