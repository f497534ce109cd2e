import { addUsage, emptyUsage, type Usage } from '../../../src/core/chat.ts'
import type { ForecastGiven, StageCost } from '../../../src/core/stage.ts'
import { openStills, shotList, stillList } from '../results.ts'
import { budgetOfCaptions, openBudget } from './budget.ts'
import { byNovelty } from './by-novelty.ts'
import { type CaptionClip, cutCaptionClips } from './clips.ts'
import { expectCallCost, type MeasuredCost, maxCallCost } from './expected.ts'
import { wordsMeanwhile } from './words-meanwhile.ts'

const mostCuts = 1 // a second: what a bound for shots goes by, before the video is decoded

type Counted = Omit<StageCost, 'density' | 'isSet'>

export async function countedCost(given: ForecastGiven, measured: MeasuredCost | undefined): Promise<Counted> {
  const { clips, isExact, order } = await clipsToAsk(given)
  const words = wordsMeanwhile(await given.rows())
  const budgeter = openBudget(budgetOfCaptions(given.settings), given.price)
  let usage: Usage = emptyUsage
  for (const clip of budgeter.isBound ? await order(clips) : clips) {
    const expected = isExact
      ? expectCallCost(clip, words(clip), given.model, measured)
      : maxCallCost(clip, given.model, given.thinkingTokens)
    if (budgeter.reserve(expected)) usage = addUsage(usage, expected)
  }
  const { calls, inputTokens, outputTokens, frames } = usage
  return {
    isExact,
    calls,
    inputTokens,
    outputTokens,
    frames,
    ...(measured && { seconds: calls * measured.seconds }),
    ...(given.price && { money: (inputTokens * given.price.input + outputTokens * given.price.output) / 1e6 }),
  }
}

interface ClipsToAsk {
  clips: CaptionClip[]
  isExact: boolean
  order(clips: CaptionClip[]): Promise<CaptionClip[]>
}

async function clipsToAsk({ video, settings, result, signal }: ForecastGiven): Promise<ClipsToAsk> {
  const decode = result('decode')
  if (!video.picture) return { clips: [], isExact: true, order: async clips => clips }
  if (!decode)
    return { clips: mostClips(video.duration, settings, video.picture), isExact: false, order: async all => all }
  return {
    clips: cutCaptionClips(await shotList(decode), await stillList(decode), settings.captions),
    isExact: true,
    async order(clips) {
      const file = await openStills(decode.path('stills.bin'))
      return byNovelty(clips, file, signal).finally(() => file.close())
    },
  }
}

// As many clips as there can be, each with as many frames as it can have.
function mostClips(
  duration: number,
  { captions, stillsPerSecond, stillWidth }: ForecastGiven['settings'],
  picture: { width: number; height: number },
): CaptionClip[] {
  const length = captions.mode === 'shots' ? Math.min(captions.seconds, 1 / mostCuts) : captions.seconds
  const width = Math.min(picture.width, stillWidth)
  const height = Math.round((picture.height * width) / picture.width)
  const frames = Math.max(1, Math.min(captions.frames, Math.ceil(length * stillsPerSecond)))
  return Array.from({ length: Math.ceil(duration / length) }, (_, at) => ({
    span: { start: at * length, end: Math.min(duration, (at + 1) * length) },
    stills: Array.from({ length: frames }, (_, nth) => ({
      time: at * length,
      shot: 0,
      reason: 'change' as const,
      width,
      height,
      offset: nth,
      length: 0,
    })),
  }))
}
