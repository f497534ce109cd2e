import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { BackendError, errorText, InterruptedError, UsageError } from '../../src/core/errors.ts'
import type { CodeLimits } from '../../src/core/tool.ts'
import { runProgram } from '../../src/media/program/run-program.ts'
import { defineTool } from '../define.ts'
import { rowsNamed } from '../longshot/memory-tool.ts'
import { type GuestJob, type GuestReport, guest } from './guest.ts'
import { bubblewrapCommand, bubblewrapWorks, permissionFlags } from './walls.ts'

const maxCode = 20_000 // characters
const maxRows = 50

export default defineTool({
  name: 'execute_code',
  description:
    'Runs JavaScript over what is known, for counting, sorting and joining by time. It sees `evidence` (all rows, as {id, start, end, track, text, by}), `video` ({duration}) and `inputs`; print with console.log, ids of rows that matter too. It reaches no file, network or clock of the machine.',
  input: z.object({
    code: z.string().min(1).describe('JavaScript; the value of its last expression is shown too'),
    language: z.string().min(1).describe('"javascript"; no other language is there'),
    inputs: z.unknown().optional().describe('any JSON, as the global `inputs`'),
  }),
  danger: 'code',
  varies: true,
  async run({ code, language, inputs }, context) {
    if (!/^(javascript|js|ecmascript|node|nodejs)$/i.test(language.trim()))
      throw new UsageError(`execute_code runs javascript, not "${language.slice(0, 40)}".`, {
        hint: 'Write it in JavaScript: evidence.filter(row => row.track === "speech").length',
      })
    if (code.length > maxCode)
      throw new UsageError(`The code is ${code.length} characters long; the limit is ${maxCode}.`)
    const rows = context.known?.() ?? context.index.evidence()
    const evidence = rows.map(({ id, span, track, text, by, speaker }) => ({ id, ...span, track, text, by, speaker }))
    const ran = await runSandboxed(
      { code, globals: { evidence, inputs: inputs ?? null, video: { duration: context.video.duration } } },
      context.limits?.code,
      context.signal,
    )
    const parts = [
      ran.stdout ? `stdout:\n${ran.stdout}` : '',
      ran.result === undefined ? '' : `value: ${ran.result}`,
      ran.stderr ? `stderr:\n${ran.stderr}` : '',
    ].filter(Boolean)
    const cited = rowsNamed(`${ran.stdout}\n${ran.result ?? ''}`, context).slice(0, maxRows)
    return {
      evidence: cited,
      text: parts.length > 0 ? parts.join('\n') : 'It ran and printed nothing; use console.log.',
      outcome: ran.stderr && parts.length === 1 ? 'nothing' : 'found',
    }
  },
})

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
    ? bubblewrapCommand(process.execPath, node, [folder, join(folder, '..', '..', 'package.json')])
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
