import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import { listJudgedTasks } from '../../benchmarks/judged-tasks.ts'
import { type Ladder, readMadeSet } from '../../data/benchmark-json.ts'
import { writeLadder } from '../../make/set/write-set.ts'
import { taskTitle } from '../../report/titles.ts'
import { collectSamples } from '../../runner/collect-samples.ts'
import { readBenchRun } from '../../runner/files/run-files.ts'
import { readOptions } from '../../runner/options.ts'
import { baseId } from '../matrix/rows.ts'
import { isDone, readResult } from '../result/read-result.ts'
import { readStudy, type StudyEnvironment } from '../result/study-files.ts'
import type { FrameSweep } from '../result/sweep.ts'

// What a study over the frames measured on a made set, kept in the set: its card prints it.
export async function saveFrameSweep(set: string, folder: string): Promise<Ladder> {
  const { study } = await readStudy(folder)
  await refuseOther(set, study)
  const { result } = await readResult(folder)
  const sweeps = result.sweeps.filter(({ setting }) => setting === 'frames')
  if (study.by !== 'alone' || sweeps.length === 0)
    throw new UsageError(`${folder} does not compare several numbers of frames of one model.`, {
      hint: `Begin one: longtake bench ablate ${study.benchmark} --data ${set} --by alone --option frames=0,1,8,32`,
    })
  await refuseHalf(folder, study, sweeps)
  const run = await readBenchRun(join(folder, 'rows', baseId))
  const judgedTasks = listJudgedTasks(await loadBenchmark(study.benchmark))
  const tasks = sweeps.map(({ task, points }) => [
    taskTitle({ run, judgedTasks }, task),
    points.map(({ value: frames, score }) => ({ frames, score })),
  ])
  return writeLadder(set, {
    model: run.models.vision ?? 'unknown',
    questions: study.samples,
    tasks: Object.fromEntries(tasks),
  })
}

async function refuseOther(set: string, { benchmark, options, dataHash, name }: StudyEnvironment): Promise<void> {
  const madeSet = await readMadeSet(set)
  if (!madeSet)
    throw new UsageError(`${set} is not a made set, so it has no card for a ladder.`, { hint: 'Leave --ladder out.' })
  const setBenchmark = await loadBenchmark(madeSet.recipe)
  const isSame = setBenchmark.name === benchmark
  if (isSame && (await collectSamples(setBenchmark, set, {}, readOptions(setBenchmark, options))).hash === dataHash)
    return
  throw new UsageError(`The study ${name} asked other questions than ${set} holds.`, {
    hint: 'Take a study over the whole set, without --limit, as the set is now.',
  })
}

async function refuseHalf(folder: string, { rows }: StudyEnvironment, sweeps: readonly FrameSweep[]): Promise<void> {
  const pointRows = new Set(sweeps.flatMap(({ points }) => points.map(({ row }) => row)))
  for (const { id, name } of rows)
    if (pointRows.has(name) && !(await isDone(join(folder, 'rows', id))))
      throw new UsageError(
        `The row "${name}" of ${folder} is not done: some of its questions were not asked or judged.`,
        {
          hint: `Resume it: longtake bench ablate --resume ${folder}`,
        },
      )
}
