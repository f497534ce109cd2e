import type { Step } from '../../../../src/core/agent.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import { splitSentences } from '../../../../src/text/people/sentences.ts'
import { foundSomething } from '../sight.ts'
import { garmentKinds, type Looks, looksIn, person } from './looks.ts'

// Somebody whom a model that sees described, in a caption or in a look.
export interface PersonSighting {
  row: Evidence
  text: string // of this person only
  around: string // with what is said of the place
  looks: Looks
  isReply: boolean // the look was asked the question itself, and this is its answer
}

export interface ObservationBrief {
  evidence: readonly Evidence[]
  steps: readonly Step[]
}

// Everybody who is described, with at least something of hair and clothes.
export function sightingsIn({ evidence, steps }: ObservationBrief, question: string): PersonSighting[] {
  const looks = steps.filter(step => step.tool === 'look')
  return evidence.flatMap(row => {
    if (row.track === 'caption') return inCaption(row)
    const look = row.track === 'picture' ? looks.find(step => step.evidence.includes(row.id)) : undefined
    if (!look) return []
    const isSame = (look.input as { question?: unknown } | undefined)?.question === question
    return informativeSentences(row.text).flatMap(sentence =>
      inSentence(row, sentence, '', isSame && isAnswer.test(sentence)),
    )
  })
}

// How many people a row tells of, also those of whom no clothes are told. Its list counts each once; events name them again.
export function countPeople(row: Evidence, sightings: readonly PersonSighting[]): number {
  const rowLooks = sightings.filter(sighting => sighting.row.id === row.id).map(({ looks }) => looks)
  const [told = ''] = row.track === 'caption' ? row.text.split(ends) : [row.text]
  const [, listed] = row.track === 'caption' ? told.split(/\bPeople: /) : []
  if (listed) return Math.max(listed.split('; ').length, apart(rowLooks, isAlike).length)
  const mentions = informativeSentences(told).flatMap(mentionsIn)
  const named = mentions.filter(text => !/^the\b/i.test(text) || garmentKinds.some(part => looksIn(text)[part]))
  const people = apart([...named.map(looksIn), ...rowLooks], isSame)
  const again = mentions.map(looksIn).filter(({ sex }) => !people.some(one => isSameSex(one, { sex })))
  return people.length + apart(again, isSame).length + (several.test(told) ? 1 : 0)
}

const several =
  /\b(?:two|three|four|five|several|many) (?:[\w-]+ ){0,2}(?:men|women|boys|girls|ladies|children|people)\b/i

function apart(all: readonly Looks[], same: (one: Looks, other: Looks) => boolean): Looks[] {
  return all.filter((looks, at) => !all.slice(0, at).some(one => same(one, looks)))
}

function isSame(one: Looks, other: Looks): boolean {
  return isSameSex(one, other) && garmentKinds.every(part => one[part] === other[part])
}

export function isAlike(one: Looks, other: Looks): boolean {
  return isSameSex(one, other) && garmentKinds.every(part => !one[part] || !other[part] || one[part] === other[part])
}

export function isSameSex(one: Looks, other: Looks): boolean {
  return one.sex === undefined || other.sex === undefined || one.sex === other.sex
}

const ends = /\b(?:Place|Objects|Text|Camera): /

// "Place: a kitchen." and "Camera: …" end a caption; only its place is told of the people before.
function inCaption(row: Evidence): PersonSighting[] {
  const [told = ''] = row.text.split(ends)
  const captionPlace = /\bPlace: ([^.]*)\./.exec(row.text)?.[1] ?? ''
  const where = / and /.test(captionPlace) ? '' : captionPlace
  return informativeSentences(told).flatMap(sentence =>
    inSentence(row, sentence.replace(/^People: /, ''), where, false),
  )
}

const isAnswer = /^(?:it|that|this) (?:is|was)\b/i

function informativeSentences(text: string): string[] {
  return splitSentences(text).filter(text => foundSomething({ text }) && !/^No frame says\b/.test(text))
}

function inSentence(row: Evidence, sentence: string, place: string, isReply: boolean): PersonSighting[] {
  const [lead = '', ...rest] = mentioned(sentence)
  return rest.flatMap(text => {
    const looks = looksIn(text)
    const clause = text.replace(/(?:[\s,;:]+|\band)+$/, '').slice(0, 180)
    const around = `${lead} ${clause} ${place}`
    return garmentKinds.some(part => looks[part]) ? [{ row, text: clause, around, looks, isReply }] : []
  })
}

const mention = new RegExp(
  `(?=\\b(?:a|an|the|another|one) (?:(?!with\\b|in\\b|of\\b|and\\b)[\\w-]+ ){0,3}(?:${person})\\b)|(?<=[;,] |^)(?=(?:(?!an?\\b|the\\b|one\\b|another\\b)[\\w-]+ )?(?:${person}) (?:in|with|wearing)\\b)`,
  'i',
)

function mentioned(sentence: string): string[] {
  const pieces = sentence.split(mention)
  return new RegExp(
    `^(?:(?:a|an|the|another|one) (?:[\\w-]+ ){0,3}(?:${person})\\b|(?:[\\w-]+ )?(?:${person}) (?:in|with|wearing)\\b)`,
    'i',
  ).test(sentence)
    ? ['', ...pieces]
    : pieces
}

function mentionsIn(text: string): string[] {
  return mentioned(text).slice(1)
}
