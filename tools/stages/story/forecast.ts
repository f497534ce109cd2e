import type { ForecastGiven, StageCost } from '../../../src/core/stage.ts'
import { need, shotList } from '../results.ts'
import { clipSeconds, cutStoryClips, type StoryClip, toldRows } from './clips.ts'
import { clipPacks, piecesAtOnce, roomOf } from './levels.ts'
import { overhead, replyTokens, sentencesAtMost } from './prompts.ts'
import { rowTokens } from './tokens.ts'

const tokensPerSecond = 20 // of rows that are not there yet: more than anybody says and shows
const sentenceTokens = 400 // of the longest that is kept, in any script, with its ids

// What the overview takes at most: exact in its clips once every row is there, and else as if everybody spoke all the time; each request
// asked twice, each part with as many sentences as it may have and all the thinking that the model has room for, and no more than its budget.
export async function storyCost(given: ForecastGiven): Promise<StageCost[]> {
  const { overviewTokens: maxTokens, overviewBudget: budget } = given.settings
  const room = roomOf(maxTokens)
  const { clips, requests, shown } = await clipsAhead(given, room)
  // Of two neighbouring requests the pieces are more than one holds, or as many as one takes.
  const above = (sentences: number) =>
    Math.min(
      clips,
      Math.ceil((clips * (sentences * sentenceTokens + 40)) / (room / 2)) + Math.ceil(clips / piecesAtOnce),
    )
  const scenes = above(sentencesAtMost.clip)
  const chapters = above(sentencesAtMost.scene)
  const first = above(sentencesAtMost.chapter)
  const whole = clips > 0 ? 2 * first + Math.ceil(Math.log2(first)) + 1 : 0 // each time half as many
  const calls = Math.min(2 * (requests + scenes + chapters + whole), budget.calls ?? Number.POSITIVE_INFINITY)
  const tokens = budget.tokens ?? Number.POSITIVE_INFINITY
  const inputTokens = Math.min(
    2 * (shown + requests * overhead + (scenes + chapters + whole) * maxTokens),
    calls * (maxTokens + overhead),
    tokens,
  )
  const { thinkingTokens: thinking = 0, price } = given
  const outputTokens = Math.min(
    2 * ((requests + scenes + chapters) * (replyTokens.clip + thinking) + whole * (replyTokens.whole + thinking)),
    calls * (replyTokens.clip + thinking),
    tokens,
  )
  const spent = price && (inputTokens * price.input + outputTokens * price.output) / 1e6
  const money = spent === undefined ? undefined : Math.min(spent, budget.money ?? spent)
  const cost = { calls, inputTokens, outputTokens, frames: 0, ...(money !== undefined && { money }) }
  return [{ density: 'written', isSet: given.settings.overview === 'written', isExact: false, ...cost }]
}

async function clipsAhead(
  given: ForecastGiven,
  room: number,
): Promise<{ clips: number; requests: number; shown: number }> {
  const decode = given.result('decode')
  if (decode && given.result('overview')) {
    const clips = cutStoryClips(await shotList(need(decode)), toldRows(await given.rows()), room)
    const shownTokens = clips.reduce(
      (sum, { rows }: StoryClip) => sum + rows.reduce((all, row) => all + rowTokens(row), 12),
      0,
    )
    return { clips: clips.length, requests: clipPacks(clips, room).length, shown: shownTokens }
  }
  const { duration } = given.video
  const wholeTokens = Math.ceil(duration * tokensPerSecond)
  const clips = Math.ceil((2 * duration) / clipSeconds) + 1 + Math.ceil((2 * wholeTokens) / room)
  return { clips, requests: clips, shown: wholeTokens }
}
