import { access, constants } from 'node:fs/promises'
import { examineWalls } from '../../../tools/code/walls.ts'
import { paperDepartures } from '../../config/paper-parts.ts'
import type { Host } from '../../core/backend.ts'
import type { LongtakeError } from '../../core/errors.ts'
import { howToBuild, isBuilt } from '../../core/machine/native-packages.ts'
import type { DoctorReport, RoleReport } from '../../core/runtime.ts'
import type { Role } from '../../core/services.ts'
import { findProgram, howToInstall } from '../../media/program/find-program.ts'
import { runProgram } from '../../media/program/run-program.ts'
import { freeSpace } from '../../store/free-space.ts'
import { sqliteDrivers } from '../../store/sqlite.ts'
import { examineRole } from './doctor/examine-role.ts'
import { roleProber } from './doctor/probe-role.ts'
import { type RoleChoices, roles } from './role-families.ts'

// What is ready, what is missing, and how to fix it. Tries what is configured, one role after another, and changes nothing.
export async function examine(options: {
  home: string
  profile: { name: string; why: string }
  unusedKey?: string
  fault?: LongtakeError // of what was chosen for the roles
  choices: RoleChoices
  host: Host
  depth?: 'look' | 'try'
}): Promise<DoctorReport> {
  const programs = await Promise.all(['ffmpeg', 'ffprobe'].map(examineProgram))
  const reports: RoleReport[] = []
  const probe = roleProber(options.host)
  for (const role of Object.keys(roles) as Role[]) {
    const choice = options.choices[role] ?? { backend: 'off' }
    const looked = await examineRole(role, choice, options.host)
    reports.push(options.depth === 'look' ? looked : await probe(role, choice, looked))
  }
  const home = await examineHome(options.home)
  const sandbox = await examineWalls()
  const packages = [examineSqlite(), examineHnsw()]
  const { fault: chosen, unusedKey, profile } = options
  const fault = chosen && { what: chosen.message, mend: chosen.hint }
  const healthy =
    !fault &&
    [...programs, ...packages].every(({ state }) => state !== 'missing') &&
    home.writable &&
    reports.every(role => role.state === 'ready' || role.state === 'off')
  return {
    healthy,
    profile: profile.name,
    why: profile.why,
    fault,
    unusedKey,
    node: process.version,
    packages,
    programs,
    roles: reports,
    home,
    sandbox,
    ...(profile.name === 'paper' && { departures: paperDepartures(options.choices) }),
  }
}

type PackageReport = DoctorReport['packages'][number]

function examineSqlite(): PackageReport {
  const name = 'better-sqlite3'
  const here = isBuilt(name)
  const why = sqliteDrivers['node:sqlite'].missing()
  if (why) {
    if (here) return { name, state: 'ready', detail: `brings SQLite: ${why}` }
    return { name, state: 'missing', detail: why, mend: `Use Node 22.16 or newer, or run: ${howToBuild(name)}` }
  }
  const detail = `${here ? 'adds' : 'would add'} nothing here: Node has SQLite ${process.versions.sqlite} with full-text search`
  return { name, state: here ? 'ready' : 'left out', detail }
}

function examineHnsw(): PackageReport {
  const name = 'hnswlib-node'
  if (isBuilt(name)) return { name, state: 'ready', detail: 'finds the nearest of 100,000 frames in under 1 ms' }
  const detail = 'would find the nearest of 100,000 frames in under 1 ms; without it each frame is looked at'
  return { name, state: 'left out', detail: `${detail}. To add it: ${howToBuild(name)}` }
}

async function examineProgram(name: string): Promise<DoctorReport['programs'][number]> {
  if (!(await findProgram(name))) return { name, state: 'missing', mend: howToInstall(name) }
  const { stdout } = await runProgram(name, ['-version'], { timeoutSeconds: 10 })
  return { name, state: 'ready', version: /version (\S+)/.exec(stdout.toString())?.[1] }
}

async function examineHome(path: string): Promise<DoctorReport['home']> {
  const { folder, bytes: free } = await freeSpace(path)
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  return { path, free, writable }
}
