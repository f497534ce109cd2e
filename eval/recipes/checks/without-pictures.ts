import { groupBy } from '../../../src/core/basics/group-by.ts'
import { textContent } from '../../../src/core/chat.ts'
import { contentHash } from '../../../src/core/json.ts'
import { dataRule, fence } from '../../../src/core/words/fence.ts'
import { letterAt, optionLines } from '../../metrics/choice/options.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import type { CheckGiven, DraftItem, ItemCheck, SourceRecord } from '../item.ts'
import { askForText } from './parts/ask.ts'
import { isJudgedRight } from './parts/judged-right.ts'
import { arrangeOptions, ordersFor } from './parts/orders.ts'
import { type ChoiceItem, isChoice } from './parts/solvers.ts'
import { checkVerdict } from './parts/verdicts.ts'
import { isYesNo } from './parts/words.ts'

// K8. Only question and options.
export const blind = withoutPictures({
  k: 8,
  name: 'blind',
  intro: 'Here is a question about a video. You get no picture and no sound of it.',
  material: () => '',
})

// K10. Only what is said in the video.
export const subtitles = withoutPictures({
  k: 10,
  name: 'subtitles only',
  intro: 'Here is what is said in a video, and a question about it. You get no picture of it.',
  material: ({ rows }) => rows.flatMap(({ track, text }) => (track === 'speech' ? [text] : [])).join('\n') || undefined,
})

// K11. Only title, genre and year; an episode is part of its title.
export const metadata = withoutPictures({
  k: 11,
  name: 'metadata only',
  intro: 'Here is what is known of a video, and a question about it. You get no picture and no sound of it.',
  material({ meta: { title, genre, year } }) {
    const knownFields = Object.entries({ title, genre, year }).filter(([, value]) => value !== undefined)
    return knownFields.map(([name, value]) => `${name}: ${value}`).join('\n') || undefined
  },
})

interface Kind {
  k: number
  name: string
  intro: string // of the prompt
  material(record: SourceRecord): string | undefined // undefined: there is none, and nothing is asked
}

// What can be answered without seeing the video is dropped: a choice if every model is right in every order, an open question if every
// model is judged right in both tries.
function withoutPictures({ k, name, intro, material }: Kind): ItemCheck {
  const askable = (items: readonly DraftItem[], { models, record }: CheckGiven) =>
    items.filter(item => {
      const canBeGraded = !isOpen(item) || models('judge').length > 0
      return models('blind').length > 0 && canBeGraded && material(record(item.video)) !== undefined
    })
  return {
    k,
    name,
    role: 'blind',
    calls: (items, given) => countRequests(askable(items, given), given),
    judged: (items, given) => countRequests(askable(items, given).filter(isOpen), given),
    async run(items, given) {
      const results = new Map<string, AskedItem>()
      for (const item of askable(items, given)) {
        const source = material(given.record(item.video))
        const before = source ? [`${intro} Use nothing else. ${dataRule}`, fence('video', source)] : [intro]
        results.set(item.id, await ask(item, before, given))
      }
      const groups = groupBy(items, nameGroup)
      return items.map(item => {
        const result = results.get(item.id)
        const isFound = groups.get(nameGroup(item))?.every(({ id }) => results.get(id)?.right === 1)
        return { ...checkVerdict(item, isFound ? describeFault(result?.replies ?? [], given) : undefined), ...result }
      })
    },
    warnings(items, given) {
      const open = items.filter(isOpen).length
      const isDeaf = open > 0 && given.models('blind').length > 0 && given.models('judge').length === 0
      return isDeaf ? [`${open} open questions were not asked ${name}: make.judge is off.`] : []
    },
  }
}

interface AskedItem {
  replies: (string | null)[] // of all models, in all orders or tries
  right: number // share of these
}

function describeFault({ length }: readonly unknown[], given: CheckGiven): string {
  const models = given.models('blind').length
  return `right in all of ${length} requests to ${models} ${models === 1 ? 'model' : 'models'}`
}

function isOpen(item: DraftItem): boolean {
  return !isChoice(item) && !isYesNo(item.answer)
}

function countRequests(items: readonly DraftItem[], given: CheckGiven): number {
  return given.models('blind').length * items.reduce((sum, item) => sum + countRounds(item, given), 0)
}

// The four phrasings of a yes/no question are its orders: each is asked once, and all of them go or none.
function countRounds(item: DraftItem, { models, thresholds: { k } }: CheckGiven): number {
  if (isPhrasing(item)) return 1
  return isChoice(item) ? (k ?? ordersFor(item.options.length, models('blind').length)) : 2
}

function isPhrasing({ answer, extra }: DraftItem): boolean {
  return isYesNo(answer) && extra.phrasings !== undefined
}

function nameGroup(item: DraftItem): string {
  return isPhrasing(item) ? `phrasings ${item.video} ${String(item.extra.phrasings)}` : `item ${item.id}`
}

// Nothing of where the item comes from goes along: no video, no file, no type, no clue.
async function ask(item: DraftItem, before: readonly string[], given: CheckGiven): Promise<AskedItem> {
  const { models, seed, signal } = given
  const replies: (string | null)[] = []
  let right = 0
  for (const model of models('blind'))
    for (let round = 0; round < countRounds(item, given); round++) {
      const { prompt, isRight } = isChoice(item) ? askChoice(item, round, seed) : askOpen(item, given)
      const reply = await askForText(
        model,
        {
          purpose: 'write',
          messages: [{ role: 'user', content: textContent([...before, ...prompt].join('\n\n')) }],
          temperature: 0,
          maxTokens: 256,
          seed: Number.parseInt(contentHash([seed, item.id, round]).slice(0, 7), 16),
        },
        signal,
      )
      replies.push(reply)
      if (reply !== null && (await isRight(reply))) right++
    }
  return { replies, right: right / replies.length }
}

interface BlindRequest {
  prompt: string[]
  isRight(reply: string): boolean | Promise<boolean>
}

function askChoice(item: ChoiceItem, round: number, seed: number): BlindRequest {
  const { options, right } = arrangeOptions(item, round, seed)
  return {
    prompt: [
      `Question: ${item.question}\n${optionLines(options)}`,
      'Reply with only the letter of the most likely option.',
    ],
    isRight: reply => readReplyChoice(reply, { count: options.length, texts: options }).letter === letterAt(right),
  }
}

function askOpen(item: DraftItem, given: CheckGiven): BlindRequest {
  const answer = item.answer.trim().toLowerCase()
  return {
    prompt: [`Question: ${item.question}`, 'Give the most likely answer in one sentence at most.'],
    isRight: reply =>
      isYesNo(answer) ? reply.trim().toLowerCase().startsWith(answer) : isJudgedRight(item, reply, given),
  }
}
