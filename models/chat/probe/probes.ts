import {
  answerTokens,
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
  type ContentPart,
  type Modality,
  type Purpose,
  textContent,
} from '../../../src/core/chat.ts'
import type { RoleCheck } from '../../../src/core/runtime.ts'
import { wavBytes } from '../../../src/media/audio.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import type { ServerChatModel } from '../adapter/chat-over-transport.ts'

export type ProbeResult = Pick<RoleCheck, 'state' | 'detail' | 'mend'>

type Probe = (model: ChatModel, signal: AbortSignal) => Promise<ProbeResult>

// In this order: a model that does not answer is not probed further.
export const probes: Record<RoleCheck['what'], Probe> = {
  async answers(model, signal) {
    const reply = await model.reply(probeRequest('probe', answerTokens.write, 'Reply with the one word: ready'), signal)
    return /ready/i.test(reply.text)
      ? yes(`answers (${reply.model || model.id})`)
      : partly(
          `answers, but not what it was asked: ${quoted(reply.text)}`,
          'Use a model that follows instructions ("instruct", "chat").',
        )
  },

  async tools(model, signal) {
    const request = probeRequest(
      'plan',
      answerTokens.plan,
      'Use the tool "mark" with the number 7, then tell me the colour that it gives back.',
    )
    const { calls, text: said } = await model.reply({ ...request, tools: [mark] }, signal)
    const call = calls.find(found => found.name === 'mark')
    const fix = toolFix(model.id)
    if (!call) return no(`calls no tool; it said: ${quoted(said)}`, fix)
    if (Number((call.arguments as { number?: unknown } | undefined)?.number) !== 7)
      return partly(`calls a tool with wrong arguments: ${JSON.stringify(call.arguments)}`, largerPlanner)
    const messages: ChatMessage[] = [
      ...request.messages,
      { role: 'assistant', content: [], calls: [call] },
      { role: 'tool', call: call.id, name: 'mark', content: textContent('colour: green') },
    ]
    const after = await model.reply({ ...request, messages, tools: [mark] }, signal)
    if (!/green/i.test(after.text))
      return partly(`calls tools, but does not read their results: ${quoted(after.text)}`, largerPlanner)
    const via = 'toolsVia' in model ? (model as ServerChatModel).toolsVia() : undefined
    if (via === 'text') return partly('writes its calls into the text, where they are read', fix)
    if (via === 'schema') return partly('calls tools by JSON of a schema', fix)
    return yes('calls tools and reads their results')
  },

  async schema(model, signal) {
    const request = probeRequest(
      'check',
      answerTokens.claim,
      'There are three green apples on the table. Reply with JSON: {"colour", "count"}.',
    )
    const { text: said } = await model.reply({ ...request, schema: apples }, signal)
    if (said === '{"colour":"green","count":3}') return yes('holds a JSON schema')
    return partly(`holds the schema, but not the facts: ${quoted(said)}`, 'Use a larger model.')
  },

  async images(model, signal) {
    if (!model.accepts.has('image')) return notAccepted(model, 'image')
    const jpeg = await encodeJpeg(red)
    const { text: said } = await model.reply(
      probeRequest('look', answerTokens.look, 'Which colour fills this picture? One word.', [{ type: 'image', jpeg }]),
      signal,
    )
    if (!/\bred\b/i.test(said))
      return no(
        `takes a picture but does not see it: a red one is ${quoted(said)}`,
        'Use a vision model (llama.cpp: --mmproj FILE).',
      )
    const { count, failed } = await maxPictures(model, jpeg, signal)
    return yes(
      failed
        ? `sees; takes ${count} pictures at once, not ${failed}`
        : `sees; takes at least ${count} pictures at once`,
    )
  },

  async audio(model, signal) {
    if (!model.accepts.has('audio')) return notAccepted(model, 'audio')
    const sound = { type: 'audio' as const, wav: wavBytes(tone) }
    const { text: said } = await model.reply(
      probeRequest('look', undefined, 'Is this speech, a tone or silence? One word.', [sound]),
      signal,
    )
    if (/tone|beep|sine|hum|buzz|whistle/i.test(said)) return yes('hears')
    return no(`takes sound but does not hear it: a tone is ${quoted(said)}`, 'Use an audio model.')
  },
}

const largerPlanner = 'Use a larger model to plan.'
const yes = (detail: string): ProbeResult => ({ state: 'yes', detail })
const partly = (detail: string, mend: string): ProbeResult => ({ state: 'partly', detail, mend })
const no = (detail: string, mend: string): ProbeResult => ({ state: 'no', detail, mend })

// As the step with this purpose asks: a model that thinks may use up the room of one and not of another.
export function probeRequest(
  purpose: Purpose,
  maxTokens: number | undefined,
  words: string,
  media: ContentPart[] = [],
): ChatRequest {
  return {
    purpose,
    messages: [{ role: 'user', content: [...media, ...textContent(words)] }],
    temperature: 0,
    maxTokens,
  }
}

// How many pictures one request may hold, up to what the agent shows in one look.
async function maxPictures(
  model: ChatModel,
  jpeg: Uint8Array,
  signal: AbortSignal,
): Promise<{ count: number; failed?: number }> {
  let count = 1
  for (const tried of [4, 16, 32]) {
    const pictures = Array.from({ length: tried }, () => ({ type: 'image' as const, jpeg }))
    try {
      await model.reply(
        probeRequest('look', answerTokens.look, 'Which colour fills these pictures? One word.', pictures),
        signal,
      )
    } catch (error) {
      if (signal.aborted) throw error
      return { count, failed: tried }
    }
    count = tried
  }
  return { count }
}

function notAccepted(model: ChatModel, modality: Modality): ProbeResult {
  const detail = `is not given ${modality === 'image' ? 'pictures' : 'sound'}: it takes ${[...model.accepts].join(' and ')}`
  const mend = model.id.startsWith('chat/ollama/')
    ? `Use a model that "ollama show" lists with ${modality === 'image' ? 'vision' : 'audio'}.`
    : `If the model takes it, add "${modality}" to the setting "accepts".`
  return { state: 'not tried', detail, mend }
}

// How to enable native tool calling, judging by the name of the model.
function toolFix(id: string): string {
  if (id.startsWith('chat/ollama/')) return 'Use a model that "ollama show" lists with tools.'
  if (!id.startsWith('chat/openai/')) return 'Use a model that calls tools, or set toolMode to "schema".'
  const parser = parsers.find(([pattern]) => pattern.test(id))?.[1] ?? 'hermes'
  return `Start vLLM with --enable-auto-tool-choice --tool-call-parser ${parser} (llama-server: --jinja), or set toolMode to "schema".`
}

// vLLM's tool call parsers by model family, specific patterns first.
const parsers: [RegExp, string][] = [
  [/qwen-?3.*coder/i, 'qwen3_coder'],
  [/llama-?4/i, 'llama4_pythonic'],
  [/llama-?3/i, 'llama3_json'],
  [/mistral|ministral|devstral|magistral/i, 'mistral'],
  [/deepseek-v3\.1/i, 'deepseek_v31'],
  [/deepseek/i, 'deepseek_v3'],
  [/granite/i, 'granite'],
  [/gpt-oss/i, 'openai'],
  [/glm-?4/i, 'glm45'],
  [/kimi/i, 'kimi_k2'],
  [/phi-?4-mini/i, 'phi4_mini_json'],
]

function quoted(words: string): string {
  return `"${words.replace(/\s+/g, ' ').slice(0, 80)}"`
}

export const mark = {
  name: 'mark',
  description: 'Marks a number and gives back its colour.',
  parameters: {
    type: 'object',
    properties: { number: { type: 'number' } },
    required: ['number'],
    additionalProperties: false,
  },
}

const apples = {
  name: 'apples',
  schema: {
    type: 'object',
    properties: { colour: { type: 'string', enum: ['red', 'green'] }, count: { type: 'integer' } },
    required: ['colour', 'count'],
    additionalProperties: false,
  },
}

const side = 96
export const red = {
  time: 0,
  width: side,
  height: side,
  rgb: Uint8Array.from({ length: side * side * 3 }, (_, i) => (i % 3 === 0 ? 230 : 10)),
}

const tone = Float32Array.from({ length: 24_000 }, (_, i) => 0.4 * Math.sin((2 * Math.PI * 440 * i) / 16_000))
