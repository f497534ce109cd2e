import type { Tensor } from 'onnxruntime-node'
import type { Decoder } from './decoder.ts'
import type { DecodedWindow, DecodeRequest } from './messages.ts'
import { applyTimestampRules } from './timestamp-rules.ts'
import { joinAttention, noSpeechProbability, readAttention } from './write-windows.ts'

interface Beam {
  tokens: number[]
  probabilities: number[]
  looks: Float32Array[][]
  score: number // sum of the logarithms of its probabilities
}

// Writes what is said in one window: of `beams` texts that grow side by side, the likeliest by token.
export async function searchBeams(
  decoder: Decoder,
  hidden: Tensor,
  writing: DecodeRequest,
  beams: number,
  isCancelled: () => boolean,
): Promise<DecodedWindow> {
  const { prompt, rules, maxTokens, heads } = writing
  let step = await decoder.begin(hidden, prompt)
  const noSpeech = noSpeechProbability(step, 0, writing)
  const ended: Beam[] = []
  let open: Beam[] = [{ tokens: [], probabilities: [], looks: [], score: 0 }]
  while (open.length > 0 && ended.length < beams && open[0]!.tokens.length < maxTokens) {
    if (isCancelled()) throw new Error('cancelled')
    const candidates = open.flatMap((beam, row) => {
      const scores = step.logits.slice((row + 1) * step.width - step.vocabulary, (row + 1) * step.width)
      applyTimestampRules(scores, beam.tokens, rules)
      const look = readAttention(step, row, heads)
      return likeliest(scores, beams + 1).map(next => ({ ...next, beam, row, look }))
    })
    const next: { row: number; beam: Beam }[] = []
    for (const { token, share, beam, row, look } of candidates.sort((a, b) => total(b) - total(a))) {
      const longer = { looks: [...beam.looks, look], score: total({ beam, share }) }
      if (token === rules.end) ended.push({ ...beam, ...longer })
      else {
        const grown = { tokens: [...beam.tokens, token], probabilities: [...beam.probabilities, share] }
        next.push({ row, beam: { ...grown, ...longer } })
      }
      if (next.length === beams) break
    }
    open = next.map(({ beam }) => beam)
    if (open.length === 0 || ended.length >= beams) break
    await decoder.select(next.map(({ row }) => row))
    step = await decoder.next(open.map(({ tokens }) => tokens.at(-1)!))
  }
  // Texts that were cut off count where fewer than wanted have ended.
  const hypotheses = ended.length < beams ? [...ended, ...open] : ended
  const [best] = hypotheses.sort((a, b) => perToken(b) - perToken(a))
  const { tokens, probabilities, looks } = best!
  return { tokens, probabilities, noSpeech, ...joinAttention(looks) }
}

function total({ beam, share }: { beam: Beam; share: number }): number {
  return beam.score + Math.log(share)
}

function perToken({ score, tokens }: Beam): number {
  return score / (tokens.length + 1)
}

// The likeliest tokens, surest first, and how likely each is among those that are allowed.
function likeliest(scores: Float32Array, count: number): { token: number; share: number }[] {
  const top: number[] = []
  for (let token = 0; token < scores.length; token++) {
    const score = scores[token]!
    if (score === -Infinity || (top.length === count && score <= scores[top[count - 1]!]!)) continue
    const rank = top.findIndex(other => score > scores[other]!)
    top.splice(rank < 0 ? top.length : rank, 0, token)
    top.length = Math.min(top.length, count)
  }
  const best = scores[top[0]!]!
  const sum = scores.reduce((total, score) => total + Math.exp(score - best), 0)
  return top.map(token => ({ token, share: Math.exp(scores[token]! - best) / sum }))
}
