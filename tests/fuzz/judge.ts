import { LongtakeError } from '../../src/core/errors.ts'
import { Breach, type Target } from './target.ts'

export interface FuzzFinding {
  kind: 'error' | 'breach' | 'slow' | 'memory' | 'hang' | 'crash'
  message: string
  place: string // the line of ours that threw: two findings differ by it
}

type Verdict = { end: 'read' | 'refused'; seconds: number } | { end: 'finding'; finding: FuzzFinding; seconds: number }

const maxSeconds = 1
const maxAllocated = 64 * 1024 * 1024 // bytes in one piece, for an input of at most 48 kB

// Runs one input. What it may do: be read, or be refused with one of our errors, within a second and without a large buffer.
// `settle`: milliseconds to wait for errors that nothing awaits.
export async function judgeInput(target: Target, input: Buffer, settle = 0): Promise<Verdict> {
  const first = await once(target, input, settle)
  if (first.end === 'finding' || first.seconds <= maxSeconds) return first
  // On a busy machine one try says little: it is slow where three are.
  const again = [await once(target, input, settle), await once(target, input, settle)]
  const seconds = Math.min(first.seconds, ...again.map(one => one.seconds))
  if (seconds <= maxSeconds) return { ...first, seconds }
  const message = `took ${seconds.toFixed(1)} s for ${input.length} bytes`
  return { end: 'finding', finding: { kind: 'slow', message, place: target.name }, seconds }
}

async function once(target: Target, input: Buffer, settle: number): Promise<Verdict> {
  largest = 0
  const started = performance.now()
  let verdict: Pick<Verdict, 'end'> & { finding?: FuzzFinding }
  try {
    stray = undefined
    await target.run(Buffer.from(input))
    verdict = { end: 'read' }
  } catch (error) {
    verdict = error instanceof LongtakeError ? { end: 'refused' } : { end: 'finding', finding: findingOf(error) }
  }
  const seconds = (performance.now() - started) / 1000
  await new Promise(done => (settle > 0 ? setTimeout(done, settle) : setImmediate(done)))
  if (stray) return { end: 'finding', finding: { ...findingOf(stray.error), kind: 'crash' }, seconds }
  if (largest > maxAllocated && verdict.end !== 'finding') {
    const message = `allocated ${largest} bytes at once for ${input.length}`
    return { end: 'finding', finding: { kind: 'memory', message, place: target.name }, seconds }
  }
  return { ...verdict, seconds } as Verdict
}

function findingOf(error: unknown): FuzzFinding {
  const kind = error instanceof Breach ? 'breach' : 'error'
  const message = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : String(error)
  const location = error instanceof Breach ? error.message.replaceAll(/[-\d.]+|NaN/g, '#').slice(0, 80) : placeOf(error)
  return { kind, message, place: location }
}

// Where it was thrown: file and function, without lines, which move.
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const lines = stack.split('\n').filter(line => /^\s*at /.test(line) && !/node:internal|\/target\.ts/.test(line))
  const line = lines.find(one => !one.includes('/node_modules/')) ?? lines[0] ?? ''
  const [, name = '', file = ''] = /at (?:async )?(?:([^\s(]+) )?\(?.*?([\w-]+\/[\w.-]+\.[tj]s):\d+/.exec(line) ?? []
  return `${file} ${name}`.trim()
}

let largest = 0
let stray: { error: unknown } | undefined

// Errors that nothing awaits end a process; here they are findings of the input at hand.
export function watchStrayErrors(): void {
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, error => {
      stray = { error }
    })
}

// From here on the size of every buffer is seen: a length in a header must not become an allocation.
export function watchAllocations(): void {
  for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const) {
    const plain = Buffer[name].bind(Buffer) as (size: number, ...rest: unknown[]) => Buffer
    Object.defineProperty(Buffer, name, {
      value: (size: number, ...rest: unknown[]) => {
        largest = Math.max(largest, size)
        return plain(size, ...rest)
      },
    })
  }
}
