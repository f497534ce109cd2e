import { z } from 'zod'
import type { CommandRun } from '../../src/cli/command.ts'
import { result } from '../../src/cli/output.ts'
import { alignColumns } from '../../src/cli/show/format.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { allBenchmarks, loadBenchmark } from '../benchmarks/index.ts'

const list: CommandRun = async call => {
  const benchmarks = (await allBenchmarks()).map(({ name, about: { summary, home, licence, chance }, tasks }) => ({
    name,
    summary,
    home,
    licence,
    chance,
    tasks: tasks.map(task => task.name),
  }))
  result(
    call,
    { benchmarks },
    alignColumns(benchmarks.map(({ name, tasks, summary }) => [name, tasks.join(' '), summary])),
  )
  return 0
}

const show: CommandRun = async call => {
  const benchmark = await loadBenchmark(call.argument())
  const { name, tasks } = benchmark
  const { summary, home, licence, guide, download, chance, groupedBy } = benchmark.about
  const settings = z.toJSONSchema(benchmark.settings, { io: 'input' })
  const document = {
    name,
    summary,
    home,
    licence,
    guide,
    download,
    chance,
    groupedBy,
    tasks,
    settings,
    variants: benchmark.variants,
  }
  result(call, document, showLines(benchmark, settings as SettingsSchema, call.terminal.bold))
  return 0
}

interface SettingsSchema {
  properties?: Record<string, { description?: string; default?: unknown; enum?: unknown[] }>
}

function showLines(benchmark: Benchmark, settings: SettingsSchema, bold: (text: string) => string): string[] {
  const { name, tasks } = benchmark
  const { summary, home, licence, download, chance, groupedBy } = benchmark.about
  const taskRows = tasks.map(task => [
    task.name,
    task.answer,
    `${task.summary}${task.judge.length > 0 ? `; judged: ${task.judge.join(', ')}` : ''}`,
  ])
  const variants = Object.entries(benchmark.variants ?? {}).map(([name, { options }]) => [name, options.join(', ')])
  const settingRows = Object.entries(settings.properties ?? {}).map(
    ([name, { description = '', default: usual, enum: values }]) => [
      name,
      usual === undefined ? '-' : String(usual),
      values ? `${description} (${values.join(', ')})` : description,
    ],
  )
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
    ...guideLines(benchmark),
    '',
    bold('What is asked (--task)'),
    ...alignColumns(taskRows),
    ...(settingRows.length > 0 ? ['', bold('Settings (--option)'), ...alignColumns(settingRows)] : []),
    ...(variants.length > 0 ? ['', bold('Modes of the paper (--by alone --variant)'), ...alignColumns(variants)] : []),
  ]
}

function guideLines({ name, about: { guide } }: Benchmark): string[] {
  if (!guide) return []
  const { dataset, revision, terms, videos, elsewhere, parts } = guide
  const named = Object.entries(parts).map(([part, { files, note }]) => [
    `  ${part}`,
    `${files.join(', ')}${note === undefined ? '' : `; ${note}`}`,
  ])
  return [
    `longtake bench fetch ${name} --what ${Object.keys(parts).join(',')}`,
    `  from ${dataset}${revision === undefined ? '' : `, known at ${revision}`}: ${terms}`,
    ...alignColumns(named),
    `  videos: ${videos}`,
    ...(elsewhere === undefined ? [] : [`  ${elsewhere}`]),
  ]
}

export const benchCommands = { list, show }
