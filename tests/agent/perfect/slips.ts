import { drawFor } from '../../../src/core/basics/draws.ts'
import type { ChatReply, ChatRequest } from '../../../src/core/chat.ts'
import { json, said } from './perfect-model.ts'
import { called, planned } from './plan.ts'
import { fenced, hasOptions, propertiesOf, wordsIn } from './request-text.ts'
import { shownIn } from './shown.ts'
import type { Truth } from './truth.ts'

// What a model gets wrong; undefined where it decides rightly.
export interface Slips {
  name: string
  of(request: ChatRequest, truth: Truth | undefined): ChatReply | undefined
}

// One decision in ten is wrong, in the form that was asked for.
export function strong(seed: number): Slips {
  return { name: `strong ${seed}`, of: (request, truth) => slip(seed, 0.1, false, request, truth) }
}

// Three in ten are wrong, and half of these are prose, half a JSON or nothing at all.
export function weak(seed: number): Slips {
  return { name: `weak ${seed}`, of: (request, truth) => slip(seed, 0.3, true, request, truth) }
}

// The draw rests on the question and on what is asked of the model for the how-manieth time, so that runs with and without a
// policy meet the same errors.
function slip(
  seed: number,
  rate: number,
  isFormless: boolean,
  request: ChatRequest,
  truth: Truth | undefined,
): ChatReply | undefined {
  const words = wordsIn(request)
  const asked = propertiesOf(request.schema?.schema)
  const role = asked.find(one => ['verdict', 'sentences', 'facts', 'answer'].includes(one)) ?? 'plan'
  const nth = request.messages.filter(one => one.role === 'assistant').length
  const about = role === 'verdict' ? fenced(words, 'sentence') : [truth?.question, fenced(words, 'dropped')]
  const random = drawFor(seed, role, nth, request.seed ?? 0, ...about)
  if (random() >= rate) return undefined
  const form = random()
  if (isFormless && form < 0.5) return formless(random(), truth, random)
  return mistaken(role, request, words, truth, random)
}

function formless(which: number, truth: Truth | undefined, random: () => number): ChatReply {
  if (which < 0.25) return said('')
  if (which < 0.5) return said('{"sentences": [{"text": "It seems that')
  const guess = truth ? wrongOption(truth, random) : 'that it is so'
  return said(`Let me think. From what is there, I believe the answer is ${guess}.`)
}

function mistaken(
  role: string,
  request: ChatRequest,
  words: string,
  truth: Truth | undefined,
  random: () => number,
): ChatReply | undefined {
  if (role === 'verdict') {
    const verdicts = ['supported', 'contradicted', 'unseen']
    return json({ reason: 'it seems so', verdict: verdicts[Math.floor(random() * 3)] })
  }
  if (!truth) return undefined
  const rows = shownIn(request)
  const row = rows[Math.floor(random() * rows.length)]
  const wrong = wrongOption(truth, random)
  const choice = hasOptions(words, truth) ? { choice: Math.max(0, truth.options?.indexOf(wrong) ?? 0) } : {}
  if (role === 'sentences')
    return json({ sentences: [{ text: `It is ${wrong}.`, cites: row ? [row.id] : [] }], ...choice, confidence: 0.9 })
  if (role === 'plan' && request.tools && request.tools.length > 0)
    return hasty(request, words, truth, wrong, choice, row?.id)
  if (role === 'answer') return json({ reason: '', answer: Math.floor(random() * 3) })
  return undefined
}

// It answers, or says that it is ready, before it has seen what it needs.
function hasty(
  request: ChatRequest,
  words: string,
  truth: Truth,
  wrong: string,
  choice: object,
  id: string | undefined,
): ChatReply {
  if (!request.tools?.some(tool => tool.name === 'answer')) return said('READY')
  const [right] = planned(request, words, truth).calls
  if (right?.name !== 'answer') return said('')
  const text = `It is ${wrong}.`
  const claims = [{ text, cites: id === undefined ? [] : [id] }]
  return called([{ name: 'answer', arguments: { ...(right.arguments as object), text, claims, ...choice } }])
}

function wrongOption({ options = [], right }: Truth, random: () => number): string {
  const others = options.filter((_, at) => at !== right)
  return others[Math.floor(random() * others.length)] ?? 'something else'
}
