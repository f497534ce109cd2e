import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'longtake.mjs')

export interface Start {
  home: string
  temporary: string // TMPDIR, by which all processes of the proof are found
  config?: string // a settings file
  environment?: Record<string, string>
}

export interface Started {
  child: ChildProcess
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  said(): string // the end of what it has said
}

// longtake in a process group of its own, which hears of no Ctrl-C.
export function startLongtake(words: readonly string[], { home, temporary, config, environment }: Start): Started {
  const env = { ...withoutOurs(process.env), ...environment, LONGTAKE_HOME: home, TMPDIR: temporary, CI: 'true' }
  const child = spawn(process.execPath, [bin, ...words, ...(config ? ['--config', config] : [])], {
    cwd: temporary,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      output = (output + piece).slice(-20_000)
    })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  return { child, ended, said: () => output }
}

// One that must end well.
export async function runLongtake(words: readonly string[], options: Start): Promise<string> {
  const { ended, said } = startLongtake(words, options)
  const { code, signal } = await ended
  if (code === 0) return said()
  throw new Error(`longtake ${words.slice(0, 2).join(' ')} ended with ${signal ?? code}:\n${said()}`)
}

// What the person who starts the proof has set up is no part of it.
function withoutOurs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('LONGTAKE_')))
}
