import type { SaidToken } from './messages.ts'

// The prediction and joint networks of a transducer.
export interface Joint {
  // Scores of all tokens, the blank last, and then of each duration, at a frame and after a token.
  scores(frame: number, after: number): Promise<Float32Array>
  // The token of these scores was taken: go on from it.
  take(): void
}

const maxInFrame = 10 // tokens that may begin in one frame, as NeMo has it

// Greedy decoding of a token-and-duration transducer: each step gives the likeliest token and how many frames to go on.
export async function writeTokens(
  frames: number,
  blank: number,
  joint: Joint,
  isCancelled: () => boolean = () => false,
): Promise<SaidToken[]> {
  const saidTokens: SaidToken[] = []
  let inFrame = 0
  for (let frame = 0; frame < frames; ) {
    if (isCancelled()) throw new Error('cancelled')
    const scores = await joint.scores(frame, saidTokens.at(-1)?.token ?? blank)
    const tokens = scores.subarray(0, blank + 1)
    const token = likeliest(tokens)
    const lasts = likeliest(scores.subarray(blank + 1))
    if (token !== blank) {
      joint.take()
      saidTokens.push({ token, frame, frames: lasts, share: tokenShare(tokens, token) })
      inFrame++
    }
    const stuck = lasts === 0 && (token === blank || inFrame === maxInFrame)
    if (lasts > 0 || stuck) inFrame = 0
    frame += stuck ? 1 : lasts
  }
  return saidTokens
}

function likeliest(scores: Float32Array): number {
  return scores.reduce((best, score, i) => (score > scores[best]! ? i : best), 0)
}

function tokenShare(scores: Float32Array, token: number): number {
  return 1 / scores.reduce((sum, score) => sum + Math.exp(score - scores[token]!), 0)
}
