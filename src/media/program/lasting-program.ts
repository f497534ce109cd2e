import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export interface LastingProgram {
  pid?: number
  stdin: Writable
  stdout: Readable
  stderr: Readable
  started: Promise<void>
  onEnd(then: () => void): void // it and all that it started are gone, and its pipes are closed
  stop(): Promise<void> // gently first
  kill(): void
}

export interface LastingOptions {
  command: string
  args: readonly string[]
  folder?: string
  environment: Record<string, string>
}

const patience = 1000 // milliseconds until it is ended less gently

// A program that runs beside us, in a process group of its own: what it started ends with it, and with us.
export function startLasting({ command, args, folder, environment }: LastingOptions): LastingProgram {
  const child = spawn(command, args, {
    cwd: folder,
    env: environment,
    stdio: 'pipe',
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const kill = () => signalGroup(child, 'SIGKILL')
  process.once('exit', kill)
  child.once('exit', kill) // its children, which would hold the pipes open
  child.once('close', () => process.off('exit', kill))
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => {
      process.off('exit', kill)
      reject(error)
    })
  })
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    started,
    onEnd: then => child.once('close', then),
    kill,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise(resolve => child.once('close', resolve))
      child.stdin.end()
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const isOver = await Promise.race([ended.then(() => true), wait(patience)])
        if (isOver) return
        signalGroup(child, signal)
      }
      await Promise.race([ended, wait(patience)])
    },
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid === undefined) return
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // it is gone
  }
}

function wait(milliseconds: number): Promise<false> {
  return new Promise(resolve => setTimeout(resolve, milliseconds, false))
}
