import { z } from 'zod'
import { errorText, LongtakeError } from '../../../core/errors.ts'
import type { Evidence } from '../../../core/evidence.ts'
import type { Tool, ToolContext, ToolResult } from '../../../core/tool.ts'
import { loadTool } from '../load-tool.ts'
import { wrongRow } from '../wrong-row.ts'
import { practiceContext } from './practice.ts'
import { type Shape, sampleInput } from './sample-input.ts'
import { type Effect, watchEffects } from './watch-effects.ts'

export interface Check {
  check: string
  state: 'ok' | 'wrong' | 'doubtful' | 'not tried'
  detail?: string
}

export interface ToolCheck {
  file: string
  tool?: string
  input?: unknown
  conforms: boolean
  checks: Check[]
}

export interface CheckRequest {
  file: string
  cwd: string
  input?: Record<string, unknown> // instead of one made from the schema
  seconds?: number // longest time of one call
}

const patience = 1 // seconds to stop in after an abort

// Tries a tool against what every tool promises, on a made-up minute of video.
export async function checkTool({ file, cwd, input, seconds = 20 }: CheckRequest): Promise<ToolCheck> {
  const checks: Check[] = []
  const say = (check: string, state: Check['state'], detail?: string) => {
    checks.push({ check, state, ...(detail ? { detail } : {}) })
  }
  const report = (more: Partial<ToolCheck> = {}): ToolCheck => ({
    file,
    ...more,
    conforms: checks.every(one => one.state === 'ok' || one.state === 'doubtful'),
    checks,
  })
  let tool: Tool
  try {
    tool = await loadTool(file, cwd)
    say('it loads, with a name, a description, an input and a run', 'ok')
  } catch (error) {
    say('it loads, with a name, a description, an input and a run', 'wrong', reason(error))
    return report()
  }
  const shape = checkSchema(tool, say)
  const given = input ?? sampleInput(shape ?? {})
  const parsed = tool.input.safeParse(given)
  if (!parsed.success) {
    const problem = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')
    say(
      'its schema takes the example',
      input ? 'wrong' : 'not tried',
      `${problem}; give arguments with --input '{...}'`,
    )
    return report({ tool: tool.name, input: given })
  }
  const trial: Trial = { tool, input: parsed.data, seconds, say }
  const effects = await watchEffects(async () => {
    await checkAnswer(trial)
    await checkAbort(trial)
    await checkErrors(trial)
  })
  checkEffects(tool, effects, say)
  return report({ tool: tool.name, input: given })
}

type Say = (check: string, state: Check['state'], detail?: string) => void

interface Trial {
  tool: Tool
  input: unknown
  seconds: number
  say: Say
}

function checkSchema(tool: Tool, say: Say): Shape | undefined {
  const check = 'its input is an object that a model can read, each argument described'
  try {
    const shape = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as Shape
    if (shape.type !== 'object') say(check, 'wrong', `it is ${[shape.type ?? 'of no one type'].flat().join(' or ')}`)
    else {
      const silent = Object.entries(shape.properties ?? {}).filter(([, property]) => !property.description)
      if (silent.length === 0) say(check, 'ok')
      else say(check, 'doubtful', `no description: ${silent.map(([name]) => name).join(', ')}`)
    }
    const missing = (shape.required ?? []).find(name => tool.input.safeParse(without(sampleInput(shape), name)).success)
    if (missing) say('what it requires is required', 'wrong', `it takes a call without "${missing}"`)
    return shape
  } catch (error) {
    say(check, 'wrong', reason(error))
    return undefined
  }
}

async function checkAnswer({ tool, input, seconds, say }: Trial): Promise<void> {
  const timed = `it answers within ${seconds} seconds`
  const context = practiceContext('works', new AbortController().signal)
  const first = await ends(tool, input, context, seconds)
  if (first.state === 'hangs') return say(timed, 'wrong', `it did not answer in ${seconds} seconds`)
  say(timed, 'ok', `${first.seconds.toFixed(2)} s`)
  if (first.state === 'failed') {
    const offRole = first.error instanceof LongtakeError || isTyped(first.error)
    return say('it finds something', offRole ? 'doubtful' : 'wrong', `it failed: ${reason(first.error)}`)
  }
  const rows = checkEvidence(first.result, context, say)
  if (!rows) return
  const again = await ends(tool, input, practiceContext('works', new AbortController().signal), seconds)
  const ids = again.state === 'done' ? (again.result.evidence ?? []).map(row => row.id) : []
  const same = ids.join() === rows.map(row => row.id).join()
  say('the same call finds the same', same ? 'ok' : 'doubtful', same ? undefined : 'the rows differ from call to call')
}

function checkEvidence(result: ToolResult, context: ToolContext, say: Say): Evidence[] | undefined {
  const check = 'its rows are stamped by context.note, with spans inside the video'
  if (!Array.isArray(result?.evidence)) {
    say(check, 'wrong', 'run must return { evidence: [...] }, with an empty list where nothing was found')
    return undefined
  }
  for (const row of result.evidence) {
    const problem = wrongRow(row, context)
    if (!problem) continue
    say(check, 'wrong', problem)
    return undefined
  }
  const silent = result.evidence.length === 0 && !result.text
  if (result.text !== undefined && typeof result.text !== 'string') say(check, 'wrong', 'text must be a string')
  else if (silent) say(check, 'doubtful', 'nothing was found and nothing is said; say what was looked for in `text`')
  else say(check, 'ok', `${result.evidence.length} rows${result.text ? ' and a text' : ''}`)
  return result.evidence
}

async function checkAbort({ tool, input, say }: Trial): Promise<void> {
  const check = 'it stops when it is told to'
  for (const after of [0, 30]) {
    const stop = new AbortController()
    if (after === 0) stop.abort()
    const timer = setTimeout(() => stop.abort(), after)
    const end = await ends(tool, input, practiceContext('works', stop.signal), patience + after / 1000)
    clearTimeout(timer)
    if (end.state !== 'hangs') continue
    return say(
      check,
      'wrong',
      `${after === 0 ? 'aborted before it began' : 'aborted while it ran'}, it went on for ${patience} s: pass context.signal on`,
    )
  }
  say(check, 'ok')
}

async function checkErrors({ tool, input, seconds, say }: Trial): Promise<void> {
  const check = 'where nothing can be read it says so in an error of ours, or in its text'
  const end = await ends(tool, input, practiceContext('fails', new AbortController().signal), seconds)
  if (end.state === 'hangs') return say(check, 'wrong', `it did not answer in ${seconds} seconds`)
  if (end.state === 'failed')
    return isTyped(end.error)
      ? say(check, 'ok', reason(end.error))
      : say(
          check,
          'wrong',
          `it threw ${reason(end.error)}; throw a UsageError or BackendError that names what is missing`,
        )
  const silent = (end.result?.evidence ?? []).length === 0 && !end.result?.text
  say(check, silent ? 'doubtful' : 'ok', silent ? 'it returned an empty list and said nothing' : undefined)
}

function checkEffects(tool: Tool, effects: readonly Effect[], say: Say): void {
  const allowed = (effect: Effect) =>
    (effect.kind === 'network' && (tool.danger === 'network' || tool.danger === 'servers')) ||
    (effect.kind === 'program' && tool.danger === 'code')
  const wrong = effects.filter(effect => !allowed(effect))
  const check = 'it writes nothing, starts nothing and asks nobody, beyond what its danger says'
  if (wrong.length === 0) {
    say(check, 'ok')
    return
  }
  const mends = {
    write: 'a tool returns what it finds and writes nothing',
    network: "mark it danger: 'network'",
    program: "mark it danger: 'code'",
  }
  const kinds = [...new Set(wrong.map(effect => effect.kind))]
  const told = kinds.map(kind => `${wrong.find(effect => effect.kind === kind)?.what}: ${mends[kind]}`)
  say(check, 'wrong', told.join('; '))
}

type End =
  | { state: 'done'; result: ToolResult; seconds: number }
  | { state: 'failed'; error: unknown; seconds: number }
  | { state: 'hangs' }

async function ends(tool: Tool, input: unknown, context: ToolContext, seconds: number): Promise<End> {
  const began = performance.now()
  const took = () => (performance.now() - began) / 1000
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<End>(resolve => {
    timer = setTimeout(() => resolve({ state: 'hangs' }), seconds * 1000)
  })
  const work = (async () => tool.run(structuredClone(input), context))()
  const end = await Promise.race([
    work.then(
      (result): End => ({ state: 'done', result, seconds: took() }),
      (error): End => ({ state: 'failed', error, seconds: took() }),
    ),
    late,
  ])
  clearTimeout(timer)
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

function without(given: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => key !== name))
}
