import { z } from 'zod'
import { drawFor } from '../../../src/core/basics/draws.ts'
import { fence } from '../../../src/core/words/fence.ts'
import { shuffle } from '../../data/deck.ts'
import type { CheckGiven, DraftItem, ItemCheck, RecipeRules } from '../item.ts'
import { askJson } from './parts/ask.ts'
import { type ItemCriterion, isHigh, itemCriteria } from './parts/criteria.ts'
import { byId, eachItem, withOutcome } from './parts/verdicts.ts'
import { contentStems, normaliseText, numberWords, shareIn, wordCount } from './parts/words.ts'

const Met = z.object({ met: z.array(z.boolean()) })
const vague = /\b(?:demonstrat\w*|appropriate\w*|interesting\w*)\b/i
// "... and explains why": a second thing to look for, with a verb of its own.
const secondClause =
  /(?:,|;|\band|\bbut|\bor|\bwhile)\s+(?:also\s+|must\s+|then\s+)*(?:that\s+|why\s+|how\s+)?(?:(?:the|a|an|he|she|it|they)\s+(?:\w+\s+){0,2})?(?:is|are|was|were|has|have|had|does|did|says?|said|shows?|mentions?|names?|states?|explains?|describes?|gives?|tells?|told|notes?|identifies|includes?|adds?|lists?)\b/i

// K15. A rubric that a judge can apply: facts that the reference meets and that references to other questions do not.
export const rubric: ItemCheck = {
  k: 15,
  name: 'rubric',
  optionalRole: 'judge',
  calls(items, given) {
    const judged = items.filter(item => itemCriteria(item) && !wrongForm(item, given.rules))
    return judged.reduce((sum, item) => sum + 1 + pickOtherItems(item, items, given).length, 0)
  },
  run: (items, given) =>
    eachItem(items, async item => {
      if (itemCriteria(item) === undefined) return undefined
      return withOutcome('again', wrongForm(item, given.rules) ?? (await wrongFact(item, items, given)))
    }),
}

function wrongForm(item: DraftItem, rules: RecipeRules = {}): string | undefined {
  const criteria = itemCriteria(item)
  if (!criteria || criteria.length < 1 || criteria.length > 5)
    return `it has ${criteria?.length ?? 'unreadable'} criteria, 1 to 5 are asked for`
  if (new Set(criteria.map(({ name }) => name)).size < criteria.length) return 'two criteria have the same name'
  if (!criteria.some(isHigh)) return 'no criterion is of high priority'
  for (const criterion of criteria) {
    const wrong = criterion.is_penalty ? wrongPenalty(criterion, rules) : wrongCriterion(criterion, rules)
    if (wrong !== undefined) return `criterion "${criterion.name}": ${wrong}`
  }
}

function wrongPenalty({ name, description }: ItemCriterion, { penalties }: RecipeRules): string | undefined {
  if (!penalties) return undefined
  if (!Object.hasOwn(penalties, name)) return 'no penalty has this name'
  return penalties[name] === description ? undefined : 'its sentence is not the fixed one'
}

function wrongCriterion({ name, description }: ItemCriterion, { criteria }: RecipeRules): string | undefined {
  if (criteria && !criteria.includes(name)) return 'no criterion has this name'
  const count = wordCount(description)
  if (count === 0 || count > 25) return `it has ${count} words, 1 to 25 are asked for`
  const numbers = numberWords(description)
  if (numbers.length > 1) return `it holds several numbers: ${numbers.join(', ')}`
  const empty = vague.exec(description)?.[0]
  if (empty !== undefined) return `"${empty}" must be a fact`
  return secondClause.test(description) ? 'it asks for two facts' : undefined
}

async function wrongFact(item: DraftItem, items: readonly DraftItem[], given: CheckGiven): Promise<string | undefined> {
  const criteria = (itemCriteria(item) ?? []).filter(criterion => !criterion.is_penalty)
  const metByAnswer = await metBy(item, item.answer, criteria, given)
  const unmet = criteria.filter((_, at) => !metByAnswer[at])
  if (unmet.length > 0) return `the reference does not meet ${unmet.map(({ name }) => name).join(', ')}`
  const meeting: string[] = []
  for (const other of pickOtherItems(item, items, given))
    if ((await metBy(item, other.answer, criteria, given)).every(Boolean)) meeting.push(other.id)
  return meeting.length > 1 ? `references to other questions meet it: ${meeting.join(', ')}` : undefined
}

// Three other questions of the video, drawn for this one.
function pickOtherItems(item: DraftItem, items: readonly DraftItem[], { seed }: CheckGiven): DraftItem[] {
  const beside = byId(items).filter(({ id, video }) => video === item.video && id !== item.id)
  return shuffle(beside, drawFor(seed, 'shuffle', item.id, 'others')).slice(0, 3)
}

// Which criteria a reply meets: by make.judge, else by the words that each asks for.
async function metBy(
  { question }: DraftItem,
  reply: string,
  criteria: readonly ItemCriterion[],
  { models, signal }: CheckGiven,
): Promise<boolean[]> {
  const [judge] = models('judge')
  if (!judge) return criteria.map(({ description }) => isMetByWords(description, reply))
  const prompt = [
    'Which criteria does the reply to the question meet? One true or false for each, in their order.',
    criteria.map(({ description }, at) => `${at + 1}. ${description}`).join('\n'),
    `Question: ${question}`,
    fence('reply', reply),
  ].join('\n\n')
  const { value } = await askJson(judge, { name: 'met', schema: Met, text: prompt }, signal)
  return criteria.map((_, at) => value?.met[at] === true)
}

function isMetByWords(description: string, reply: string): boolean {
  const fact = description.replace(
    /^\s*must (?:mention|state|say|name|give|include|identify|explain|describe)\s+(?:that\s+)?/i,
    '',
  )
  const replyText = ` ${normaliseText(reply)} `
  return (
    numberWords(fact).every(number => replyText.includes(` ${number} `)) && shareIn(contentStems(fact), reply) >= 0.6
  )
}
