import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { examineWalls } from '../../../tools/code/walls.ts'
import type { Host } from '../../core/backend.ts'
import type { DoctorReport, RoleReport } from '../../core/runtime.ts'
import type { Role } from '../../core/services.ts'
import { findProgram, howToInstall } from '../../media/program/find-program.ts'
import { runProgram } from '../../media/program/program.ts'
import { examineRole } from './doctor/examine-role.ts'
import { roleProber } from './doctor/probe-role.ts'
import { roles } from './families.ts'
import type { RoleChoice } from './models.ts'

// What is ready, what is missing, and the one thing that mends it. Tries what is configured, one role after another, and
// changes nothing.
export async function examine(options: {
  home: string
  profile: string
  choices: Partial<Record<Role, RoleChoice>>
  host: Host
  depth?: 'look' | 'try'
}): Promise<DoctorReport> {
  const programs = await Promise.all(['ffmpeg', 'ffprobe'].map(examineProgram))
  const found: RoleReport[] = []
  const probe = roleProber(options.host)
  for (const role of Object.keys(roles) as Role[]) {
    const choice = options.choices[role] ?? { backend: 'off' }
    const looked = await examineRole(role, choice, options.host)
    found.push(options.depth === 'look' ? looked : await probe(role, choice, looked))
  }
  const home = await examineHome(options.home)
  const sandbox = await examineWalls()
  const healthy =
    programs.every(program => program.state === 'ready') &&
    home.writable &&
    found.every(role => role.state === 'ready' || role.state === 'off')
  return { healthy, profile: options.profile, node: process.version, programs, roles: found, home, sandbox }
}

async function examineProgram(name: string): Promise<DoctorReport['programs'][number]> {
  if (!(await findProgram(name))) return { name, state: 'missing', mend: howToInstall(name) }
  const { stdout } = await runProgram(name, ['-version'], { timeoutSeconds: 10 })
  return { name, state: 'ready', version: /version (\S+)/.exec(stdout.toString())?.[1] }
}

async function examineHome(path: string): Promise<DoctorReport['home']> {
  let at = path
  while (at !== dirname(at) && !(await exists(at))) at = dirname(at)
  const { bavail, bsize } = await statfs(at)
  const writable = await access(at, constants.W_OK).then(
    () => true,
    () => false,
  )
  return { path, free: bavail * bsize, writable }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
