import { answerTokens, type Usage } from '../../../src/core/chat.ts'
import type { Evidence } from '../../../src/core/evidence.ts'
import { tokensOfSize } from '../../../src/media/picture-tokens.ts'
import type { CaptionClip } from './clips.ts'
import { countRequestCharacters, longestSide, mostCharacters } from './prompt.ts'

const charactersPerToken = 4
const replyTokens = 180 // of a caption, where none was counted yet: some 700 characters of JSON

// What the calls of a model took so far, against what was expected of them.
export interface MeasuredCost {
  inputFactor: number
  outputTokens: number // of a reply
  seconds: number // of a call, with those beside it
}

// What one call for this clip is expected to take of a model of that name.
export function expectCallCost(
  { span, stills }: CaptionClip,
  rows: readonly Evidence[],
  model: string,
  measured?: Pick<MeasuredCost, 'inputFactor' | 'outputTokens'>,
): Pick<Usage, 'calls' | 'inputTokens' | 'outputTokens' | 'frames'> {
  const words = Math.ceil(countRequestCharacters({ span, frames: stills, rows }) / charactersPerToken)
  const pictures = stills.reduce((sum, still) => sum + tokensOfSize(model, captionFrameSize(still)), 0)
  return {
    calls: 1,
    inputTokens: Math.round((words + pictures) * (measured?.inputFactor ?? 1)),
    outputTokens: Math.round(measured?.outputTokens ?? replyTokens),
    frames: stills.length,
  }
}

// The same before anything is transcribed: a full prompt, the longest reply and all thinking.
export function maxCallCost(clip: CaptionClip, model: string, thinkingTokens = 0): ReturnType<typeof expectCallCost> {
  const expected = expectCallCost(clip, [], model)
  const words = Math.ceil(mostCharacters / charactersPerToken)
  return { ...expected, inputTokens: expected.inputTokens + words, outputTokens: answerTokens.caption + thinkingTokens }
}

// The size of a frame as it is shown: no side longer than what captions need, never enlarged.
export function captionFrameSize({ width, height }: { width: number; height: number }): {
  width: number
  height: number
} {
  const scale = Math.min(1, longestSide / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
