import { type ChildProcess, spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { longestMessage, mostAtOnce, TooMuchError } from './limits.ts'

export interface ServerProgram {
  command: string
  args: string[]
  folder?: string
  environment: Record<string, string>
}

interface Framing {
  serializeMessage(message: JSONRPCMessage): string
  deserializeMessage(line: string): JSONRPCMessage
}

// An MCP server on a pipe, in a process group of its own: what it started ends with it. The SDK's own transport ends only the
// server, and waits for its pipes, which a child may hold open.
export class ServerProcess implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly stderr = new PassThrough()
  readonly #program: ServerProgram
  readonly #framing: Framing
  #child?: ChildProcess
  #line: Buffer[] = []
  #lineBytes = 0
  #bytes = 0 // since we last said something

  constructor(program: ServerProgram, framing: Framing) {
    this.#program = program
    this.#framing = framing
  }

  // The SDK tells a pipe from HTTP by `pid` and `stderr`.
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  start(): Promise<void> {
    const { command, args, folder, environment } = this.#program
    const child = spawn(command, args, {
      cwd: folder,
      env: environment,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.#child = child
    const onExit = () => killGroup(child, 'SIGKILL')
    process.once('exit', onExit)
    child.stdin.on('error', error => this.onerror?.(error))
    child.stdout.on('error', error => this.onerror?.(error))
    child.stdout.on('data', (piece: Buffer) => this.#read(piece))
    child.stderr.pipe(this.stderr)
    child.once('exit', onExit) // its children, which would hold the pipes open
    child.once('close', () => {
      process.off('exit', onExit)
      this.onclose?.()
    })
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin?.writable) throw new Error('the server has ended')
    this.#bytes = 0
    await new Promise<void>((resolve, reject) =>
      stdin.write(this.#framing.serializeMessage(message), error => (error ? reject(error) : resolve())),
    )
  }

  async close(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise(resolve => child.once('close', resolve))
    child.stdin?.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const isOver = await Promise.race([ended.then(() => true), wait(patience)])
      if (isOver) return
      killGroup(child, signal)
    }
    await Promise.race([ended, wait(patience)])
  }

  #read(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > mostAtOnce) {
      this.#leave(new TooMuchError('in all', mostAtOnce))
      return
    }
    let from = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      this.#take(Buffer.concat([...this.#line, piece.subarray(from, end)]).toString('utf8'))
      this.#line = []
      this.#lineBytes = 0
      from = end + 1
    }
    this.#line.push(piece.subarray(from))
    this.#lineBytes += piece.length - from
    if (this.#lineBytes > longestMessage) this.#leave(new TooMuchError('a message', longestMessage))
  }

  // Lines that are no messages are passed over: many servers print their greetings there.
  #take(line: string): void {
    try {
      if (line.trim() !== '') this.onmessage?.(this.#framing.deserializeMessage(line))
    } catch (error) {
      this.onerror?.(error as Error)
    }
  }

  #leave(reason: TooMuchError): void {
    this.#child?.stdout?.removeAllListeners('data')
    this.#child?.stdout?.destroy()
    this.#line = []
    this.onerror?.(reason)
    if (this.#child) killGroup(this.#child, 'SIGKILL')
  }
}

const patience = 1000 // milliseconds until it is ended less gently

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
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
