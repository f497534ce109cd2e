import type { Question, Turn } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import { formatSpan } from '../../core/time.ts'
import type { VideoIndex } from '../../core/video.ts'
import { isStopWord, tokens } from '../words.ts'
import { ellipsis } from './ellipsis.ts'
import { listedThings } from './listed.ts'
import { moments } from './moments.ts'
import { answerMoment, type PastTurn, pastTurn, rowsOfTurn } from './past-turn.ts'
import { meaning, quoteReference, type Reading, refer, restate } from './reference.ts'

// A question with the turns before it, as the graph gets them.
interface Conversed {
  question: Question
  turns: Turn[] // each with the rows that its answer rests on, those of the answer itself first
}

// Puts what a question says of earlier turns into the question itself, before anything is planned. The turns are resolved in
// their order, so that a third turn may point at what the second one pointed at.
export async function resolve(
  question: Question,
  turns: readonly Turn[],
  index: VideoIndex,
  known: (id: string) => Evidence | undefined = id => index.byId(id),
): Promise<Conversed> {
  const past: PastTurn[] = []
  const grounded: Turn[] = []
  for (const turn of turns) {
    const resolved = { ...turn, question: standingAlone(turn.question, past) }
    const rows = await rowsOfTurn(resolved, index, known)
    const newTurn = pastTurn(resolved, rows)
    past.push(newTurn)
    grounded.push({ ...resolved, evidence: [...new Set([...newTurn.main, ...rows])] })
  }
  return { question: standingAlone(question, past), turns: grounded }
}

// A question that leans on earlier ones is short; a longer one says what it means.
const maxFollowUp = 1000 // characters

function standingAlone(question: Question, past: readonly PastTurn[]): Question {
  if (past.length === 0 || question.refers || question.text.length > maxFollowUp) return question
  const questionText = question.text.replace(/\s+/g, ' ').trim()
  const { text: named, turn } = namedTurn(questionText, past)
  const start: Reading = { text: named, references: [] }
  const listed = listedThings(start, past)
  const swapped = listed.references.length === 0 ? otherSide(listed, past) : listed
  const whole = swapped === listed ? ellipsis(listed, past) : swapped
  const sourced = turn && whole.text === listed.text ? source(whole, turn, past) : whole
  const pointed = turn && sourced.text === listed.text && !sourced.about ? moments(sourced, turn) : sourced
  const read = pointed.references.length > 0 || !turn ? pointed : leaning(pointed, turn)
  if (read.references.length === 0) return question
  const { text, references, about } = read
  return { ...question, text, refers: { asked: questionText, references, ...(about ? { about } : {}) } }
}

// The turn that a question points at: the one that it names, else the last that was answered.
function namedTurn(asked: string, past: readonly PastTurn[]): { text: string; turn?: PastTurn } {
  const name = /\b(?:your|the|my) (first|second|third|previous|last|earlier) (answer|question|reply)\b/i.exec(asked)
  const places: Record<string, number> = { first: 0, second: 1, third: 2 }
  const turnIndex = name && (places[name[1]!.toLowerCase()] ?? past.length - 1)
  const turn = turnIndex === null ? undefined : past[turnIndex]
  if (name && turn && turn.main.length > 0) return { text: asked.replace(name[0], 'that'), turn }
  const rested = past.filter(one => one.main.length > 0)
  return { text: asked, turn: rested.findLast(one => !one.abstained) ?? rested.at(-1) }
}

// "And before?" after "what is said after the bell?" means before the bell.
function otherSide(reading: Reading, past: readonly PastTurn[]): Reading {
  const side = /^(?:and |but |what about |how about )*(?:right |just )?(before|after)\W*$/i.exec(reading.text)?.[1]
  const before = past.at(-1)?.question
  const anchored = before && /\b(before|after)(?= \S)/i.exec(before.text)
  if (!side || !before || !anchored || anchored[0].toLowerCase() === side.toLowerCase()) return reading
  const text = `${before.text.slice(0, anchored.index)}${side.toLowerCase()}${before.text.slice(anchored.index + anchored[0].length)}`
  return restate(reading, text, ...(before.refers?.references ?? []), meaning(reading.text, 'question', before.text))
}

const pronoun = /\b(it|its|he|him|his|she|her|hers|they|them|their|that|this|those|these|there|one)\b/i

const bareQuestion = /^(?:(?:and|but|so),? )?(when|where|why|who|how)\W*$/i

// "And where was that?": the words stay; what they depend on is in the reference.
function leaning(reading: Reading, turn: PastTurn): Reading {
  const bare = bareQuestion.exec(reading.text)?.[1]?.toLowerCase()
  const text = bare ? `And ${bare}${bare === 'how' ? '' : ' is that'}?` : reading.text
  const pronounMatch = pronoun.exec(text.replace(/\b(is|are|was|were) there\b/gi, match => '_'.repeat(match.length)))
  const empty = tokens(text).every(token => isStopWord(token.text)) || /^(and|but|so)\b/i.test(text)
  if (!empty && !(pronounMatch && tokens(text).length <= 12)) return reading
  const rest = turn.main[0] ? `, ${quoteReference(turn.main[0])}` : ''
  const words = bare ?? pronounMatch?.[0] ?? text.replace(/\W+$/, '')
  const reference = meaning(words, 'entity', `what was asked: "${turn.question.text}"${rest}`)
  return restate(reading, text, { ...reference, evidence: turn.main.map(row => row.id) })
}

const lead = '^(?:(?:and|but|so|ok|okay),? )*'
const it = '(?:that|this|it|so|those words|that line|that sentence|\\[[\\d:]+-[\\d:]+\\])'
const seen =
  '(?:said|say|says|shown|heard|mentioned|mention|written|displayed|announced|announce|tell|told|seen|played|read)'
const whenWords =
  '(?:when|at (?:what|which) (?:exact )?(?:time|moment|point|minute|second|timestamp))(?: exactly| in the (?:video|clip|film|recording))?'

const whens = [
  new RegExp(`${lead}${whenWords} (?:is|was|were|are) ${it} ${seen}(?: in the video)?\\W*$`, 'i'),
  new RegExp(
    `${lead}${whenWords} (?:did|does|do) (?:he|she|they|we|somebody|someone|the [\\p{L}-]+) ${seen} ${it}\\W*$`,
    'iu',
  ),
  new RegExp(
    `${lead}(?:at (?:what|which) (?:exact )?(?:time|moment|point|minute|second|timestamp)(?: in the (?:video|clip|film|recording))?|where in the (?:video|clip|film|recording)|how (?:far|long) into the (?:video|clip|film|recording)|what(?:'s| is| was) the (?:timestamp|time ?code)(?: of| for)?|what timestamp) ?(?:is|was|does|did)? ?${it}(?: (?:happen|occur|appear)\\w*)?\\W*$`,
    'i',
  ),
  // One of the things that an answer listed has no other "when" than its moment.
  new RegExp(
    `${lead}${whenWords} (?:is|was|does|did|do)? ?\\[[\\d:]+-[\\d:]+\\](?: (?:${seen}|happen|occur|appear|ring|sound|come|start|begin)\\w*)?\\W*$`,
    'i',
  ),
]

// After a question for what comes next, "when was that?" has no date to ask for.
const thatTime = new RegExp(`${lead}${whenWords} (?:is|was) (?:that|this|it)\\W*$`, 'i')

const whos = [
  new RegExp(
    `${lead}who (?:was it (?:that|who) |is it (?:that|who) )?(?:actually )?(?:said|says|told|tells|mentioned|mentions|announced|announces|asked|asks|explained)(?: us| them)?(?: ${it})?\\W*$`,
    'i',
  ),
  new RegExp(
    `${lead}who (?:is|was) (?:speaking|talking|saying|the speaker|it|that|this)(?: (?:there|then|here|${it}))?\\W*$`,
    'i',
  ),
  new RegExp(`${lead}(?:who|which person) (?:speaks|spoke|talks|talked)(?: (?:there|then|here))?\\W*$`, 'i'),
  new RegExp(`${lead}whose (?:words|voice) (?:is|are|was|were) (?:that|it|this|those|these)\\W*$`, 'i'),
]

// Words of the video stay out of the question: they stand in the reference, as data.
// "Who said it?" and "when was that said?" ask for nothing but where the answer before comes from.
function source(reading: Reading, latest: PastTurn, past: readonly PastTurn[]): Reading {
  const ofSpeech =
    whos.some(pattern => pattern.test(reading.text)) || /\b(said|say|mentioned|told|announced)\b/i.test(reading.text)
  const spoken = ofSpeech && past.findLast(one => one.main[0]?.track === 'speech')
  const turn = spoken || latest
  const span = answerMoment(turn)
  const [row] = turn.main
  if (!row || !span) return reading
  const { text } = reading
  const before = past.at(-1)?.question.text ?? ''
  const placed = thatTime.test(text) && /\b(before|after|during|while)\b|\bnext\b/i.test(before)
  const pointed = reading.references.find(reference => reference.kind === 'item')
  const reference = refer(text.replace(/\W+$/, ''), 'moment', turn.main, span)
  if (placed || whens.some(pattern => pattern.test(text))) {
    if (pointed?.span) return { ...reading, about: 'moment' }
    return { ...restate(reading, `When is ${formatSpan(span)}?`, reference), about: 'moment' }
  }
  if (row.track === 'speech' && whos.some(pattern => pattern.test(text))) {
    if (pointed) return { ...reading, about: 'speaker' }
    return { ...restate(reading, `Who says what is said at ${formatSpan(span)}?`, reference), about: 'speaker' }
  }
  return reading
}
