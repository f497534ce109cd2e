import type { Watch } from '../../src/core/agent.ts'
import { splitAskedBy } from '../data/asked-by.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { isBlind } from '../protocols/show.ts'
import type { LocatedSample, RunProgress } from './ask/process-samples.ts'
import { runSamples } from './ask/run-samples.ts'
import type { BenchParts } from './bench-parts.ts'
import type { RunFiles } from './files/run-files.ts'

// Who settles the samples of a run: this process, or the workers of a cluster. Every line of them ends in `files`.
export type Runner = (work: RunnerWork) => Promise<void>

export interface BenchProgress {
  watch: Watch
  onSample(line: SampleLine, progress: RunProgress): void
}

export interface RunnerWork extends BenchProgress {
  parts: BenchParts
  files: RunFiles
  samples: readonly LocatedSample[] // in the order of the data
}

export const localRunner: Runner = ({ parts, files, samples, watch, onSample }) => {
  const { concurrency } = parts.request
  return runSamples(parts, { samples, store: files, folder: files.folder, concurrency, watch, onSample })
}

// Workers hold videos; a question without one, about a clip that was cut on this machine, or to a command is asked from here.
export function chooseRunner(parts: BenchParts, wanted: Runner): Runner {
  const isCut = parts.collected.samples.some(sample => sample.cut)
  const isCommand = splitAskedBy(parts.by).command !== undefined
  if (wanted === localRunner || !(isCut || isCommand || isBlind(parts))) return wanted
  const why = isCut
    ? 'Clips are cut on this machine'
    : isCommand
      ? 'The agent is a command of this machine'
      : 'No video is shown'
  parts.world.say(`${why}, so nothing is put on the queue: the questions are asked here.`)
  return localRunner
}
