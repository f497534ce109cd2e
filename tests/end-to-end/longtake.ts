import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { CommandContext } from '../../src/cli/call.ts'

const ours = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')

export interface Ran {
  code: number | null
  out: string
  err: string
  seconds: number
}

export interface RunOptions {
  home: string
  bin?: string // another install
  cwd?: string
  killAfter?: number // milliseconds
  killOn?: AbortSignal
  signal?: NodeJS.Signals // SIGKILL if left out
  input?: string // on standard input
}

// The command line as a person starts it, with a data folder of its own.
export function longtake(
  args: string[],
  { home, bin = ours, cwd, killAfter, killOn, signal = 'SIGKILL', input }: RunOptions,
): Promise<Ran> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, LONGTAKE_HOME: home, LONGTAKE_CONFIG: undefined, CI: 'true' }
    const child = spawn(process.execPath, [bin, ...args], { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.on('error', () => {}).end(input)
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', piece => {
      out += piece
    })
    child.stderr.setEncoding('utf8').on('data', piece => {
      err += piece
    })
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill(signal), killAfter)
    killOn?.addEventListener('abort', () => child.kill(signal))
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      resolve({ code, out, err, seconds: (performance.now() - began) / 1000 })
    })
  })
}

interface HereOptions extends Pick<RunOptions, 'home' | 'cwd' | 'input'> {
  environment?: NodeJS.ProcessEnv // beside that of the tests
}

// The same in this process, for what is no matter of processes: a start costs most of a second of processor time. One at a time if
// they have folders of their own to work in.
export async function longtakeHere(
  args: string[],
  { home, cwd = process.cwd(), input = '', environment: own = {} }: HereOptions,
): Promise<Ran> {
  const { fail } = await import('../../src/cli/fail.ts')
  const { runCommandLine: runProgram } = await import('../../src/cli/program.ts')
  const { terminal } = await import('../../src/cli/terminal.ts')
  const began = performance.now()
  const written = { out: '', err: '' }
  const to = (name: keyof typeof written) =>
    new Writable({
      write(text, _, done) {
        written[name] += text
        done()
      },
    })
  const environment = { ...process.env, ...own, LONGTAKE_HOME: home, LONGTAKE_CONFIG: undefined, CI: 'true' }
  const screen = terminal(to('out'), to('err'), environment)
  const world: CommandContext = {
    ...{ cwd, environment, terminal: screen, signal: new AbortController().signal },
    input: { stream: Readable.from([input]), output: to('err'), live: false },
    createRuntime: async options => (await import('../../src/runtime/runtime.ts')).createRuntime(options),
  }
  const before = process.cwd()
  process.chdir(cwd)
  const code = await runProgram(args, world)
    .catch(error => fail(error, screen, { debug: false, aborted: false }))
    .finally(() => process.chdir(before))
  return { code, ...written, seconds: (performance.now() - began) / 1000 }
}
