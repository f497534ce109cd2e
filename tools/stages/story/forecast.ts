import type { ForecastGiven, StageCost } from '../../../src/core/stage.ts'
import { need, shotList } from '../results.ts'
import { type Clip, clipSeconds, clipsOf, toldRows } from './clips.ts'
import { clipPacks, roomOf } from './levels.ts'
import { overhead, replyTokens, sentencesAtMost } from './prompts.ts'
import { rowTokens } from './tokens.ts'

const tokensPerSecond = 20 // of rows that are not there yet: more than anybody says and shows
const sentenceTokens = 175 // of the longest that is kept, with its ids

// What the overview takes at most: exact in its clips once every row is there, and else as if everybody spoke all the time; each request
// asked twice, and each part with as many sentences as it may have.
export async function storyCost(given: ForecastGiven): Promise<StageCost[]> {
  const { overviewTokens: maxTokens } = given.settings
  const room = roomOf(maxTokens)
  const { clips, requests, shown } = await clipsAhead(given, room)
  const above = (sentences: number) =>
    clips > 0 ? Math.ceil((clips * (sentences * sentenceTokens + 40)) / (room / 2)) : 0
  const scenes = above(sentencesAtMost.clip)
  const chapters = above(sentencesAtMost.scene)
  const whole = clips > 0 ? 2 * above(sentencesAtMost.chapter) + 1 : 0
  const calls = 2 * (requests + scenes + chapters + whole)
  const inputTokens = 2 * (shown + requests * overhead + (scenes + chapters + whole) * maxTokens)
  const outputTokens = 2 * ((requests + scenes + chapters) * replyTokens.clip + whole * replyTokens.whole)
  const { price } = given
  const money = price && (inputTokens * price.input + outputTokens * price.output) / 1e6
  const cost = { calls, inputTokens, outputTokens, frames: 0, ...(money !== undefined && { money }) }
  return [{ density: 'written', isSet: given.settings.overview === 'written', isExact: false, ...cost }]
}

async function clipsAhead(
  given: ForecastGiven,
  room: number,
): Promise<{ clips: number; requests: number; shown: number }> {
  const decode = given.result('decode')
  if (decode && given.result('overview')) {
    const clips = clipsOf(await shotList(need(decode)), toldRows(await given.rows()), room)
    const shown = clips.reduce((sum, { rows }: Clip) => sum + rows.reduce((all, row) => all + rowTokens(row), 12), 0)
    return { clips: clips.length, requests: clipPacks(clips, room).length, shown }
  }
  const { duration } = given.video
  const shown = Math.ceil(duration * tokensPerSecond)
  const clips = Math.ceil((2 * duration) / clipSeconds) + 1 + Math.ceil((2 * shown) / room)
  return { clips, requests: clips, shown }
}
