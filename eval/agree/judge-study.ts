import type { Price } from '../../src/core/chat.ts'
import { usageCost } from '../../src/runtime/models/prices.ts'
import type { Judgment } from '../data/sample-line.ts'
import { isSeeing, type JudgeMode } from '../protocols/judge/protocol.ts'
import type { JudgeStudy } from '../runner/files/kept-agreement.ts'
import { measureAgreement, type RatedItem, type Rater } from './agreement.ts'
import type { Item } from './judged-run.ts'
import type { Annotator } from './verdict-files.ts'

export interface StudiedJudge extends Rater {
  mode?: JudgeMode
  price?: Price
  judgments: Map<string, Judgment> // by the keys of items
}

export function ratedItem({ key, scale, answer }: Item): RatedItem {
  return { key, scale, video: answer.sample.video }
}

// The judge and the people over the answers that all of them graded, by what is said of each answer first; undefined where there are none.
export function judgeStudy(
  judge: StudiedJudge,
  people: readonly Annotator[],
  items: readonly Item[],
): JudgeStudy | undefined {
  const everyone = [judge, ...people.map(person => ({ ...person, kind: 'person' as const }))]
  const common = items.filter(
    ({ key, scale }) => scale !== 'look' && everyone.every(({ verdicts }) => verdicts.has(key)),
  )
  const [found] = measureAgreement(common.map(ratedItem), everyone)
  if (!found) return undefined
  const judgments = new Set(common.flatMap(({ key }) => judge.judgments.get(key) ?? []))
  const sum = (of: (judgment: Judgment) => number) =>
    [...judgments].reduce((total, judgment) => total + of(judgment), 0)
  const usage = {
    inputTokens: sum(one => one.usage?.inputTokens ?? 0),
    outputTokens: sum(one => one.usage?.outputTokens ?? 0),
  }
  const pictures = comparePictures(judge, people, items)
  return {
    judge: judge.name,
    answers: judgments.size,
    raters: found.raters,
    pairs: found.pairs,
    ...(judge.mode && { mode: judge.mode }),
    seconds: sum(one => one.seconds),
    ...(judge.price && { money: usageCost(usage, judge.price) }),
    ...(pictures && { pictures }),
  }
}

// How often the judge asks for the picture, and whether it does where people say that it is needed. A mode that always shows it counts
// as asking each time.
export function comparePictures(
  { verdicts, mode }: Pick<StudiedJudge, 'verdicts' | 'mode'>,
  people: readonly Annotator[],
  items: readonly Item[],
): JudgeStudy['pictures'] {
  const looks = items.filter(item => item.scale === 'look' && verdicts.has(item.key))
  if (looks.length === 0) return undefined
  const isShown = isSeeing(mode)
  const askedAnswers = new Set(
    looks.filter(item => isShown || verdicts.get(item.key) === 2).map(item => readAnswerKey(item.key)),
  )
  const judged = new Set(looks.map(item => readAnswerKey(item.key)))
  const needed = new Set(
    people.flatMap(person => [...person.needsPicture].flatMap(([key, needs]) => (needs ? [readAnswerKey(key)] : []))),
  )
  const judgedAnswers = [...needed].filter(answer => judged.has(answer))
  return {
    asked: askedAnswers.size,
    of: looks.length,
    needed: judgedAnswers.length,
    found: judgedAnswers.filter(answer => askedAnswers.has(answer)).length,
  }
}

// The key of an item without its step.
function readAnswerKey(key: string): string {
  return key.split('\n').slice(0, 2).join('\n')
}
