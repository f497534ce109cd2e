import { PassThrough } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { type LastingOptions, type LastingProgram, startLasting } from '../../src/media/program/lasting-program.ts'
import { maxMessage, maxTotal, TooMuchError } from './limits.ts'

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
  readonly #options: LastingOptions
  readonly #framing: Framing
  #program?: LastingProgram
  #line: Buffer[] = []
  #lineBytes = 0
  #bytes = 0 // since we last said something

  constructor(options: LastingOptions, framing: Framing) {
    this.#options = options
    this.#framing = framing
  }

  // The SDK tells a pipe from HTTP by `pid` and `stderr`.
  get pid(): number | null {
    return this.#program?.pid ?? null
  }

  start(): Promise<void> {
    const program = startLasting(this.#options)
    this.#program = program
    program.stdin.on('error', error => this.onerror?.(error))
    program.stdout.on('error', error => this.onerror?.(error))
    program.stdout.on('data', (piece: Buffer) => this.#read(piece))
    program.stderr.pipe(this.stderr)
    program.onEnd(() => this.onclose?.())
    return program.started
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#program?.stdin
    if (!stdin?.writable) throw new Error('the server has ended')
    this.#bytes = 0
    await new Promise<void>((resolve, reject) =>
      stdin.write(this.#framing.serializeMessage(message), error => (error ? reject(error) : resolve())),
    )
  }

  async close(): Promise<void> {
    await this.#program?.stop()
  }

  #read(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > maxTotal) {
      this.#leave(new TooMuchError('in all', maxTotal))
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
    if (this.#lineBytes > maxMessage) this.#leave(new TooMuchError('a message', maxMessage))
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
    this.#program?.stdout.removeAllListeners('data')
    this.#program?.stdout.destroy()
    this.#line = []
    this.onerror?.(reason)
    this.#program?.kill()
  }
}
