import { formatSpan } from '../../core/time.ts'
import { answerMoment, type PastTurn } from './past-turn.ts'
import { type Reading, refer } from './reference.ts'

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
export function source(reading: Reading, latest: PastTurn, past: readonly PastTurn[]): Reading {
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
  if (placed || whens.some(pattern => pattern.test(text))) {
    if (pointed?.span) return { ...reading, about: 'moment' }
    const reference = refer(text.replace(/\W+$/, ''), 'moment', turn.main, span)
    return {
      text: `When is ${formatSpan(span)}?`,
      references: [...reading.references, reference],
      about: 'moment',
    }
  }
  if (row.track === 'speech' && whos.some(pattern => pattern.test(text))) {
    if (pointed) return { ...reading, about: 'speaker' }
    const reference = refer(text.replace(/\W+$/, ''), 'moment', turn.main, span)
    return {
      text: `Who says what is said at ${formatSpan(span)}?`,
      references: [...reading.references, reference],
      about: 'speaker',
    }
  }
  return reading
}
