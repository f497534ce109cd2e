import { UsageError } from '../core/errors.ts'
import type { CommandContext, CreateRuntime } from './call.ts'
import { fail } from './fail.ts'
import { runCommandLine } from './program.ts'
import { type Terminal, terminal } from './terminal.ts'

const fromApp: CreateRuntime = async options => (await import('../runtime/runtime.ts')).createRuntime(options)

// The command line as a process: its streams, its signals, its end.
export async function main(argv: readonly string[], createRuntime = fromApp): Promise<void> {
  const { stdout, stderr, env: environment } = process
  const traces = environment.OTEL_EXPORTER_OTLP_ENDPOINT
  forgetTracing(environment)
  const screen = terminal(stdout, stderr, environment)
  const stop = new AbortController()
  const interrupts: (() => void)[] = []
  const stops: (() => void)[] = []
  const stopped = listenToSignals(stop, { interrupts, stops }, line => screen.say(line))
  endQuietlyWithoutReader()
  endWithParent()
  const json = argv.includes('--json') ? 'json' : argv.includes('--ndjson') ? 'ndjson' : undefined
  const failOptions = { debug: argv.includes('--debug'), json } as const
  const context: CommandContext = {
    cwd: workingFolder(screen),
    environment,
    terminal: screen,
    signal: stop.signal,
    traces,
    createRuntime,
    exceeded: error => process.exit(fail(error, screen, failOptions)),
    get input() {
      return { stream: process.stdin, output: stderr, live: Boolean(process.stdin.isTTY) }
    },
    onInterrupt(handler) {
      interrupts.push(handler)
      return () => void interrupts.splice(interrupts.indexOf(handler), 1)
    },
    onStop: handler => void stops.push(handler),
  }
  process.on('uncaughtException', error => process.exit(fail(error, screen, failOptions)))
  let code: number
  try {
    code = await runCommandLine(argv, context)
  } catch (error) {
    code = fail(error, screen, { ...failOptions, aborted: stop.signal.aborted })
  }
  screen.draw([])
  await flushed(stdout)
  await flushed(stderr)
  leave(stopped() ?? code)
}

function workingFolder(screen: Terminal): string {
  try {
    return process.cwd()
  } catch {
    const gone = new UsageError('The working folder no longer exists.', {
      hint: 'Change to another one with cd.',
    })
    return process.exit(fail(gone, screen))
  }
}

const cleanEnd = 1000 // milliseconds for a clean shutdown; files on disk are consistent at any moment

// The first signal starts a clean shutdown with a deadline; the second exits at once.
function listenToSignals(
  stop: AbortController,
  { interrupts, stops }: Record<'interrupts' | 'stops', (() => void)[]>,
  say: (line: string) => void,
): () => number | undefined {
  let code: number | undefined
  let stopping = false // by a command that ends its work by itself, however long that takes
  const numbers = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
  for (const [name, number] of Object.entries(numbers)) {
    process.on(name, () => {
      const handler = name === 'SIGINT' ? interrupts.at(-1) : undefined
      if (handler) return handler()
      if (code !== undefined || stopping) process.exit(number)
      stopping = stops.length > 0
      if (stopping) {
        say('Stopping; once more to stop at once.')
        for (const stop of stops) stop()
        return
      }
      code = number
      say('Stopping; once more to stop at once.')
      stop.abort()
      setTimeout(() => process.exit(number), cleanEnd).unref()
    })
  }
  return () => code
}

// `longtake show talk.mp4 | head`: the reader closed the pipe, which is not an error.
function endQuietlyWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(0)
    })
  }
}

// A server that indexes in a process of its own holds a channel to it. Where the server was killed, nobody waits for the index, and
// the next start makes it: this process must not be in its way.
function endWithParent(): void {
  if (!process.connected) return
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref() // by itself it does not keep the process running
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => stream.write('', () => resolve()))
}

// Handles that a library left open do not keep the process alive.
function leave(code: number): void {
  process.exitCode = code
  setTimeout(() => process.exit(code), 1000).unref()
}

// Variables that make tracing libraries send a run to a server, or print it among the results. The libraries in here read them
// too: the question and the transcript would leave the machine without the user's consent.
const tracing = /^(LANGSMITH|LANGCHAIN|OTEL)_/

function forgetTracing(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (tracing.test(name)) delete environment[name]
}
