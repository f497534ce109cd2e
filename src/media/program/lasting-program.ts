import { type ChildProcess, type ChildProcessWithoutNullStreams, type Serializable, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'

export interface LastingProgram {
  pid?: number
  stdin: Writable
  stdout: Readable
  stderr: Readable
  started: Promise<void>
  onEnd(then: (code: number | null, signal: string | null) => void): void // it and all that it started are gone, and its pipes are closed
  stop(): Promise<void> // gently first
  kill(): void
  send(message: unknown): void // over its channel, where it has one
  onMessage(then: (message: unknown) => void): void
  hold(isHeld: boolean): void // whether it keeps our process alive
}

export interface LastingOptions {
  command: string
  args: readonly string[]
  folder?: string
  environment: Record<string, string>
  channel?: true // a program of Node, which is sent copies of our values and sends its own
}

const patience = 1000 // milliseconds until it is ended less gently

const running = new Set<() => void>() // what ends each of them
const endAll = () => {
  for (const kill of running) kill()
}

// A program that runs beside us, in a process group of its own: what it started ends with it, and with us.
export function startLasting({ command, args, folder, environment, channel }: LastingOptions): LastingProgram {
  const child = spawn(command, args, {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
    serialization: 'advanced',
    detached: process.platform !== 'win32',
    windowsHide: true,
  }) as ChildProcessWithoutNullStreams // every pipe is asked for
  const kill = () => signalGroup(child, 'SIGKILL')
  if (running.size === 0) process.once('exit', endAll)
  running.add(kill)
  const forget = () => {
    if (running.delete(kill) && running.size === 0) process.off('exit', endAll)
  }
  child.once('exit', kill) // its children, which would hold the pipes open
  child.once('close', forget)
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => {
      forget()
      reject(error)
    })
  })
  started.catch(() => {}) // whoever waits for it is told
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    started,
    onEnd: then => child.once('close', then),
    kill,
    send: message => void child.send?.(message as Serializable, () => {}), // that it failed is told by its end
    onMessage: then => child.on('message', then),
    hold(isHeld) {
      const method = isHeld ? 'ref' : 'unref'
      child[method]()
      child.channel?.[method]()
      for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Socket | null)?.[method]()
    },
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise(resolve => child.once('close', resolve))
      child.stdin.end()
      if (child.connected) child.disconnect()
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
