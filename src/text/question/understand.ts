import type { Question, Reference } from '../../core/agent.ts'
import type { EarlierTurn } from '../../core/brief.ts'
import type { Track } from '../../core/evidence.ts'
import { nameOfSpeaker, speakerMeant } from '../../core/speakers.ts'
import { formatSpan } from '../../core/time.ts'
import { foldNumbers, ordinalValue } from '../number-words.ts'
import { namesSound } from '../sounds.ts'
import { tokens } from '../words.ts'
import { splitAnchor } from './anchor.ts'
import { itemsToOrder } from './items.ts'
import { asksForTheOdd } from './negation.ts'
import { parseNth } from './nth.ts'
import type { CountedUnit, ParsedQuestion, QuestionKind } from './parsed-question.ts'
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

// What sort of answer a question wants; `main` is the question without its anchor and times.
function classifyQuestion(asked: Omit<ParsedQuestion, 'kind'>, main: string): QuestionKind {
  const { topic, unit } = asked
  const anchor = asked.anchor?.loose ? undefined : asked.anchor
  if (
    asked.items.length > 1 ||
    /\b(in (what|which) order|what (is|was) the (order|sequence)|chronological|in order of)\b/i.test(main)
  )
    return 'order'
  if (speaking.test(main) || (asked.speaker && speakingOfOne.test(main))) return 'speaking'
  if (isSummary(main, topic)) return asked.moment === undefined ? 'summary' : 'at-time'
  if (
    /\b(how many (?:separate |different |distinct )?times|number of times|how many occurrences)\b/i.test(main) ||
    (/\bhow often\b/i.test(main) && (asked.tracks.length > 0 || /\b(occurs?|happens?)\b/i.test(main)))
  )
    return topic.terms.length === 0 && unit ? 'count-units' : 'count'
  if (/\b(how many|number of|count (the|all|how))\b/i.test(main) && unit && structural(main)) return 'count-units'
  if (whens.some(pattern => pattern.test(main))) return 'when'
  if (anchor && anchor.relation !== 'during') return 'neighbour'
  if (anchor) return 'during'
  if (asked.nth !== undefined && unit && topic.terms.length === 0) return 'contents'
  if (asked.span && topic.terms.length === 0) return 'at-time'
  if (presences.some(pattern => pattern.test(main))) return 'presence'
  if (needsEyes(main, asked.tracks)) return 'picture'
  if (topic.terms.length === 0) return 'contents'
  if (
    /\b(about|regarding|concerning|on the (topic|subject) of)\b/i.test(main) &&
    /^(what|which)\b/i.test(main) &&
    /\b(say|said|says|tell|told|mention|talk|written|show|learn|hear|explain|discuss)/i.test(main)
  )
    return 'about'
  return 'fact'
}

const speaking =
  /\b(who|(which|what) (speaker|person)) (speaks?|talks?|spoke|talked|is (speaking|talking)|has (spoken|talked)) (for )?(the )?(most|longest|least|shortest)( time)?\b|\bhow (long|much) (does|do|did) (each|every)( \w+)?( of them)? (speak|talk)\b/i
const speakingOfOne = /\bhow (long|much) (does|did|has) .{1,60}\b(speak|talk|spoken|talked)\W*$/i

const summaries = [
  /\b(summar(y|i[sz]e)|sum up|overview|gist|key (points|takeaways|moments)|main (idea|ideas|topic|topics|point|points|theme|message|subject))\b/i,
  /\bwhat (is|was|'s) (this|the|that)( \w+)? (video|clip|film|movie|recording|talk|lecture|presentation|footage)( mainly| mostly| all)? about\b/i,
  /^(describe|explain|outline) (the|this) (video|clip|film|recording|talk|lecture)/i,
]
const happenings = /\bwhat (happens|happened|is happening|goes on|is going on)\b/i

function isSummary(main: string, topic: Topic): boolean {
  return summaries.some(pattern => pattern.test(main)) || (topic.terms.length === 0 && happenings.test(main))
}

const whens = [
  /^(when|since when)\s+(is|are|was|were|does|do|did|has|have|can|could|will|would|exactly|in the)\b/i,
  /\b(at|around|from|by|until) (what|which) (exact )?(time|moment|point|second|minute|timestamp|time ?stamp)\b/i,
  /\b(what|which) (is the )?(timestamp|time ?code|moment|part of the (video|clip|film))\b/i,
  /\b(what|which) time\b.*\b(video|clip|shown|said|mentioned|appears?|heard|displayed|played)\b/i,
  /\b(how (long|far|many (seconds|minutes)) into)\b/i,
  /^(where in the (video|clip|film|recording)|find (the|me the|all)? ?(moments?|times?|part|place)|locate)\b/i,
]
const presences = [
  /^(is|are|was|were) there\b/i,
  /^(does|do|did|is|are|was|were|has|have|can)\b.*\b(mention(ed|s)?|appears?|shown|show|visible|seen|heard|hear|said|say|spoken|anywhere|at all|ever|contain|include|displayed|written|talk about|in (the|this) (video|clip|film|recording))\b/i,
  /^(does|do|did) (anyone|anybody|someone|somebody|the (video|clip|film|speaker|narrator))\b/i,
]

// What only a look at the picture can tell, unless somebody says it.
function needsEyes(main: string, tracks: readonly Track[]): boolean {
  if (/\b(what|which) colou?r/i.test(main) && !tracks.includes('speech') && !tracks.includes('sound')) return true
  if (tracks.includes('speech') || (tracks.includes('text') && !tracks.includes('picture')) || tracks.includes('sound'))
    return false
  return /\b(wear(s|ing)?|worn|dressed|hold(s|ing)|look(s|ing)? like|colou?rs?|hair|shirt|face|faces|facial|gesture|standing|sitting|walking|running|shapes?|circles?|squares?|triangles?|rings?|diamonds?|cross(es)?|objects?|in the background|on the (left|right|table|wall|floor)|visible|camera angle|how many (people|persons|men|women|children|cars|dogs|animals|objects) (are|can|appear|do you see))\b/i.test(
    main,
  )
}

function structural(main: string): boolean {
  return /\bhow many (different |distinct |separate |unique |total |individual )?(slides?|shots?|scenes?|cuts?|beeps?|tones?|bells?|sounds?|noises?|knocks?|barks?|sirens?|alarms?|chimes?|claps?|signs?|captions?|titles?|text\w*|screens?|sentences?|lines?|speakers?|voices?|(people|persons) (speak|talk|are (speaking|talking))|buzz\w*|rings?|clicks?|whistles?|bangs?)\b|\bnumber of (slides?|shots?|scenes?|cuts?|beeps?|tones?|sounds?|signs?|captions?|speakers?)\b|\bcount (the|all)/i.test(
    main,
  )
}
