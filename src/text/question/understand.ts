import type { Question, Reference } from '../../core/agent.ts'
import type { EarlierTurn } from '../../core/brief.ts'
import { nameOfSpeaker, speakerMeant } from '../../core/speakers.ts'
import { formatSpan } from '../../core/time.ts'
import { foldNumbers, ordinalValue } from '../number-words.ts'
import { namesSound } from '../sounds.ts'
import { tokens } from '../words.ts'
import { splitAnchor } from './anchor.ts'
import { itemsToOrder } from './items.ts'
import { asksForTheOdd } from './negation.ts'
import { parseNth } from './nth.ts'
import type { CountedUnit, ParsedQuestion } from './parsed-question.ts'
import { classifyQuestion } from './question-kind.ts'
import { type StatedSpan, statedSpan } from './times-of-question.ts'
import { noTopic, parseTopic, type Topic } from './topic.ts'
import { findTracks } from './tracks.ts'
import { parseWants } from './wants.ts'

// A question as the rules see it: its kind, topic, anchor and times, and the tracks that hold the answer.
export function understandQuestion(
  question: Question,
  duration: number,
  turns: readonly EarlierTurn[] = [],
  speakers: readonly string[] = [],
): ParsedQuestion {
  const text = plainly(question.text.replace(/\s+/g, ' ').trim())
  const references = question.refers?.references ?? []
  const { span, moment, rest } = statedIn(text, duration, references)
  const { main: whole, anchor } = splitAnchor(rest, references)
  const numbered = asksWords.test(whole) ? numberedSpeaker(whole) : undefined
  const main = numbered?.rest ?? whole
  const items = itemsToOrder(rest)
  const tracks = findTracks(main)
  const named = lighten(parseTopic(main), main)
  const speaker = numbered ? speakerMeant(`${numbered.number}`, speakers) : findSpeaker(main, named, speakers)
  const topic = speaker ? { ...named, terms: named.terms.filter(term => !sameName(term.text, speaker)) } : named
  const leaning = turns.length > 0 && leansOnEarlier(main, topic)
  const earlier = leaning ? topicBefore(turns) : noTopic
  const yesNo = /^(is|are|was|were|does|do|did|has|have|had|can|could|will|would)\b/i.test(main)
  const base: ParsedQuestion = {
    text,
    main,
    kind: 'fact',
    tracks,
    topic: topic.terms.length > 0 ? topic : earlier,
    earlier,
    prior: leaning ? (turns.at(-1)?.evidence.map(row => row.id) ?? []) : [],
    anchor,
    span: span ?? (moment === undefined ? undefined : { start: Math.max(0, moment - 1), end: moment + 1 }),
    moment,
    wants: parseWants(main),
    unit: findUnit(main),
    items,
    nth: parseNth(main),
    speaker,
    speakerNumber: numbered?.number,
    yesNo,
    excluded: (question.options?.length ?? 0) > 0 && asksForTheOdd(text),
  }
  return { ...base, kind: classifyQuestion(base, main) }
}

// "Isn't it true that" asks what "Is it so that" asks, in words that say nothing of the matter itself.
function plainly(text: string): string {
  return text
    .replace(/^(is|are|was|were|does|do|did|has|have|had|could|would|should)n['’]?t\b/i, '$1')
    .replace(/^(is|was) it (?:not )?(?:really )?(?:true|correct|right|a fact|the case|so) that\b/i, '$1 it so that')
}

// The times of a question; one that an earlier turn gave belongs to its anchor, or is itself what is asked about.
function statedIn(text: string, duration: number, references: readonly Reference[]): StatedSpan {
  const pointed = references.find(({ span }) => span && text.includes(formatSpan(span)))
  if (!pointed?.span) return statedSpan(text, duration)
  const bracket = formatSpan(pointed.span)
  if (new RegExp(`\\b(before|after|during) \\${bracket}`).test(text)) return { rest: text }
  return { span: pointed.span, rest: text.replace(bracket, '').replace(/\s+/g, ' ').trim() }
}

// What the turn before was about. A question for what comes after something is about its answer, not about that something.
function topicBefore(turns: readonly EarlierTurn[]): Topic {
  const before = turns.at(-1)
  const earlierQuestion = (before?.question.text ?? '').replace(
    /\b(?:right )?(?:before|after|during) \[[\d:-]+\]|\[[\d:-]+\]/g,
    '',
  )
  const { main, anchor } = splitAnchor(earlierQuestion)
  const topic = parseTopic(anchor && !anchor.loose ? main : earlierQuestion)
  return topic.terms.length > 0 ? topic : parseTopic(before?.evidence[0]?.text ?? '')
}

function findUnit(main: string): CountedUnit | undefined {
  if (/\b(slides?|signs?|captions?|titles?|screens?|banners?|texts?|cards?|headings?|pages?)\b/i.test(main))
    return 'slide'
  if (/\b(shots?|scenes?|cuts?)\b/i.test(main)) return 'shot'
  if (namesSound(main)) return 'sound'
  if (/\b(sentences?|lines?|words?|utterances?|thing (said|that is said)|statement|said|say)\b/i.test(main))
    return 'line'
  if (/\b(speakers?|voices?|(people|persons) (speak|talk|are (speaking|talking)))\b/i.test(main)) return 'speaker'
  return undefined
}

const asksWords =
  /\b(say|says|said|tell|tells|told|talks?|talked|speak|speaks|spoke|mentions?|mentioned|explains?|explained|asks?|asked|announces?|think|thinks|study|studies|opinion|words)\b/i

// "What does Tom say", where the index knows a speaker of that name.
function findSpeaker(main: string, topic: Topic, speakers: readonly string[]): string | undefined {
  if (!asksWords.test(main)) return undefined
  const named = speakers.filter(speaker => topic.terms.some(({ text }) => sameName(text, nameOfSpeaker(speaker) ?? '')))
  const isClear = topic.terms.some(({ text }) => speakerMeant(text, named) === named[0])
  return isClear ? named[0] : undefined
}

function sameName(word: string, speaker: string): boolean {
  return speaker.toLowerCase().split(/\s+/).includes(word)
}

// "How much does it cost?" after another question: what "it" is stands there.
function leansOnEarlier(main: string, topic: Topic): boolean {
  if (/^(and|but|so|then|what about|how about)\b/i.test(main)) return true
  return (
    /\b(it|its|that|this|they|them|their|he|she|his|her|there|then|those|these|one)\b/i.test(main) &&
    topic.terms.length <= 3
  )
}

// The noun after "which" or "how many" names the sort of answer, and the line that answers need not hold it.
function lighten(topic: Topic, main: string): Topic {
  const sorts = [
    ...main.matchAll(
      /\b(?:what|which|whose|how many|how much|how)\s+(?:kinds? of |sorts? of )?([\p{L}-]+)|\b(name|title|number|colou?r|price|cost|date|year|amount|reason|kind|type)s? of\b/giu,
    ),
  ]
  const stems = new Set(sorts.flatMap(match => tokens(match[1] ?? match[2] ?? '').map(token => token.stem)))
  if (topic.terms.every(term => stems.has(term.stem))) return topic
  const terms = topic.terms.map(term => (stems.has(term.stem) ? { ...term, weight: term.weight * 0.4 } : term))
  return { ...topic, terms }
}

const patterns = [
  /\b(?:the )?(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th)) (?:speaker|voice|person (?:to speak|who speaks))\b/i,
  /\bspeaker (?:number |no\. ?|#)?(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b/i,
]

// "The second speaker", "speaker 2": the number in the order in which they first speak, and the question with "the speaker" instead.
function numberedSpeaker(text: string): { number: number; rest: string } | undefined {
  for (const pattern of patterns) {
    const word = pattern.exec(text)?.[1]?.toLowerCase()
    if (!word) continue
    const number = ordinalValue(word) ?? Number(foldNumbers([word])[0]?.text)
    return { number, rest: text.replace(pattern, 'the speaker') }
  }
  return undefined
}
