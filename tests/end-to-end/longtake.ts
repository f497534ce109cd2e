import { spawn } from 'node:child_process'
import { join } from 'node:path'

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
