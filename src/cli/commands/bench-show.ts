import { z } from 'zod'
import { type Benchmark, loadBenchmark } from '../../../eval/bench.ts'
import { result } from '../output.ts'
import { columns } from '../show/format.ts'
import type { CommandRun } from '../table/types.ts'

const show: CommandRun = async call => {
  const benchmark = await loadBenchmark(call.arguments[0])
  result(
    call,
    () => document(benchmark),
    () => lines(benchmark, call.terminal.bold),
  )
  return 0
}
export default show

function document(benchmark: Benchmark): object {
  const { name, summary, home, licence, download, chance, groupedBy, tasks, settings } = benchmark
  const schema = z.toJSONSchema(settings, { io: 'input' })
  return { name, summary, home, licence, download, chance, groupedBy, tasks, settings: schema }
}

function lines(benchmark: Benchmark, bold: (text: string) => string): string[] {
  const { name, summary, home, licence, download, chance, tasks, groupedBy } = benchmark
  return [
    bold(name),
    summary,
    '',
    `Home     ${home}`,
    `Licence  ${licence}`,
    `Chance   ${chance === null ? 'depends on the question' : `${chance} %`}`,
    `Tables   by ${groupedBy.join(', ')}`,
    '',
    bold('What to fetch'),
    ...download,
    '',
    bold('What is asked (--task)'),
    ...columns(
      tasks.map(task => [
        task.name,
        task.answer,
        `${task.summary}${task.judge.length > 0 ? `; judged: ${task.judge.join(', ')}` : ''}`,
      ]),
    ),
    ...section(bold('Settings (--option)'), settingLines(benchmark)),
  ]
}

function settingLines({ settings }: Benchmark): string[] {
  const { properties = {} } = z.toJSONSchema(settings, { io: 'input' }) as {
    properties?: Record<string, { description?: string; default?: unknown; enum?: unknown[] }>
  }
  const rows = Object.entries(properties).map(([name, { description = '', default: usual, enum: values }]) => [
    name,
    usual === undefined ? '-' : String(usual),
    values ? `${description} (${values.join(', ')})` : description,
  ])
  return columns(rows)
}

function section(title: string, content: string[]): string[] {
  return content.length > 0 ? ['', title, ...content] : []
}
