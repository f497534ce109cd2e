import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { longtakeHere } from '../end-to-end/longtake.ts'
import { killAllWith } from './processes.ts'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')

export interface Ran {
  killed: boolean
  code: number | null
  out: string
  err: string
  seconds: number
}

interface KillOptions {
  home: string
  temporary: string // TMPDIR, and the mark of this run's processes
  environment?: Record<string, string>
  input?: string
  killAfter?: number // seconds; left out, it runs to its end
  only?: 'main' // then what the command has started lives on; else every process of it is killed
}

// What a command line prints in this process, which must end well.
export async function commandOutput(
  words: string[],
  { home, environment }: Pick<KillOptions, 'home' | 'environment'>,
): Promise<string> {
  return assertEnded(longtakeHere(words, { home, environment }))
}

export async function assertEnded(ran: Promise<Pick<Ran, 'code' | 'out' | 'err'>>): Promise<string> {
  const { code, out, err } = await ran
  if (code === 0) return out
  throw new Error(`Ended with code ${code}: ${out}${err}`)
}

// Runs one command line and kills it with SIGKILL after a while.
export function killedCommand(words: string[], options: KillOptions): Promise<Ran> {
  const { home, temporary, environment, input, killAfter, only } = options
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      ...environment,
      LONGTAKE_HOME: home,
      LONGTAKE_CONFIG: undefined,
      TMPDIR: temporary,
      CI: 'true',
    }
    const child = spawn(process.execPath, [bin, ...words], { cwd: temporary, env, detached: true })
    child.stdin.on('error', () => {}).end(input)
    let out = ''
    let err = ''
    let ended = false
    let killing: Promise<unknown> = Promise.resolve()
    child.stdout.setEncoding('utf8').on('data', piece => {
      out += piece
    })
    child.stderr.setEncoding('utf8').on('data', piece => {
      err += piece
    })
    const kill = () => {
      if (ended || !child.pid) return
      if (only === 'main') child.kill('SIGKILL')
      else {
        try {
          process.kill(-child.pid, 'SIGKILL')
        } catch {} // it has ended in the meantime
        killing = killAllWith(temporary)
      }
    }
    const timer = killAfter === undefined ? undefined : setTimeout(kill, killAfter * 1000)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      ended = true
      clearTimeout(timer)
      const seconds = (performance.now() - began) / 1000
      // What is still being looked for to be killed must not be the next command.
      const finish = () =>
        killing.then(() => resolve({ killed: signal === 'SIGKILL', code, out, err, seconds }), reject)
      child.once('close', finish)
      if (signal) setTimeout(finish, 100) // an orphan may hold the pipes open
    })
  })
}
