import { execFileSync } from 'node:child_process'
import { bundledFolder } from '../eval/benchmarks/made-here.ts'
import { loadReport } from '../eval/report/reports.ts'
import type { RunReport } from '../eval/report/run-report.ts'
import { openBench } from '../eval/runner/run-benchmark.ts'
import { version } from '../src/cli/version.ts'
import { resolveConfig } from '../src/config/resolve.ts'
import { formatTime } from '../src/core/time.ts'
import { dataHome } from '../src/store/home/home.ts'
import { replaceBlock } from './doc-block.ts'
import { live, runScript } from './script.ts'

// The regression score: the embedded profile on the bundled needle split. With --write its table goes into docs/scores.md.
await runScript(async signal => {
  const lines = table(await score(signal))
  console.log(`\n${lines.join('\n')}`)
  if (process.argv.includes('--write')) await write(lines)
})

async function score(signal: AbortSignal): Promise<RunReport> {
  const environment = process.env
  const home = dataHome(environment)
  const data = await bundledFolder('needle', home, { signal, onProgress: progress('rendered') })
  const bench = await openBench(
    {
      benchmark: 'needle',
      data,
      tasks: [],
      by: 'longtake',
      options: [],
      judge: 'off',
      concurrency: 1,
      flags: { profile: 'embedded', set: [] },
    },
    {
      config: await resolveConfig({ cwd: data, environment: {}, flags: { set: ['profile=embedded'] } }),
      home,
      environment,
      version: version(),
      say: line => console.error(line),
      signal,
    },
  )
  try {
    const files = await bench.openFiles(await bench.check(() => {}))
    try {
      await bench.run(files, {
        watch: event => {
          if (event.type === 'stage' && event.state === 'running' && event.total)
            progress(event.stage)(event.done ?? 0, event.total)
        },
        onSample: (_, { done, total }) => live(`${done} of ${total} questions`),
      })
      return await loadReport(files.folder)
    } finally {
      files.close()
    }
  } finally {
    await bench.close()
    live('')
  }
}

function table({ tasks, groups, cost, run, folder }: RunReport): string[] {
  const [first] = tasks
  if (!first) throw new Error(`The run in ${folder} has no task.`)
  const byKind = groups.find(group => group.way === 'kind')?.rows ?? []
  const cell = (row: typeof first | undefined) =>
    row ? `${row.mean.toFixed(1)} (${row.low.toFixed(1)} to ${row.high.toFixed(1)})` : '-'
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const chance = tasks.filter(task => task.chance !== null).map(task => `${task.task} ${task.chance?.toFixed(0)}`)
  const drawn = 'Wilson, over the questions only: three videos are too few to draw from'
  return [
    line(['kind', 'n', ...tasks.map(task => task.task)]),
    line(['---', '---', ...tasks.map(() => '---')]),
    line(['all', first.n, ...tasks.map(cell)]),
    ...byKind.map(row => line([row.value, row.n, ...tasks.map(task => cell(row.tasks[task.task]))])),
    '',
    `Per cent right, strictly, with 95 % intervals (${first.interval === 'videos drawn' ? first.interval : drawn}). Chance: ${chance.join(', ')}; open answers 0.`,
    `${cost.seconds.median.toFixed(2)} s for a question (median). longtake ${run.version}, profile ${run.profile.name}; \`longtake bench report ${folder.split('/').at(-1)}\` has the rest.`,
  ]
}

async function write(lines: string[]): Promise<void> {
  const commit = git('rev-parse', '--short', 'HEAD')
  const dirty =
    git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', with changes that are not committed'
  const day = new Date().toISOString().slice(0, 10)
  const entry = [`## ${day}, commit ${commit}${dirty}`, '', '`npm run score -- --write`', '', ...lines].join('\n')
  await replaceBlock('scores.md', '<!-- score -->', '<!-- end -->', `\n${entry}\n`)
  console.log('\nWritten to docs/scores.md.')
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
}

function progress(what: string): (done: number, total: number) => void {
  return (done, total) => live(`${what} ${formatTime(done)} of ${formatTime(total)}`)
}
