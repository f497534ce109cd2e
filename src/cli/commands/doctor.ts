import { placeText } from '../../core/backend.ts'
import type { Departure, DoctorReport, RoleReport } from '../../core/runtime.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { alignColumns, formatBytes } from '../show/format.ts'

export const doctor: CommandRun = async (call, commands) => {
  if (call.arguments[0] === 'gpu') return doctorGpu(call, commands)
  const runtime = await call.runtime()
  const report = await runtime.doctor({ depth: call.has('--quick') ? 'look' : 'try' })
  result(call, report, reportLines(report))
  return report.healthy ? exitCodes.ok : exitCodes.backend
}

function reportLines({
  healthy,
  profile,
  why,
  fault,
  unusedKey,
  node,
  packages,
  programs,
  roles,
  home,
  sandbox,
  departures = [],
}: DoctorReport): string[] {
  const fixes = [...(fault ? [fault] : []), ...packages, ...programs, ...roles].flatMap(part =>
    part.mend ? [part.mend] : [],
  )
  return [
    `longtake with profile ${profile} is ${healthy ? 'ready' : 'not ready'}.`,
    visibleLine(`${why.replace(/\.$/, '')}.`),
    ...(unusedKey ? [unusedKey] : []),
    '',
    ...alignColumns([
      ['node', 'ready', node],
      ...packages.map(({ name, state, detail }) => [name, state, visibleLine(detail)]),
      ...programs.map(program => [program.name, program.state, visibleLine(program.version ?? program.mend ?? '')]),
      [
        'data',
        home.writable ? 'ready' : 'not writable',
        `${visibleFileName(home.path)}, ${formatBytes(home.free)} free`,
      ],
      ...sandboxLine(sandbox),
    ]),
    '',
    ...alignColumns(
      roles.map(role => [role.role, role.state, role.backend, visibleLine(`${role.detail}${where(role)}`)]),
    ),
    ...checkLines(roles),
    ...departureLines(departures),
    ...(fixes.length > 0 ? ['', 'To fix it:', ...[...new Set(fixes)].map(mend => `  ${visibleLine(mend)}`)] : []),
  ]
}

// Of what the profile `paper` is not the paper, one line a part.
function departureLines(departures: Departure[]): string[] {
  if (departures.length === 0) return []
  const rows = departures.map(({ part, paper, here, why }) => [part, here, visibleLine(`paper: ${paper}; ${why}`)])
  return ['', 'Not as in the paper:', ...alignColumns(rows.map(([part = '', ...rest]) => [`  ${part}`, ...rest]))]
}

// The isolation of a model's code; a missing wall is not an error, as code runs only with a permission.
function sandboxLine(sandbox: DoctorReport['sandbox']): string[][] {
  if (!sandbox) return []
  const { walls, missing } = sandbox
  const without = missing ? `; no ${missing.wall} (${missing.why}): ${missing.mend}` : ''
  return [['sandbox', 'ready', visibleLine(`${walls.join(' + ')}${without}`)]]
}

function where({ ran = [] }: RoleReport): string {
  const places = [...new Set(ran.map(placeText))]
  return places.length > 0 ? ` (on ${places.join(' and ')})` : ''
}

// What each chat model can do, once for the roles that share it.
function checkLines(roles: RoleReport[]): string[] {
  const tried = roles.filter(role => role.checks)
  const groups = new Map(tried.map(({ checks = [] }) => [JSON.stringify(checks), checks]))
  return [...groups].flatMap(([key, checks]) => [
    '',
    `${tried
      .filter(one => JSON.stringify(one.checks) === key)
      .map(one => one.role)
      .join(', ')}:`,
    ...alignColumns(checks.map(check => [`  ${check.what}`, check.state, visibleLine(check.detail)])),
  ])
}

const doctorGpu: CommandRun = async call => {
  const { examineGpu } = await import('../../runtime/models/doctor/gpu.ts')
  const report = await examineGpu({ ...(await call.host()), folder: '' })
  result(call, report, [
    `A graphics card ${report.ready ? 'runs' : 'does not run'} the models here.`,
    '',
    ...alignColumns(report.steps.map(step => [step.what, step.state, visibleLine(step.detail)])),
    ...report.steps.flatMap(step => (step.mend ? ['', `${step.what}: ${step.mend}`] : [])),
  ])
  return report.ready ? exitCodes.ok : exitCodes.backend
}
