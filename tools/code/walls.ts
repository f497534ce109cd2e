import { dirname } from 'node:path'
import { errorText } from '../../src/core/errors.ts'
import { findProgram } from '../../src/media/program/find-program.ts'
import { runProgram } from '../../src/media/program/run-program.ts'

// The walls between a model's code and this machine, from the inside out.
type Wall = 'webassembly' | 'process' | 'permissions' | 'bubblewrap'

interface Walls {
  walls: Wall[]
  missing?: { wall: Wall; why: string; mend: string }
}

// How well execute_code is walled in here.
export async function examineWalls(): Promise<Walls> {
  const walls: Wall[] = [
    'webassembly',
    'process',
    ...(permissionFlags('/').length > 0 ? (['permissions'] as const) : []),
  ]
  const state = await tryBubblewrap()
  if (state === 'works') return { walls: [...walls, 'bubblewrap'] }
  const mend =
    state === 'absent'
      ? 'apt-get install -y bubblewrap puts one more wall around execute_code (Linux).'
      : 'Allow user namespaces to this user, to put bubblewrap around execute_code.'
  return { walls, missing: { wall: 'bubblewrap', why: state === 'absent' ? 'not installed' : state, mend } }
}

export async function bubblewrapWorks(): Promise<boolean> {
  return (await tryBubblewrap()) === 'works'
}

let tried: Promise<string> | undefined

// "works", "absent", or what it says.
function tryBubblewrap(): Promise<string> {
  tried ??= (async () => {
    if (process.platform !== 'linux' || !(await findProgram('bwrap'))) return 'absent'
    try {
      const [command, args] = bubblewrapCommand(process.execPath, ['--version'], [])
      await runProgram(command, args, { timeoutSeconds: 10, inherit: 'nothing' })
      return 'works'
    } catch (error) {
      return errorText(error)
    }
  })()
  return tried
}

// The command inside namespaces of its own: no network, no other process, the system read-only and little of it.
export function bubblewrapCommand(
  program: string,
  args: readonly string[],
  readable: readonly string[],
): [string, string[]] {
  const system = ['/usr', '/lib', '/lib64', '/lib32', '/etc/ld.so.cache', '/nix/store']
  const seen = [...system, program, ...readable].flatMap(path => ['--ro-bind-try', path, path])
  const walls = ['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--cap-drop', 'ALL']
  return [
    'bwrap',
    // An own /tmp comes first: what may be read can lie below the real one.
    [...walls, '--tmpfs', '/tmp', ...seen, '--proc', '/proc', '--dev', '/dev', '--chdir', '/', program, ...args],
  ]
}

// Node's own wall, where this Node has it: nothing to read but one folder, nothing to write, nothing to start.
export function permissionFlags(readable: string): string[] {
  const flag = ['--permission', '--experimental-permission'].find(name => process.allowedNodeEnvironmentFlags.has(name))
  return flag ? [flag, `--allow-fs-read=${dirname(readable)}/*`] : []
}
