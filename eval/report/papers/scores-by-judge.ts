import { join } from 'node:path'
import { z } from 'zod'
import { readJsonLines } from '../../../src/store/json-lines.ts'
import { listNames } from '../../../src/store/read-file.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import type { Scores } from '../../data/sample.ts'
import { isUnjudged, Judgment, type SampleLine } from '../../data/sample-line.ts'
import { sha256 } from '../../protocols/judge/template.ts'
import type { Collected } from '../../runner/collect-samples.ts'
import { scoreRun } from '../../runner/score-run.ts'

const StoredJudgment = z.object({ id: z.string(), reply: z.string(), judgment: Judgment })

// The official metrics under each other judge whose verdicts "bench judges" kept below a run; one that did not judge every answer is
// left out.
export async function scoresByJudge(
  folder: string,
  benchmark: Benchmark,
  collected: Collected,
  lines: readonly SampleLine[],
): Promise<Record<string, Scores['metrics']>> {
  const { judge } = benchmark
  if (!judge) return {}
  const byJudge = new Map<string, Map<string, Judgment>>()
  for (const name of await listNames(join(folder, 'judges')))
    for (const { id, reply, judgment } of await readJsonLines(
      join(folder, 'judges', name, 'verdicts.jsonl'),
      StoredJudgment,
    ))
      byJudge.set(judgment.by, (byJudge.get(judgment.by) ?? new Map()).set(`${id}\n${reply}`, judgment))
  const judged = new Set(collected.samples.filter(sample => judge.judges(sample)).map(({ id }) => id))
  const metricsByJudge: Record<string, Scores['metrics']> = {}
  for (const [name, said] of byJudge) {
    const again = lines.map((line): SampleLine => {
      const reply = line.replies[judge.task]
      const judgment = typeof reply === 'string' ? said.get(`${line.id}\n${sha256(reply).slice(0, 16)}`) : undefined
      return { ...line, judge: judgment, grading: undefined } // graded by other verdicts
    })
    const isDue = ({ id, replies }: SampleLine) => judged.has(id) && typeof replies[judge.task] === 'string'
    if (again.some(line => isDue(line) && (!line.judge || isUnjudged(line)))) continue
    metricsByJudge[name] = (await scoreRun(benchmark, collected, again)).official.metrics
  }
  return metricsByJudge
}
