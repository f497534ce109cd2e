import { extname, resolve } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { saveFile } from '../../src/cli/save-file.ts'
import { version } from '../../src/cli/version.ts'
import { UsageError } from '../../src/core/errors.ts'
import { visibleFileName } from '../../src/core/words/visible-text.ts'
import { agreeOnRuns } from '../agree/agree-runs.ts'
import { checkJudges, checkTables } from '../agree/check-judges.ts'
import { compareJudges, forecastJudges } from '../agree/compare-judges.ts'
import { writtenSheet } from '../agree/sheet/write-sheet.ts'
import { swapTables } from '../agree/swap-tables.ts'
import { agreementTables } from '../agree/tables.ts'
import type { JudgeMode } from '../protocols/judge/protocol.ts'
import { findRunFolder } from '../runner/files/run-files.ts'
import { tableLines } from './table-lines.ts'

const agree: CommandRun = async call => {
  const folders = await findFolders(call)
  if (folders.length === 0) throw new UsageError('bench agree needs a run.', { hint: 'See "longtake runs ls".' })
  const out = call.path('--write')
  if (out !== undefined) return sheet(call, folders, out)
  const human = call.list('--human').map(file => resolve(call.world.cwd, file))
  const wishes = readWishes(call)
  if (human.length === 0 && wishes.judges.length === 0)
    throw new UsageError('There is nothing to compare the run with: --judge and --human are missing.', {
      hint: 'Choose a second judge (model or words), name verdict files, or write a sheet: --sample 100 --write sheet.html.',
    })
  const onJudged = (done: number) => call.terminal.draw([`judged ${done}`])
  const judgeWork = { folders, human, ...wishes, limit: call.integer('--limit'), onJudged }
  const agreed = await agreeOnRuns(judgeWork, await openWorld(call))
  call.terminal.draw([])
  const { pictures, unmatched, kept } = agreed
  result(call, agreed, [
    ...tableLines(agreementTables(agreed.agreements), call.terminal),
    ...(unmatched > 0 ? [`${unmatched} verdicts are of answers that are not in these runs.`] : []),
    ...pictures.map(
      ({ judge, asked, of, needed, found }) =>
        `${judge} asked for the picture in ${asked} of ${of} answers, and in ${found} of ${needed} that people say need it.`,
    ),
    ...(kept ? ['Kept in agreement.json of each run.'] : []),
  ])
  return exitCodes.ok
}

async function sheet(call: Call, folders: string[], out: string): Promise<number> {
  const form = extname(out).slice(1)
  if (form !== 'html' && form !== 'csv')
    throw new UsageError(`--write ${out} is neither .html nor .csv.`, { hint: 'Name the form by the end of the name.' })
  const judgeWork = {
    ...dataPlace(call),
    folders,
    form,
    count: call.integer('--sample') ?? 100,
    seed: call.integer('--seed', 0) ?? 1,
  } as const
  const { text, rows } = await writtenSheet(judgeWork)
  await saveFile('--write', out, text)
  result(call, { file: out, rows }, [`${rows} answers to judge: ${visibleFileName(out)}`])
  return exitCodes.ok
}

const judges: CommandRun = async call => {
  const folders = await findFolders(call)
  const wishes = readWishes(call)
  const onJudged = (done: number) => call.terminal.draw([`judged ${done}`])
  if (call.has('--calibrate')) {
    const dryRun = call.has('--dry-run')
    const checks = await checkJudges({ ...wishes, folders, dryRun, onJudged }, await openWorld(call))
    call.terminal.draw([])
    result(call, { checks }, tableLines(checkTables(checks), call.terminal))
    return exitCodes.ok
  }
  if (folders.length === 0)
    throw new UsageError('bench judges needs a run, or --calibrate.', { hint: 'See "longtake runs ls".' })
  if (wishes.judges.length === 0)
    throw new UsageError('--judge is missing.', { hint: 'Name judges: words, model, BACKEND/MODEL.' })
  const { families } = (await call.settings()).settings.judging
  const judgeWork = { ...wishes, folders, families, repeat: call.integer('--repeat') ?? 1 }
  const forecast = await forecastJudges(judgeWork, await openWorld(call))
  const planned = forecast.map(
    ({ judge, verdicts, calls, tokens, money }) =>
      `${judge}: ${verdicts} verdicts to ask for, ${calls} calls at least${tokens === undefined ? '' : `, about ${tokens} tokens`}${money === undefined ? '' : `, ${money.toFixed(2)} in money`}.`,
  )
  if (call.has('--dry-run')) {
    result(call, { forecast }, planned)
    return exitCodes.ok
  }
  for (const line of planned) call.remark(line)
  const swap = await compareJudges({ ...judgeWork, onJudged }, await openWorld(call))
  call.terminal.draw([])
  result(call, { forecast, ...swap }, tableLines(swapTables(swap), call.terminal))
  return swap.runs.some(run => run.unjudged.some(count => count > 0)) ? exitCodes.partial : exitCodes.ok
}

async function findFolders(call: Call): Promise<string[]> {
  const folders: string[] = []
  for (const argument of call.arguments) folders.push(await findRunFolder(argument, call.world.cwd, await call.home()))
  return folders
}

function readWishes(call: Call) {
  return {
    judges: call.list('--judge'),
    modes: call.list('--judge-mode') as JudgeMode[],
    wording: call.path('--wording'),
    ...dataPlace(call),
  }
}

function dataPlace(call: Call) {
  return { data: call.path('--data'), videos: call.path('--videos') }
}

async function openWorld(call: Call) {
  return { ...(await call.host()), config: await call.settings(), version: version() }
}

export const benchJudgesCommands = { agree, judges }
