import { UsageError } from '../src/core/errors.ts'
import { gradeReply } from './benchmarks/grades.ts'
import { loadBenchmark } from './benchmarks/index.ts'
import type { Sample, Scoring } from './data/sample.ts'
import { collectSamples } from './runner/collect-samples.ts'

interface Case {
  input: Pick<Sample, 'id' | 'video' | 'question'>
  expected?: string
}

// The questions of a benchmark and its rules in the form of evalite: `data` and `scorers` of an evaluation. A score is 0 to 1; null:
// left out by the released scorer, or not judged.
export async function openScorers(
  benchmark: string,
  data: string,
  { split, scoring = 'strict' }: { split?: string; scoring?: Scoring } = {},
) {
  const loaded = await loadBenchmark(benchmark)
  const samples = new Map((await collectSamples(loaded, data, { split })).samples.map(sample => [sample.id, sample]))
  return {
    data: [...samples.values()].map(({ id, video, question, reference }): Case => {
      return { input: { id, video, question }, ...(reference !== undefined && { expected: reference }) }
    }),
    scorers: loaded.tasks.map(({ name, summary }) => ({
      name: `${benchmark} ${name}`,
      description: `${summary}, ${scoring}`,
      scorer({ input, output }: { input: Case['input']; output: string }) {
        const sample = samples.get(input.id)
        if (!sample) throw new UsageError(`There is no question "${input.id}" of ${benchmark} at ${data}.`)
        const grade = gradeReply(loaded, sample, name, { reply: output, judge: {} })
        const { score } = (scoring === 'official' && grade.official) || grade
        return { score, metadata: { rule: grade.rule, read: grade.value, reason: grade.reason } }
      },
    })),
  }
}
