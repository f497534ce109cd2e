import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BackendError, errorText, InterruptedError } from '../../src/core/errors.ts'
import type { CodeLimits } from '../../src/core/tool.ts'
import { runProgram } from '../../src/media/program/run-program.ts'
import { type GuestJob, type GuestReport, guest } from './guest.ts'
import { bubblewrapped, bubblewrapWorks, permissionFlags } from './walls.ts'

const usual: CodeLimits = { seconds: 5, megabytes: 64, outputCharacters: 20_000 }
const patience = 20 // seconds of the clock for the process itself to start and end, on a busy machine

// Runs JavaScript where it can reach nothing: an engine in WebAssembly, fresh for each call, in a process of its own
// without our environment, behind Node's permissions and, where it works, bubblewrap.
export async function runSandboxed(
  program: { code: string; globals: Record<string, unknown> },
  limits: CodeLimits = usual,
  signal?: AbortSignal,
): Promise<GuestReport> {
  const engine = import.meta.resolve('quickjs-wasi')
  const wasm = fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))
  const folder = dirname(wasm)
  const job: GuestJob = { engine, wasm, ...program, ...limits }
  const node = [
    ...permissionFlags(folder),
    `--max-old-space-size=${limits.megabytes + 64}`,
    '--no-warnings',
    '--input-type=module',
    '--eval',
    childProgram,
  ]
  const [command, args] = (await bubblewrapWorks())
    ? bubblewrapped(process.execPath, node, [folder, join(folder, '..', '..', 'package.json')])
    : [process.execPath, node]
  try {
    const { stdout } = await runProgram(command, args, {
      input: Buffer.from(JSON.stringify(job)),
      inherit: 'nothing',
      timeoutSeconds: 3 * limits.seconds + patience,
      maxStdoutBytes: 16 * limits.outputCharacters + 100_000,
      signal,
    })
    return JSON.parse(stdout.toString('utf8')) as GuestReport
  } catch (error) {
    if (error instanceof InterruptedError) throw error
    throw new BackendError(`The program was stopped from outside: ${errorText(error)}`, {
      hint: `It may use ${limits.seconds} seconds and ${limits.megabytes} MB; make it smaller.`,
      cause: error,
    })
  }
}

// Names are kept by some compilers through a helper, which must be there where the source text runs.
const childProgram = `
const __name = value => value
const pieces = []
for await (const piece of process.stdin) pieces.push(piece)
const job = JSON.parse(Buffer.concat(pieces).toString('utf8'))
const report = await (${guest.toString()})(job, url => import(url))
process.stdout.write(JSON.stringify(report))
`
