import { Caption } from '../../../src/core/brief.ts'
import { addUsage, type ChatModel, type ChatRequest, emptyUsage, type Usage } from '../../../src/core/chat.ts'
import { BackendError, firstZodIssue } from '../../../src/core/errors.ts'
import { parseJsonText } from '../../../src/core/json.ts'
import type { Budgeter, CallCost } from './budget.ts'
import { type CaptionContext, captionRequest, findCaptionFault, retryCaption } from './prompt.ts'

// What came of a clip: its caption, or why it has none.
export interface CaptionOutcome {
  times: number[] // of the frames that were shown
  caption?: Caption
  fault?: string
  usage: Usage
}

export interface Paying {
  budgeter: Budgeter
  expected: CallCost // of one call
}

const tries = 3

// Undefined: the budget allows no call.
export async function askCaption(
  model: ChatModel,
  shown: CaptionContext,
  { budgeter, expected }: Paying,
  signal: AbortSignal,
): Promise<CaptionOutcome | undefined> {
  let { frames } = shown
  let request = captionRequest(shown)
  let usage = emptyUsage
  let fault: string | undefined
  const began = performance.now()
  const ended = (): Pick<CaptionOutcome, 'times' | 'usage'> => ({
    times: frames.map(frame => frame.time),
    usage: { ...usage, seconds: Math.round(performance.now() - began) / 1000 },
  })
  for (let nth = 1; nth <= tries && budgeter.reserve(expected); nth++) {
    const modelReply = await replyTo(model, request, expected, signal)
    const real = { calls: 1, frames: frames.length, ...modelReply.usage }
    budgeter.commit(expected, real)
    usage = addUsage(usage, real)
    const now = { ...shown, frames }
    const read = modelReply.fault === undefined ? readCaption(modelReply.text, now) : { fault: modelReply.fault }
    if ('caption' in read) return { ...read, ...ended() }
    fault = read.fault
    // What a model takes is known only to it: every second frame, then.
    if (modelReply.isTooLong) frames = frames.filter((_, at) => at % 2 === 0)
    request = modelReply.isTooLong
      ? captionRequest({ ...shown, frames })
      : retryCaption(captionRequest(now), modelReply.text, fault)
  }
  return fault === undefined ? undefined : { fault, ...ended() }
}

interface ModelText {
  text: string
  usage: { inputTokens: number; outputTokens: number }
  fault?: string
  isTooLong?: boolean
}

// A model that runs but says nothing usable costs its clip; a server that is not there costs the stage.
async function replyTo(
  model: ChatModel,
  request: ChatRequest,
  expected: CallCost,
  signal: AbortSignal,
): Promise<ModelText> {
  try {
    const { text, stop, usage } = await model.reply(request, signal)
    return { text, usage, ...(stop === 'refused' && { fault: 'the model refused' }) }
  } catch (error) {
    if (signal.aborted || !(error instanceof BackendError) || !error.reason) throw error
    const isTooLong = error.reason === 'context-overflow' // refused, which costs nothing
    const { inputTokens, outputTokens } = isTooLong ? emptyUsage : (error.usage ?? expected)
    return { text: '', usage: { inputTokens, outputTokens }, fault: error.message.replace(/\.$/, ''), isTooLong }
  }
}

function readCaption(text: string, shown: CaptionContext): { caption: Caption } | { fault: string } {
  const value = parseJsonText(text)
  if (value === undefined) return { fault: 'it is not JSON' }
  const read = Caption.safeParse(value)
  if (!read.success) {
    const { path, message } = firstZodIssue(read.error)
    return { fault: `it is not of the schema: ${[path.join('.'), message].filter(Boolean).join(': ')}` }
  }
  const fault = findCaptionFault(read.data, shown)
  return fault ? { fault } : { caption: read.data }
}
