import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledFolder, loadReport, openBench, type RunReport } from '../eval/bench.ts'
import { version } from '../src/cli/version.ts'
import { resolveConfig } from '../src/config/resolve.ts'
import { errorText, LongtakeError } from '../src/core/errors.ts'
import { formatTime } from '../src/core/time.ts'
import { dataHome } from '../src/store/home.ts'

// The regression score: the embedded profile on the bundled needle split. With --write its table goes into docs/scores.md.
const page = join(import.meta.dirname, '..', 'docs', 'scores.md')
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

try {
  const report = await score(stop.signal)
  const lines = table(report)
  console.log(`\n${lines.join('\n')}`)
  if (process.argv.includes('--write')) write(lines)
} catch (error) {
  if (!(error instanceof LongtakeError)) throw error
  console.error(`error: ${errorText(error)}`)
  if (error.hint) console.error(`hint: ${error.hint}`)
  process.exitCode = error.exitCode
}

async function score(signal: AbortSignal): Promise<RunReport> {
  const environment = process.env
  const home = dataHome(environment)
  const data = await bundledFolder('needle', home, { signal, onProgress: progress('rendered') })
  const bench = await openBench(
    {
      benchmark: 'needle',
      data,
      tasks: [],
      by: 'agent',
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
  const byKind = groups.find(group => group.way === 'kind')?.rows ?? []
  const cell = (row: RunReport['tasks'][number] | undefined) =>
    row ? `${row.mean.toFixed(1)} (${row.low.toFixed(1)} to ${row.high.toFixed(1)})` : '-'
  const rows = [
    ['all', String(tasks[0].n), ...tasks.map(cell)],
    ...byKind.map(row => [row.value, String(row.n), ...tasks.map(task => cell(row.tasks[task.task]))]),
  ]
  const chance = tasks.filter(task => task.chance !== null).map(task => `${task.task} ${task.chance?.toFixed(0)}`)
  return [
    `| kind | n | ${tasks.map(task => task.task).join(' | ')} |`,
    `| --- | --- | ${tasks.map(() => '---').join(' | ')} |`,
    ...rows.map(row => `| ${row.join(' | ')} |`),
    '',
    `Per cent right, strictly, with 95 % intervals (${tasks[0].interval === 'videos drawn' ? 'videos drawn' : 'Wilson, over the questions alone: three videos are too few to draw from'}). Chance: ${chance.join(', ')}; open answers 0.`,
    `${cost.seconds.median.toFixed(2)} s for a question (median). longtake ${run.version}, profile ${run.profile.name}; \`longtake bench report ${folder.split('/').at(-1)}\` has the rest.`,
  ]
}

function write(lines: string[]): void {
  const text = readFileSync(page, 'utf8')
  const commit = git('rev-parse', '--short', 'HEAD')
  const dirty =
    git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', with changes that are not committed'
  const day = new Date().toISOString().slice(0, 10)
  const entry = [`## ${day}, commit ${commit}${dirty}`, '', '`npm run score -- --write`', '', ...lines].join('\n')
  const mark = '<!-- newest first -->\n'
  writeFileSync(page, text.replace(mark, `${mark}\n${entry}\n`))
  console.log('\nWritten to docs/scores.md.')
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
}

function progress(what: string): (done: number, total: number) => void {
  return (done, total) => live(`${what} ${formatTime(done)} of ${formatTime(total)}`)
}

function live(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
}
