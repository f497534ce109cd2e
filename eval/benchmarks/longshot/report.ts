import { fixed } from '../../metrics/rounding.ts'
import { type Points, type Pooled, share } from './official.ts'
import { type CategoryMean, categoryMeans } from './score-file.ts'
import { categories, durationBuckets, longshotTaskTitle, modalityNames } from './tables.ts'

export interface ReportHead {
  model: string
  judge?: string
  tag?: string
  scored: string // time, as it is to be written
  history?: string[] // one line per run, see historyLine
}

const double = '='.repeat(64)
const single = '-'.repeat(64)

// The released {model}_score.txt, line by line. Its overall is the mean of the unrounded categories, so it can differ from
// the JSON file's in the last digit.
export function textReport(head: ReportHead, pooled: Pooled): string[] {
  const lines = [double, '  LongShOT Bench Evaluation Results', double, '', `  Model:  ${head.model}`]
  if (head.judge) lines.push(`  Judge:  ${head.judge}`)
  if (head.tag) lines.push(`  Tag:    ${head.tag}`)
  lines.push(`  Scored: ${head.scored}`)
  if (head.history && head.history.length > 0) lines.push('', '  Run History:', ...head.history)
  lines.push('')
  if (pooled.byTask.size === 0) return [...lines, '  No evaluation results found.']
  const means = categoryMeans(pooled.byTask, categories)
  const overall = overallLine(means)
  lines.push(...title('TABLE 1: Subtask Results', 'Task', 32))
  for (const category of Object.keys(categories)) {
    lines.push(`  ${category}`, single)
    const row = means.find(item => item.category === category)
    for (const { task, points } of row?.tasks ?? [])
      lines.push(`    ${cells(longshotTaskTitle(task), 30, points.count, share(points))}`)
    if (row) lines.push(`    ${cells('Avg.', 30, row.samples, row.mean)}`)
    lines.push('')
  }
  if (overall) lines.push(double, overall, double)
  lines.push('', ...title('TABLE 2: Category Summary', 'Category', 34))
  for (const row of means) lines.push(`  ${cells(row.category, 34, row.samples, row.mean)}`)
  if (overall) lines.push(single, overall, double)
  const modalities = named(Object.entries(modalityNames), pooled.byModality)
  if (pooled.byModality.size > 0)
    lines.push(
      '',
      ...title('TABLE 3: Modality Breakdown', 'Modality', 34),
      ...modalities,
      double,
      '  Note: Samples may appear in multiple modalities.',
    )
  const durations = named(
    durationBuckets.map(({ name, title }) => [name, title]),
    pooled.byDuration,
  )
  if (pooled.byDuration.size > 0)
    lines.push('', ...title('TABLE 4: Video Duration Breakdown', 'Duration', 34), ...durations, double)
  return lines
}

// A line of the run history.
export function historyLine(
  stage: 'generation' | 'evaluation',
  time: string,
  samples: number,
  interrupted: boolean,
): string {
  return `  ${stage.padEnd(12)} ${time}  (${samples} samples, ${interrupted ? 'interrupted' : 'completed'})`
}

function overallLine(means: readonly CategoryMean[]): string | undefined {
  return means.length === 0 ? undefined : `  ${cells('OVERALL', 34, ...whole(means))}`
}

function whole(means: readonly CategoryMean[]): [count: number, value: number] {
  const count = means.reduce((sum, { samples }) => sum + samples, 0)
  return [count, means.reduce((sum, { mean }) => sum + mean, 0) / means.length]
}

function named(names: [key: string, title: string][], groups: ReadonlyMap<string, Points>): string[] {
  return names.flatMap(([key, title]) => {
    const points = groups.get(key)
    return points ? [`  ${cells(title, 34, points.count, share(points))}`] : []
  })
}

function title(name: string, column: string, width: number): string[] {
  return [double, `  ${name}`, double, `  ${column.padEnd(width)} ${'N'.padStart(5)}  Accuracy`, single]
}

function cells(name: string, width: number, count: number, value: number): string {
  return `${name.padEnd(width)} ${String(count).padStart(5)}  ${fixed(value * 100, 2).padStart(7)}%`
}
