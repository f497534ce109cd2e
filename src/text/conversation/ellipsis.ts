import type { PastTurn } from './past-turn.ts'
import { meaning, type Reading, restate } from './reference.ts'

const about = /^(?:(?:and|but|so|ok|okay|or),? )*(?:what|how) about (.+?)[?.!\s]*$/i
const bare = /^(?:and|or|but),? (.+?)[?.!\s]*$/i
const verbs =
  /\b(what|which|who|whom|whose|where|when|why|how|is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|said|say|says|shown|heard)\b/i
const prepositions =
  'in|on|at|for|from|to|by|with|of|about|after|before|during|while|beside|near|under|over|between|into'

// These point at the moment of an answer: there is nothing to exchange.
const pointing =
  /^(?:then|next|that|this|it|why|so|the (?:next|following|previous|preceding) [\p{L}-]+|the (?:one|line|sentence|thing) (?:[\p{L}]+ )?(?:before|after).*|(?:(?:right|just|immediately|directly|shortly|soon) )?(?:before|after|during|since|until|at|in|on|with)(?: (?:that|this|it|then|these|those|them|the same)\b.*)?)$/iu

// "And the siren?", "What about Tom?": the question before, with the thing in it exchanged.
export function ellipsis(reading: Reading, past: readonly PastTurn[]): Reading {
  const topic = (about.exec(reading.text) ?? bare.exec(reading.text))?.[1]
  if (!topic || verbs.test(topic) || topic.split(/\s+/).length > 7 || pointing.test(topic)) return reading
  const before = past.at(-1)
  if (!before) return reading
  const option = reading.references.some(reference => reference.kind === 'option')
  // "Why" asks for one happening; another thing has no such reason.
  const parallel = option || /^why\b/i.test(before.question.text) ? undefined : parallelTo(before.question.text, topic)
  const text = parallel ?? fallback(topic)
  const keptReferences = (before.question.refers?.references ?? []).filter(
    reference => reference.span && parallel?.includes('[') && !reading.references.includes(reference),
  )
  return restate(reading, text, ...keptReferences, meaning(reading.text, 'question', before.question.text))
}

function fallback(thing: string): string {
  if (/^\[/.test(thing)) return `What is said or shown during ${thing}?`
  return `What is said or shown about ${thing}?`
}

interface Slot {
  start: number
  end: number
  subject: boolean
}

// Exchanges the part of a question that a new thing is most like: a name for a name, "in X" for "in Y", the subject else.
function parallelTo(question: string, thing: string): string | undefined {
  const ownPreposition = new RegExp(`^(?:(?:right|just|immediately) )?(${prepositions})\\b`, 'i').exec(thing)
  if (ownPreposition) {
    const phrase = new RegExp(
      `\\b(?:(?:right|just|immediately) )?${ownPreposition[1]} [^?]*?(?=\\s+(?:${prepositions})\\b|\\s*\\?|$)`,
      'i',
    ).exec(question)
    if (phrase) return `${question.slice(0, phrase.index)}${thing}${question.slice(phrase.index + phrase[0].length)}`
    return `${question.replace(/(?<![?.\s])[?.\s]+$/, '')} ${thing}?`
  }
  if (question.toLowerCase().includes(thing.toLowerCase())) return question
  const places = placesIn(question)
  let best: { place: Slot; score: number } | undefined
  for (const slot of places) {
    const score = likeness(question.slice(slot.start, slot.end), thing, slot)
    if (!best || score > best.score) best = { place: slot, score }
  }
  if (!best) return undefined
  const { start, end } = best.place
  return `${question.slice(0, start)}${withForm(thing, question.slice(start, end))}${question.slice(end)}`
}

const auxiliary = /\b(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could)\s+/i
const exchangeable = [
  /\[[\d:]+-[\d:]+\]/g,
  /"[^"]+"|“[^”]+”/g,
  /(?<![\d:[-])\b\d[\d:.,]*\b(?![\]-])/g,
  /(?<=\S\s)\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*/gu,
]

function placesIn(question: string): Slot[] {
  const body = question.replace(/(?<![?.!\s])[?.!\s]+$/, '')
  const places: Slot[] = []
  const add = (start: number, end: number, subject: boolean) => {
    if (end > start && !places.some(place => place.start === start && place.end === end))
      places.push({ start, end, subject })
  }
  for (const pattern of exchangeable)
    for (const { 0: part, index } of body.matchAll(pattern)) add(index, index + part.length, false)
  const aux = auxiliary.exec(body)
  if (aux) {
    const start = aux.index + aux[0].length
    const rest = body.slice(start)
    const phrase = new RegExp(`^(.*?)(?=\\s+(?:${prepositions})\\b|$)`, 'i').exec(rest)?.[1] ?? rest
    const words = phrase.split(/\s+/)
    // The last word of the clause is its verb: "does [the model ship] cost", "is [the bell] heard".
    const verbLast =
      words.length > 1 &&
      (/^(do|does|did|will|would|can|could)/i.test(aux[0]) ||
        /(ed|en|wn|id|ard|ing|ld|und|de|ught)$/i.test(words.at(-1) ?? ''))
    const subject = verbLast ? words.slice(0, -1).join(' ') : phrase
    add(start, start + subject.length, true)
  }
  const spoken = new RegExp(
    `\\b(?:${prepositions})\\s+((?:the|a|an|his|her|its|their|my|our)\\s+[^?,]*?|[\\p{L}-]+)(?=\\s+(?:${prepositions})\\b|$)`,
    'giu',
  )
  for (const { 0: whole, 1: object = '', index } of body.matchAll(spoken)) {
    const end = index + whole.length
    add(end - object.length, end, false)
  }
  return places
}

function likeness(old: string, thing: string, place: Slot): number {
  const same = (pattern: RegExp, weight: number) =>
    pattern.test(old) === pattern.test(thing) ? (pattern.test(thing) ? weight : 0) : -weight / 2
  const words = (text: string) => text.split(/\s+/).length
  return (
    same(/^["“]/, 4) +
    same(/^\[/, 6) +
    same(/^\d/, 4) +
    same(/^\p{Lu}/u, 2.5) +
    same(/^(the|a|an|his|her|its|their|this|that)\b/i, 1.5) +
    (place.subject ? 1.5 : 0) +
    (words(old) === words(thing) ? 0.5 : 0)
  )
}

// "the siren" for "the bell" stays as it is; "siren" for "the bell" gets its article.
function withForm(thing: string, old: string): string {
  const article = /^(the|a|an)\s/i.exec(old)?.[1]
  if (!article || /^(the|a|an|his|her|its|their|my|your|\p{Lu}|\d|["“[])/u.test(thing)) return thing
  return /^an?$/i.test(article) ? thing : `${article} ${thing}`
}
