import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { errorText, LongtakeError } from '../../../core/errors.ts'
import type { Evidence } from '../../../core/evidence.ts'
import type { Tool, ToolContext, ToolResult } from '../../../core/tool.ts'
import { loadTool } from '../load-tool.ts'
import { wrongRow } from '../wrong-row.ts'
import { practiceContext } from './practice.ts'
import { type InputShape, sampleInput } from './sample-input.ts'
import { type Effect, watchEffects } from './watch-effects.ts'

export interface CheckResult {
  check: string
  state: 'ok' | 'wrong' | 'doubtful' | 'not tried'
  detail?: string
}

interface ToolCheck {
  file: string
  tool?: string
  input?: unknown
  conforms: boolean
  checks: CheckResult[]
}

interface CheckRequest {
  file: string
  cwd: string
  input?: Record<string, unknown> // instead of one made from the schema
  seconds?: number // longest time of one call
}

const never = new AbortController().signal
const patience = 1 // seconds to stop in after an abort

type Say = (check: string, state: CheckResult['state'], detail?: string) => void

// Tries a tool against what every tool promises, on a made-up minute of video.
export async function checkTool({ file, cwd, input, seconds = 20 }: CheckRequest): Promise<ToolCheck> {
  const checks: CheckResult[] = []
  const say: Say = (check, state, detail) => void checks.push({ check, state, ...(detail && { detail }) })
  const called = await tryTool({ file, cwd, input, seconds }, say)
  return { file, ...called, conforms: checks.every(({ state }) => state === 'ok' || state === 'doubtful'), checks }
}

async function tryTool({ file, cwd, input, seconds }: Required<Omit<CheckRequest, 'input'>> & CheckRequest, say: Say) {
  const loads = 'it loads, with a name, a description, an input and a run'
  let tool: Tool
  try {
    tool = await loadTool(file, cwd)
    say(loads, 'ok')
  } catch (error) {
    say(loads, 'wrong', reason(error))
    return {}
  }
  const toolInput = input ?? sampleInput(checkSchema(tool, say) ?? {})
  const called = { tool: tool.name, input: toolInput }
  const parsed = tool.input.safeParse(toolInput)
  if (!parsed.success) {
    const problem = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')
    const detail = `${problem}; give arguments with --input '{...}'`
    say('its schema takes the example', input ? 'wrong' : 'not tried', detail)
    return called
  }
  const trial: Trial = { tool, input: parsed.data, seconds, say }
  const effects = await watchEffects(async () => {
    await checkAnswer(trial)
    await checkAbort(trial)
    await checkErrors(trial)
  })
  checkEffects(tool, effects, say)
  return called
}

interface Trial {
  tool: Tool
  input: unknown
  seconds: number
  say: Say
}

function checkSchema(tool: Tool, say: Say): InputShape | undefined {
  const check = 'its input is an object that a model can read, each argument described'
  try {
    const shape = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as InputShape
    const silent = Object.entries(shape.properties ?? {}).filter(([, property]) => !property.description)
    if (shape.type !== 'object') say(check, 'wrong', `it is ${[shape.type ?? 'of no one type'].flat().join(' or ')}`)
    else if (silent.length === 0) say(check, 'ok')
    else say(check, 'doubtful', `no description: ${silent.map(([name]) => name).join(', ')}`)
    const missing = shape.required?.find(name => {
      const { [name]: _, ...rest } = sampleInput(shape)
      return tool.input.safeParse(rest).success
    })
    if (missing) say('what it requires is required', 'wrong', `it takes a call without "${missing}"`)
    return shape
  } catch (error) {
    say(check, 'wrong', reason(error))
    return undefined
  }
}

async function checkAnswer({ tool, input, seconds, say }: Trial): Promise<void> {
  const timed = `it answers within ${seconds} seconds`
  const context = practiceContext('works', never)
  const first = await ends(tool, input, context, seconds)
  if (first.state === 'hangs') return say(timed, 'wrong', `it did not answer in ${seconds} seconds`)
  say(timed, 'ok', `${first.seconds.toFixed(2)} s`)
  if (first.state === 'failed')
    return say('it finds something', isTyped(first.error) ? 'doubtful' : 'wrong', `it failed: ${reason(first.error)}`)
  const rows = checkEvidence(first.result ?? {}, context, say)
  if (!rows) return
  const again = await ends(tool, input, practiceContext('works', never), seconds)
  const ids = again.state === 'done' ? (again.result.evidence ?? []).map(row => row.id) : []
  const same = ids.join() === rows.map(row => row.id).join()
  say('the same call finds the same', same ? 'ok' : 'doubtful', same ? undefined : 'the rows differ from call to call')
}

function checkEvidence(
  { evidence, text }: Partial<ToolResult>,
  context: ToolContext,
  say: Say,
): Evidence[] | undefined {
  const check = 'its rows are stamped by context.note, with spans inside the video'
  const wrong = (problem: string) => {
    say(check, 'wrong', problem)
    return undefined
  }
  if (!Array.isArray(evidence))
    return wrong('run must return { evidence: [...] }, with an empty list where nothing was found')
  const problem = evidence.map(row => wrongRow(row, context)).find(Boolean)
  if (problem) return wrong(problem)
  if (text !== undefined && typeof text !== 'string') wrong('text must be a string')
  else if (evidence.length > 0 || text) say(check, 'ok', `${evidence.length} rows${text ? ' and a text' : ''}`)
  else say(check, 'doubtful', 'nothing was found and nothing is said; say what was looked for in `text`')
  return evidence
}

async function checkAbort({ tool, input, say }: Trial): Promise<void> {
  const check = 'it stops when it is told to'
  for (const after of [0, 30]) {
    const signal = after === 0 ? AbortSignal.abort() : AbortSignal.timeout(after)
    const end = await ends(tool, input, practiceContext('works', signal), patience + after / 1000)
    if (end.state !== 'hangs') continue
    const when = after === 0 ? 'aborted before it began' : 'aborted while it ran'
    return say(check, 'wrong', `${when}, it went on for ${patience} s: pass context.signal on`)
  }
  say(check, 'ok')
}

async function checkErrors({ tool, input, seconds, say }: Trial): Promise<void> {
  const check = 'where nothing can be read it says so in an error of ours, or in its text'
  const end = await ends(tool, input, practiceContext('fails', never), seconds)
  if (end.state === 'hangs') return say(check, 'wrong', `it did not answer in ${seconds} seconds`)
  if (end.state === 'failed' && isTyped(end.error)) return say(check, 'ok', reason(end.error))
  if (end.state === 'failed') {
    const fix = 'throw a UsageError or BackendError that names what is missing'
    return say(check, 'wrong', `it threw ${reason(end.error)}; ${fix}`)
  }
  const silent = (end.result?.evidence ?? []).length === 0 && !end.result?.text
  say(check, silent ? 'doubtful' : 'ok', silent ? 'it returned an empty list and said nothing' : undefined)
}

function checkEffects({ danger }: Tool, effects: readonly Effect[], say: Say): void {
  const allowed: readonly Effect['kind'][] =
    danger === 'code' ? ['program'] : danger === 'network' || danger === 'servers' ? ['network'] : []
  const wrong = effects.filter(
    ({ kind }, at) => !allowed.includes(kind) && effects.findIndex(one => one.kind === kind) === at,
  )
  const check = 'it writes nothing, starts nothing and sends nothing beyond what its danger says'
  const fixes = {
    write: 'a tool returns what it finds and writes nothing',
    network: "mark it danger: 'network'",
    program: "mark it danger: 'code'",
  }
  const details = wrong.map(({ kind, what }) => `${what}: ${fixes[kind]}`)
  say(check, details.length === 0 ? 'ok' : 'wrong', details.join('; '))
}

type End =
  | { state: 'done'; result: ToolResult; seconds: number }
  | { state: 'failed'; error: unknown; seconds: number }
  | { state: 'hangs' }

async function ends(tool: Tool, input: unknown, context: ToolContext, seconds: number): Promise<End> {
  const began = performance.now()
  const took = () => (performance.now() - began) / 1000
  const late = new AbortController()
  const toolRun = (async () => tool.run(structuredClone(input), context))()
  const end = await Promise.race([
    toolRun.then(
      (result): End => ({ state: 'done', result, seconds: took() }),
      (error): End => ({ state: 'failed', error, seconds: took() }),
    ),
    sleep(seconds * 1000, { state: 'hangs' } as const, { signal: late.signal }),
  ])
  late.abort()
  return end
}

// Ours by its class, or by its form where the tool has its own copy of our words.
function isTyped(error: unknown): boolean {
  if (error instanceof LongtakeError || (error as Error)?.name === 'AbortError') return true
  return typeof (error as { exitCode?: unknown })?.exitCode === 'number'
}

function reason(error: unknown): string {
  return `${error instanceof Error && !isTyped(error) ? `${error.name}: ` : ''}${errorText(error)}`
}
