import { resolve } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { alignColumns } from '../../src/cli/show/format.ts'
import { visibleLine } from '../../src/core/words/visible-text.ts'
import { saveFrameSweep } from '../ablate/study/save-frame-sweep.ts'
import { checkSet, type SetCheck } from '../make/check-set.ts'
import { findRunFolder } from '../runner/files/run-files.ts'
import { readMapOption } from './bench-request.ts'

// The checks of a making on any set; faults of the data and what the options give away are worth an exit code. A ladder goes into the set's card.
const check: CommandRun = async call => {
  const wish = {
    path: resolve(call.world.cwd, call.argument()),
    benchmark: call.text('--benchmark'),
    split: call.text('--split'),
    map: await readMapOption(call),
  }
  const ladder = await readLadder(call, wish.path)
  const checked = await checkSet(wish, call.signal)
  const warned = checked.checks.some(({ name, warnings = [] }) => name === 'shallow' && warnings.length > 0)
  const steps = Object.entries(ladder?.tasks ?? {}).flatMap(([task, points]) =>
    points.map(({ frames, score }) => [task, String(frames), score.toFixed(2)]),
  )
  result(call, { ...checked, ...(ladder && { ladder }) }, [
    ...lines(checked, call.terminal.bold),
    ...(ladder
      ? ['', `Ladder of ${ladder.model}, now in the card:`, ...alignColumns([['task', 'frames', '%'], ...steps])]
      : []),
  ])
  return warned || checked.faults.length > 0 ? exitCodes.partial : exitCodes.ok
}

async function readLadder(call: Call, set: string) {
  const study = call.text('--ladder')
  return study === undefined
    ? undefined
    : saveFrameSweep(set, await findRunFolder(study, call.world.cwd, await call.home()))
}

function lines(
  { benchmark, split, questions, videos, faults, checks, shallow }: SetCheck,
  bold: (text: string) => string,
): string[] {
  const rows = checks.map(({ k, name, notRun, found = [] }) => [
    `K${k}`,
    name,
    notRun === undefined ? String(found.length) : '-',
    notRun === undefined
      ? visibleLine(found[0] ? `${found[0].item}: ${found[0].detail ?? ''}` : '')
      : `not run: ${notRun}`,
  ])
  const percent = (value: number) => value.toFixed(2)
  const scores = shallow.map(({ solver, n, right, accuracy, low, high, chance, p }) => [
    ...[solver, `${right} of ${n}`, percent(accuracy), `${percent(low)} to ${percent(high)}`, percent(chance)],
    p < 0.0001 ? '< 0.0001' : p.toFixed(4),
  ])
  const warnings = checks.flatMap(({ k, warnings = [] }) => warnings.map(warning => `K${k}: ${visibleLine(warning)}`))
  return [
    bold(`${benchmark}${split === undefined ? '' : `, ${split}`}: ${questions} questions on ${videos} videos`),
    ...faults.map(fault => `Data: ${visibleLine(fault)}`),
    ...alignColumns([['', 'check', 'found', 'the first'], ...rows]),
    ...(scores.length > 0
      ? [
          '',
          bold('What a reader of only the options gets right'),
          ...alignColumns([['solver', 'right', '%', '95 % (Wilson)', 'chance', 'p (Holm)'], ...scores]),
        ]
      : []),
    ...(warnings.length > 0 ? ['', bold('Warnings'), ...warnings] : []),
  ]
}

export const benchCheckCommands = { check }
