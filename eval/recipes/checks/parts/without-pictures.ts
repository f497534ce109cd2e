import { groupBy } from '../../../../src/core/basics/group-by.ts'
import { type ChatModel, textContent } from '../../../../src/core/chat.ts'
import { contentHash } from '../../../../src/core/json.ts'
import { dataRule, fence } from '../../../../src/core/words/fence.ts'
import { letterAt, optionLines } from '../../../metrics/choice/options.ts'
import { readReplyChoice } from '../../../metrics/choice/read-choice.ts'
import type { CheckGiven, DraftItem, ItemCheck, SourceRecord } from '../../item.ts'
import { askForText } from './ask.ts'
import { isJudgedRight } from './judged-right.ts'
import { arrangeOptions, type OrderedOptions, ordersFor } from './orders.ts'
import { type ChoiceItem, isChoice } from './solvers.ts'
import { checkVerdict, type ItemFault } from './verdicts.ts'
import { isYesNo } from './words.ts'

interface Kind {
  k: number
  name: string
  given: string // "You get no picture and no sound of the video."
  material(record: SourceRecord): string | undefined // undefined: there is none, and nothing is asked
}

const openTries = 2

// K8, K10 and K11: what can be answered without seeing the video is dropped. A choice is dropped where every model is right in every
// order, an open question where every model is judged right in both tries.
export function withoutPictures(kind: Kind): ItemCheck {
  return {
    k: kind.k,
    name: kind.name,
    role: 'blind',
    calls: (items, given) => askable(items, kind, given).reduce((sum, item) => sum + requestsFor(item, given), 0),
    judged: (items, given) =>
      askable(items, kind, given)
        .filter(item => !isChoice(item) && !isYesNo(item.answer))
        .reduce((sum, item) => sum + requestsFor(item, given), 0),
    async run(items, given) {
      const askableItems = new Set(askable(items, kind, given))
      const results = new Map<string, AskedItem>()
      for (const item of askableItems) results.set(item.id, await ask(item, kind, given))
      const all = phrasings(items)
      return items.map(item => {
        const itemResults = results.get(item.id)
        const twins = all.get(nameGroup(item)) ?? [item]
        const isFound = itemResults !== undefined && twins.every(twin => results.get(twin.id)?.isRight)
        return {
          ...checkVerdict(item, isFound ? describeFault(itemResults) : undefined),
          ...(itemResults && { replies: itemResults.replies, right: itemResults.right }),
        }
      })
    },
    warnings(items, given) {
      const open = items.filter(item => !isChoice(item) && !isYesNo(item.answer)).length
      const isDeaf = open > 0 && given.models('blind').length > 0 && given.models('judge').length === 0
      return isDeaf ? [`${open} open questions were not asked ${kind.name}: make.judge is off.`] : []
    },
  }
}

interface AskedItem {
  isRight: boolean // by all models, in all orders or tries
  right: number // share of the requests
  replies: (string | null)[]
  models: number
}

function describeFault({ models, replies }: AskedItem): ItemFault {
  return { detail: `right in all of ${replies.length} requests to ${models} ${models === 1 ? 'model' : 'models'}` }
}

function askable(items: readonly DraftItem[], { material }: Kind, { models, record }: CheckGiven): DraftItem[] {
  if (models('blind').length === 0) return []
  const isJudged = models('judge').length > 0
  return items.filter(
    item => (isChoice(item) || isJudged || isYesNo(item.answer)) && material(record(item.video)) !== undefined,
  )
}

function requestsFor(item: DraftItem, { models, thresholds }: CheckGiven): number {
  return models('blind').length * rounds(item, models('blind').length, thresholds.k)
}

// The four phrasings of a yes/no question are its orders: each is asked once, and all of them go or none.
function rounds(item: DraftItem, models: number, k?: number): number {
  if (isYesNo(item.answer) && item.extra.phrasings !== undefined) return 1
  if (!isChoice(item)) return openTries
  return k ?? ordersFor(item.options.length, models)
}

function phrasings(items: readonly DraftItem[]): Map<string, DraftItem[]> {
  return groupBy(items, nameGroup)
}

function nameGroup({ id, video, answer, extra }: DraftItem): string {
  return isYesNo(answer) && extra.phrasings !== undefined
    ? `phrasings ${video} ${String(extra.phrasings)}`
    : `item ${id}`
}

async function ask(item: DraftItem, kind: Kind, given: CheckGiven): Promise<AskedItem> {
  const models = given.models('blind')
  const replies: (string | null)[] = []
  let right = 0
  for (const model of models)
    for (let round = 0; round < rounds(item, models.length, given.thresholds.k); round++) {
      const reply = isChoice(item)
        ? await choose(item, arrangeOptions(item, round, given.seed), round, model, kind, given)
        : await answer(item, round, model, kind, given)
      replies.push(reply.said)
      right += Number(reply.isRight)
    }
  return { isRight: right === replies.length, right: right / replies.length, replies, models: models.length }
}

interface Reply {
  said: string | null
  isRight: boolean
}

async function choose(
  item: ChoiceItem,
  shown: OrderedOptions,
  round: number,
  model: ChatModel,
  kind: Kind,
  given: CheckGiven,
): Promise<Reply> {
  const question = `${item.question}\n${optionLines(shown.options)}`
  const choiceReply = await send(
    item,
    question,
    'Reply with only the letter of the most likely option.',
    round,
    model,
    kind,
    given,
  )
  const { letter } = readReplyChoice(choiceReply, { count: shown.options.length, texts: shown.options })
  return { said: choiceReply, isRight: letter === letterAt(shown.right) }
}

async function answer(item: DraftItem, round: number, model: ChatModel, kind: Kind, given: CheckGiven): Promise<Reply> {
  const openReply = await send(
    item,
    item.question,
    'Give the most likely answer in one sentence at most.',
    round,
    model,
    kind,
    given,
  )
  if (openReply === null) return { said: openReply, isRight: false }
  if (isYesNo(item.answer))
    return { said: openReply, isRight: openReply.trim().toLowerCase().startsWith(item.answer.trim().toLowerCase()) }
  return { said: openReply, isRight: await isJudgedRight(item, openReply, given) }
}

// Nothing of where the item comes from goes along: no video, no file, no type, no clue.
async function send(
  item: DraftItem,
  question: string,
  form: string,
  round: number,
  model: ChatModel,
  { given: said, material }: Kind,
  { seed, record, signal }: CheckGiven,
): Promise<string | null> {
  const source = material(record(item.video))
  const fencedParts = source ? [`${said} Use nothing else. ${dataRule}`, fence('video', source)] : [said]
  const content = textContent([...fencedParts, `Question: ${question}`, form].join('\n\n'))
  const drawn = Number.parseInt(contentHash([seed, item.id, round]).slice(0, 7), 16)
  return askForText(
    model,
    { purpose: 'write', messages: [{ role: 'user', content }], temperature: 0, maxTokens: 256, seed: drawn },
    signal,
  )
}
