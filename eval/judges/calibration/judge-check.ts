import { join } from 'node:path'
import { contentHash } from '../../../src/core/json.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import type { JudgeWording } from '../../protocols/judge/protocol.ts'
import { JudgeCheck } from './calibrate.ts'

export const runFile = 'judge-check.json'

export function judgeCheckKey(benchmark: string, judge: string, wording: string | undefined): string {
  return contentHash({ benchmark, judge, wording: wording ?? '' }).slice(0, 16)
}

// What a run says of its judge.
interface JudgedBy {
  benchmark: string
  judgedBy?: string
  wording?: JudgeWording
}

export function checkCovers(check: JudgeCheck, { benchmark, judgedBy, wording }: JudgedBy): boolean {
  return (
    check.benchmark === benchmark &&
    check.judge === judgedBy &&
    check.wording === (judgedBy === 'words' ? undefined : wording?.sha256)
  )
}

// The check of a run's judge: the one kept in it.
export async function checkOfRun(folder: string): Promise<JudgeCheck | undefined> {
  return JudgeCheck.safeParse(await readJsonFile(join(folder, runFile))).data
}

// What was found of this judge before the run.
export async function keptCheck(home: string, run: JudgedBy): Promise<JudgeCheck | undefined> {
  if (run.judgedBy === undefined) return undefined
  const key = judgeCheckKey(run.benchmark, run.judgedBy, run.judgedBy === 'words' ? undefined : run.wording?.sha256)
  return readCheck(join(home, 'judges', key))
}

export async function readCheck(folder: string): Promise<JudgeCheck | undefined> {
  return JudgeCheck.safeParse(await readJsonFile(join(folder, 'check.json'))).data
}

// "judge checked: kappa 0.91, 2026-11-22, sha256:..." or "not checked", as a report says it.
export function checkedText(check: JudgeCheck | undefined): string {
  if (!check) return 'not checked'
  const { kappa, date, digest } = check
  const value = kappa.value === null ? 'undefined' : kappa.value.toFixed(2)
  const model =
    check.judge === 'words'
      ? 'no model'
      : digest === undefined
        ? 'digest of the model unknown'
        : `model ${digest.slice(0, 19)}`
  return `judge checked: kappa ${value}, ${date.slice(0, 10)}, ${model}`
}
