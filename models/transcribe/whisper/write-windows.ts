import type { Tensor } from 'onnxruntime-node'
import { seededRandom } from '../../../src/core/basics/numbers.ts'
import type { Decoder, DecoderStep } from './decoder.ts'
import type { DecodedWindow, DecodeRequest } from './messages.ts'
import { applyTimestampRules } from './timestamp-rules.ts'

// Writes what is said in each window, token by token, the likeliest each time; above temperature zero at random.
export async function writeWindows(
  decoder: Decoder,
  hidden: Tensor,
  writing: DecodeRequest,
  isCancelled: () => boolean,
): Promise<DecodedWindow[]> {
  const { prompt, rules, maxTokens } = writing
  const draw = seededRandom(writing.seed)
  let step = await decoder.begin(hidden, prompt)
  const texts = Array.from({ length: hidden.dims[0]! }, (_, window) => ({
    tokens: [] as number[],
    probabilities: [] as number[],
    noSpeech: noSpeechProbability(step, window, writing),
    looks: [] as Float32Array[][],
    ended: false,
  }))
  for (;;) {
    const next = texts.map((text, window) => {
      if (text.ended) return rules.end
      text.looks.push(readAttention(step, window, writing.heads))
      const scores = step.logits.slice((window + 1) * step.width - step.vocabulary, (window + 1) * step.width)
      applyTimestampRules(scores, text.tokens, rules)
      const { token, share } = chosen(scores, writing.temperature, draw)
      if (token === rules.end) text.ended = true
      else {
        text.tokens.push(token)
        text.probabilities.push(share)
        text.ended = text.tokens.length >= maxTokens
      }
      return text.ended ? rules.end : token
    })
    if (texts.every(text => text.ended)) break
    if (isCancelled()) throw new Error('cancelled')
    step = await decoder.next(next)
  }
  return texts.map(({ tokens, probabilities, noSpeech, looks }) => ({
    tokens,
    probabilities,
    noSpeech,
    ...joinAttention(looks),
  }))
}

// The likeliest token and how likely it is among those that are allowed.
function chosen(scores: Float32Array, temperature: number, draw: () => number): { token: number; share: number } {
  const best = scores.reduce((max, score, token) => (score > scores[max]! ? token : max), 0)
  const sum = scores.reduce((total, score) => total + Math.exp(score - scores[best]!), 0)
  if (temperature === 0) return { token: best, share: 1 / sum }
  const weights = Float64Array.from(scores, score => Math.exp((score - scores[best]!) / temperature))
  let remainingWeight = draw() * weights.reduce((total, weight) => total + weight, 0)
  const drawn = weights.findIndex(weight => {
    remainingWeight -= weight
    return remainingWeight <= 0
  })
  const token = drawn < 0 ? best : drawn
  return { token, share: Math.exp(scores[token]! - scores[best]!) / sum }
}

// Read at the token of the prompt that starts the transcript, before any language is named.
export function noSpeechProbability(step: DecoderStep, window: number, { noSpeech, start }: DecodeRequest): number {
  if (noSpeech === undefined) return 0
  const from = window * step.width + start * step.vocabulary
  const scores = step.logits.subarray(from, from + step.vocabulary)
  const best = scores.reduce((max, score) => Math.max(max, score), -Infinity)
  const sum = scores.reduce((total, score) => total + Math.exp(score - best), 0)
  return Math.exp(scores[noSpeech]! - best) / sum
}

// The attention of the position that writes the next token, one row a head.
export function readAttention(step: DecoderStep, window: number, heads: DecodeRequest['heads']): Float32Array[] {
  return heads.flatMap(([layer, head]) => {
    const weights = step.attention.get(layer)
    if (!weights) return []
    const [, count = 0, positions = 0, frames = 0] = weights.dims
    const row = ((window * count + head) * positions + positions - 1) * frames
    return [weights.data.slice(row, row + frames)]
  })
}

export function joinAttention(looks: Float32Array[][]): Pick<DecodedWindow, 'attention'> {
  const heads = looks[0]?.length ?? 0
  if (heads === 0) return {}
  const frames = looks[0]![0]!.length
  const data = new Float32Array(heads * looks.length * frames)
  looks.forEach((rows, token) => {
    rows.forEach((row, head) => {
      data.set(row, (head * looks.length + token) * frames)
    })
  })
  return { attention: { data, dims: [heads, looks.length, frames] } }
}
