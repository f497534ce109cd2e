import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { defineTool } from '../define.ts'
import { rowsNamed } from '../longshot/memory-tool.ts'
import { runSandboxed } from './run-sandboxed.ts'

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
