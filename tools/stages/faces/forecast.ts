import { readdir } from 'node:fs/promises'
import { z } from 'zod'
import { answerTokens } from '../../../src/core/chat.ts'
import { absentAs, forbidden } from '../../../src/core/errors.ts'
import type { ForecastGiven, StageCost } from '../../../src/core/stage.ts'
import { fittingSize } from '../../../src/media/ffmpeg/filters.ts'
import { tokensOfSize } from '../../../src/media/picture-tokens.ts'
import { stillList } from '../results.ts'
import { worthSeeing } from './worth-seeing.ts'

// Of a backend that asks a chat model of its own; one that does not costs nothing.
const Asking = z.object({
  chat: z.object({ backend: z.string(), model: z.string().optional() }),
  people: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  longestSide: z.number(),
})

const words = 160 // tokens of the prompt and its schema
const perPerson = 12 // of the words beside the picture of a known person
const reply = 60 // of two or three faces with their places
const knownPersonSize = { width: 384, height: 384 } // as pictures of known people are shown

// Calls and frames are exact once the stills are there, and else a bound: a look a second, as shots are no shorter than that.
export async function facesCost(given: ForecastGiven): Promise<StageCost[]> {
  const { video, settings, price, result, backend } = given
  const asking = Asking.safeParse(backend).data
  if (!asking || !video.picture) return []
  const decode = result('decode')
  const isExact = decode !== undefined
  const calls = decode ? (await stillList(decode)).filter(worthSeeing()).length : Math.ceil(video.duration) + 1
  const model = `${asking.chat.backend} ${asking.chat.model ?? ''}`
  const still = fittingSize(video.picture, settings.stillWidth)
  const scale = Math.min(1, asking.longestSide / Math.max(still.width, still.height))
  const size = { width: Math.round(still.width * scale), height: Math.round(still.height * scale) }
  const pictureTokens =
    tokensOfSize(model, size) + (await peopleIn(asking.people)) * (tokensOfSize(model, knownPersonSize) + perPerson)
  const inputTokens = calls * (words + pictureTokens)
  const outputTokens = calls * (isExact ? reply : answerTokens.look)
  const money = price && (inputTokens * price.input + outputTokens * price.output) / 1e6
  const cost = { calls, inputTokens, outputTokens, frames: calls, ...(money !== undefined && { money }) }
  return [{ density: 'a look a shot', isSet: settings.faces, isExact, ...cost }]
}

async function peopleIn(people: z.infer<typeof Asking>['people'] = {}): Promise<number> {
  if (typeof people !== 'string') return Object.keys(people).length
  return (await readdir(people).catch(absentAs([], ...forbidden))).length
}
