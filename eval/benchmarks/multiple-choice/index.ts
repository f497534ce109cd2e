import { choiceAsk } from '../asks.ts'
import type { Benchmark } from '../benchmark.ts'
import { scoreGrades } from '../grades.ts'
import { choiceFrames } from './frames.ts'
import { accuracy, accuracyBy, gradeChoice, type ReleasedRule, type Right, rights } from './grade.ts'
import { type ChoiceRecord, sampleOfChoice } from './record.ts'

type Own =
  | 'name'
  | 'summary'
  | 'home'
  | 'licence'
  | 'download'
  | 'chance'
  | 'groupedBy'
  | 'settings'
  | 'records'
  | 'published'

interface ChoiceBenchmark extends Pick<Benchmark<ChoiceRecord>, Own> {
  about: string // what is asked
  released: ReleasedRule
  frames?: Benchmark<ChoiceRecord>['frames']
  // Beside the accuracy, first in the table.
  metrics?(scored: readonly Right[]): Record<string, number | null>
}

// A benchmark that asks one multiple-choice question a record: accuracy, in all and by the ways of grouping.
export function choiceBenchmark(own: ChoiceBenchmark): Benchmark<ChoiceRecord> {
  const { about, released, metrics, ...parts } = own
  const { groupedBy } = parts
  const benchmark: Benchmark<ChoiceRecord> = {
    frames: choiceFrames,
    ...parts,
    tasks: [{ name: 'answer', summary: about, answer: 'choice', judge: [] }],
    samples: record => [sampleOfChoice(record)],
    asks: sample => [choiceAsk(sample)],
    grade: (sample, _, { reply }) => gradeChoice(sample, reply, released),
    score: input =>
      scoreGrades(benchmark, input, (graded, scoring) => {
        const { scored, excluded } = rights(graded, scoring)
        const by = groupedBy.map(way => [way, accuracyBy(scored, way)] as const)
        return {
          metrics: { ...metrics?.(scored), accuracy: accuracy(scored) },
          groups: by.length === 1 ? by[0][1] : Object.fromEntries(by),
          excluded,
        }
      }),
  }
  return benchmark
}
