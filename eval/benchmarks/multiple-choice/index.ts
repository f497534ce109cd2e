import type { Benchmark } from '../benchmark.ts'
import { choiceAsk } from '../choice-ask.ts'
import { countGrades, countReasons } from '../grades.ts'
import { accuracy, accuracyBy, gradeMultipleChoice, type ReleasedRule, type Right } from './grade.ts'
import { choiceFrames } from './prompt.ts'
import { type ChoiceRecord, sampleOfChoice } from './record.ts'

type DerivedPart = 'tasks' | 'samples' | 'asks' | 'grade' | 'sum' | 'frames' | 'released'

interface ChoiceBenchmark extends Omit<Benchmark<ChoiceRecord>, DerivedPart> {
  task: string // what is asked
  released: ReleasedRule
  frames?: Benchmark<ChoiceRecord>['frames']
  // Beside the accuracy, first in the table.
  metrics?(scored: readonly Right[]): Record<string, number | null>
}

// A benchmark that asks one multiple-choice question a record: accuracy, in all and by the ways of grouping.
export function choiceBenchmark(own: ChoiceBenchmark): Benchmark<ChoiceRecord> {
  const { task, released, metrics, ...parts } = own
  return {
    frames: choiceFrames,
    ...parts,
    tasks: [{ name: 'answer', summary: task, answer: 'choice', judge: [] }],
    samples: record => [sampleOfChoice(record)],
    asks: sample => [choiceAsk(sample)],
    grade: (sample, _, { reply }) => gradeMultipleChoice(sample, reply, released),
    sum: (graded, scoring) => {
      const scored = graded
        .map(item => ({ record: item.record, right: countGrades(item, 'answer', scoring).score }))
        .filter(({ record }) => record.answer !== undefined)
      const by = Object.fromEntries(parts.about.groupedBy.map(way => [way, accuracyBy(scored, way)]))
      const [groups, ...others] = Object.values(by)
      return {
        metrics: { ...metrics?.(scored), accuracy: accuracy(scored) },
        groups: groups && others.length === 0 ? groups : by,
        excluded: countReasons(graded, ['answer'], scoring),
      }
    },
  }
}
