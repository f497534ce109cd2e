import type { RunEvent } from '../../../../src/core/agent.ts'
import { IndexDone } from '../../../../src/core/api/job.ts'
import {
  BackendError,
  InputError,
  InterruptedError,
  type LongtakeError,
  StorageError,
  UsageError,
} from '../../../../src/core/errors.ts'
import { runProgram } from '../../../../src/media/program/run-program.ts'

interface IndexInChild {
  program: readonly string[] // that starts longtake
  settings: string // the file with the settings
  path: string
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  watch(event: RunEvent): void
}

// Indexes a video in a process of its own, so that the server goes on answering meanwhile. What it has made by the time that it is
// ended stays, and is not made again.
export async function indexInChild(work: IndexInChild): Promise<IndexDone> {
  const [program = process.execPath, ...first] = work.program
  const args = [...first, 'index', '--ndjson', '--quiet', '--config', work.settings, '--', work.path]
  const environment = Object.fromEntries(
    Object.entries(work.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  let rest = ''
  let result: IndexDone | undefined
  const take = (line: string) => {
    const { type, ...said } = JSON.parse(line) as RunEvent
    if ((type as string) === 'result') result = IndexDone.parse(said)
    else work.watch({ type, ...said } as RunEvent)
  }
  const { code, stderr } = await runProgram(program, args, {
    environment,
    signal: work.signal,
    failure: 'return',
    tied: true,
    onStdout(piece) {
      const lines = (rest + Buffer.from(piece).toString('utf8')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') take(line)
    },
  })
  if (result) return result
  throw childError(code, stderr)
}

const kinds = { 2: UsageError, 3: InputError, 4: BackendError, 7: StorageError, 130: InterruptedError } as const

// The error as the child reported it.
function childError(code: number, stderr: string): LongtakeError {
  const lines = stderr.split('\n')
  const after = (word: string) => lines.findLast(line => line.startsWith(word))?.slice(word.length)
  const Kind = kinds[code as keyof typeof kinds] ?? BackendError
  const message = after('error: ') ?? `The indexing ended with code ${code} and gave no reason.`
  return new Kind(message, { hint: after('hint: ') })
}
