import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { whenAborted } from '../../core/basics/signals.ts'
import { BackendError, errorText, InterruptedError, type LongtakeError, UsageError } from '../../core/errors.ts'
import { resourceFault } from '../../core/machine/resource-fault.ts'
import { findProgram, howToInstall, programVariable } from './find-program.ts'
import { type Watchdog, watchdog } from './watchdog.ts'

// Reads one of the program's extra pipes to its end. The program is held back while it works on a piece.
export type PipeReader = (bytes: AsyncIterable<Uint8Array>) => Promise<void>

interface ProgramOptions {
  signal?: AbortSignal
  input?: Uint8Array | AsyncIterable<Uint8Array> // without it, standard input is closed
  onStdout?: (piece: Uint8Array) => void | Promise<void> // instead of collecting it
  onStderrLine?: (line: string) => void // lines longer than 4 KB come cut
  pipes?: PipeReader[] // file descriptors 3, 4, ...
  timeoutSeconds?: number // wall clock of the whole run
  stallSeconds?: number // longest time without a byte of output while nobody holds the program back
  maxStdoutBytes?: number
  environment?: Record<string, string> // besides the few variables that programs need to start
  inherit?: 'few' | 'nothing' // of our environment; few when left out
  cwd?: string
  yields?: boolean // to other work of this machine
  tied?: boolean // longtake itself: it has a channel to us and ends when that breaks, as when we are killed
  failure?: 'throw' | 'return' // what to do with an exit code other than 0
}

export interface ProgramResult {
  code: number // 128 + the signal's number where a signal ended it
  stdout: Buffer
  stderr: string // the last 64 KB
}

const running = new Set<ChildProcess>()

// Runs a program in a process group of its own, which is killed whole on abort, on time-out and when we exit.
// The program sees no secrets of our environment.
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const path = await requireProgram(program)
  if (options.signal?.aborted) throw interrupted(program, options.signal)
  const pipes = options.pipes ?? []
  const child = await start(program, path, args, {
    stdio: [
      options.input ? 'pipe' : 'ignore',
      'pipe',
      'pipe',
      ...pipes.map(() => 'pipe' as const),
      ...(options.tied ? ['ipc' as const] : []),
    ],
    env: { ...(options.inherit === 'nothing' ? {} : plainEnvironment()), ...options.environment },
    cwd: options.cwd,
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  killOnExit(child)
  if (options.yields) yieldToOthers(child)

  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    killGroup(child)
    for (const stream of child.stdio) stream?.destroy()
  }
  const unlisten = whenAborted(options.signal, () => fail(interrupted(program, options.signal)))
  const watch = watchdog(program, options, fail)

  const stderr = new StderrTail(options.onStderrLine)
  const stdout: Buffer[] = []
  const streams = [
    feed(child, options.input),
    drain(child.stderr, piece => {
      watch.sign()
      stderr.push(piece)
    }),
    readPipe(child.stdout, watch, bytes => readStdout(program, bytes, stdout, options)),
    ...pipes.map((read, i) => readPipe(child.stdio[i + 3] as Readable, watch, read)),
  ].map(part => part.catch(fail))

  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', error => reject(cannotStart(program, error)))
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGHUP']))
    })
    await Promise.all(streams)
    if (failure) throw failure
    if (code !== 0 && options.failure !== 'return') throw stopped(program, code, stderr.text())
    return { code, stdout: Buffer.concat(stdout), stderr: stderr.text() }
  } finally {
    watch.stop()
    running.delete(child)
    unlisten()
  }
}

// The last line that a program wrote, for messages.
export function lastLine(stderr: string): string {
  return stderr.trim().split('\n').at(-1)?.trim() ?? ''
}

// Why a program ended with this code, for messages: what it said last, or what is known of its end.
export function explainExit(code: number, stderr: string): string {
  const message = lastLine(stderr).replace(/\.+$/, '')
  if (code === killed) return 'the system killed it (signal 9), which is what happens when the memory is used up'
  if (code > 128) return `it crashed with signal ${code - 128}${message ? `: ${message}` : ''}`
  return message || `it stopped with code ${code} and gave no reason`
}

export const killedHint =
  'Close other programs, give the container more memory, or bound what longtake takes: --max-memory 500MB.'

// Ended by SIGKILL, and not by us: then we throw what made us do it.
export const killed = 128 + 9

// Some refusals of the system are thrown, some come as an event, and with some of those the child has no pipes.
async function start(program: string, path: string, args: readonly string[], options: SpawnOptions) {
  try {
    const child = spawn(path, args, options)
    if (child.stdio === undefined || child.stdout === undefined)
      throw await new Promise(resolve => child.once('error', resolve))
    return child
  } catch (error) {
    throw cannotStart(program, error)
  }
}

// The path of a program; a UsageError where it is not installed.
export async function requireProgram(program: string): Promise<string> {
  const path = await findProgram(program)
  if (path) return path
  if (/[/\\]/.test(program)) return program
  const chosen = process.env[programVariable(program)]
  const message = chosen
    ? `${programVariable(program)} names "${chosen}", which is not an executable program.`
    : `${program} is not installed.`
  throw new UsageError(message, { hint: howToInstall(program) })
}

function plainEnvironment(): Record<string, string> {
  const passedVariables =
    /^(PATH|HOME|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|LD_LIBRARY_PATH|DYLD_.*|CUDA_.*|NVIDIA_.*|LIBVA_.*|FONTCONFIG_.*)$/i
  const entries = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && passedVariables.test(name),
  )
  return Object.fromEntries(entries) as Record<string, string>
}

async function feed(child: ChildProcess, input: ProgramOptions['input']): Promise<void> {
  if (!input || !child.stdin) return
  try {
    await pipeline(Readable.from(input instanceof Uint8Array ? [input] : input), child.stdin as Writable)
  } catch (error) {
    // A program may stop reading when it has seen enough; its exit code says whether that was a fault.
    if (!['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error
  }
}

async function drain(stream: Readable | null, take: (piece: Buffer) => void): Promise<void> {
  if (!stream) return
  stream.on('data', take)
  await closed(stream)
}

function closed(stream: Readable): Promise<void> {
  return new Promise(resolve => {
    if (stream.destroyed) return resolve()
    stream.once('close', resolve)
    stream.once('error', () => resolve())
  })
}

async function readStdout(
  program: string,
  bytes: AsyncIterable<Uint8Array>,
  kept: Buffer[],
  { onStdout, maxStdoutBytes = 256 * 1024 * 1024 }: ProgramOptions,
): Promise<void> {
  let size = 0
  for await (const piece of bytes) {
    if (onStdout) {
      await onStdout(piece)
      continue
    }
    size += piece.length
    if (size > maxStdoutBytes) throw new BackendError(`${program} wrote more than ${maxStdoutBytes} bytes.`)
    kept.push(piece as Buffer)
  }
}

async function readPipe(stream: Readable | null, watch: Watchdog, read: PipeReader): Promise<void> {
  if (!stream) return
  await read(pieces(stream, watch))
  // A reader that has seen enough must not block the program.
  stream.resume()
  await closed(stream)
}

async function* pieces(stream: Readable, watch: Watchdog): AsyncGenerator<Uint8Array> {
  const iterator = stream.iterator({ destroyOnReturn: false })
  try {
    for await (const piece of iterator) {
      watch.hold()
      try {
        yield piece
      } finally {
        watch.release()
      }
    }
  } catch (error) {
    // Pipes break when the group is killed; why it was killed is known elsewhere.
    if (!stream.destroyed) throw error
  }
}

function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // where that may not be done, it runs as others do
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    child.kill('SIGKILL') // the group is gone already
  }
}

function killOnExit(child: ChildProcess): void {
  if (running.size === 0 && !process.listeners('exit').includes(killAll)) process.on('exit', killAll)
  running.add(child)
}

function killAll(): void {
  for (const child of running) killGroup(child)
}

function interrupted(program: string, signal?: AbortSignal): InterruptedError {
  return new InterruptedError(`${program} was interrupted.`, { cause: signal?.reason })
}

function cannotStart(program: string, error: unknown): LongtakeError {
  const refused = resourceFault(error, `${program} could not be started`)
  return refused ?? new BackendError(`${program} could not be started: ${errorText(error)}.`, { cause: error })
}

function stopped(program: string, code: number, stderr: string): BackendError {
  const message = lastLine(stderr)
  const crashed = code > 128
  const name = basename(program)
  if (code === killed) return new BackendError(`${name} ended: ${explainExit(code, stderr)}.`, { hint: killedHint })
  return new BackendError(
    `${name} ${crashed ? `crashed with signal ${code - 128}` : `stopped with code ${code}`}${message ? `: ${message}` : ''}${message.endsWith('.') ? '' : '.'}`,
    { retryable: crashed },
  )
}

const stderrKept = 64 * 1024

// The end of what a program wrote to stderr, and its lines one by one as they come.
class StderrTail {
  #kept: Buffer[] = []
  #size = 0
  #line = ''
  readonly #onLine: ((line: string) => void) | undefined

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine
  }

  push(piece: Buffer): void {
    this.#kept.push(piece)
    this.#size += piece.length
    while (this.#size - this.#kept[0]!.length >= stderrKept) this.#size -= this.#kept.shift()!.length
    if (this.#onLine) this.#lines(piece.toString('utf8'), this.#onLine)
  }

  #lines(text: string, onLine: (line: string) => void): void {
    const lines = (this.#line + text).split(/[\r\n]+/)
    this.#line = (lines.pop() ?? '').slice(0, 4096)
    for (const line of lines) if (line) onLine(line.slice(0, 4096))
  }

  text(): string {
    if (this.#onLine && this.#line) this.#onLine(this.#line)
    this.#line = ''
    return Buffer.concat(this.#kept).subarray(-stderrKept).toString('utf8')
  }
}
