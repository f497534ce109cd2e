import type { Evidence } from '../../core/evidence.ts'
import { nameOfSpeaker } from '../../core/speakers.ts'
import { formatSpan } from '../../core/time.ts'
import { answerMoment, type PastTurn } from './past-turn.ts'
import { exchange, type Reading, refer, restate } from './reference.ts'

type Relation = 'before' | 'after' | 'during'

const lead = '^(?:(?:and|but|so|ok|okay|well|now),? )*'
const adverb = '(?:(?:right|just|immediately|directly|shortly|soon) )?'
const pointer = '(?:that|this|it|then|those|them|these|(?:that|this|the same) [\\p{L}-]+)'
const clauseEnd = '(?=\\W*$|\\s*,|\\s+(?:what|which|who|is|was|does|did|do|were|are|how|where)\\b)'
const shownThing = 'slides?|signs?|screens?|captions?|titles?|pages?|banners?|labels?|text'
const mediaThing = `${shownThing}|sentence|line|sound|noise|scene|shot|thing|words?|part|one|beep|bell|tone|statement|remark|announcement|speaker`

// Questions that are nothing but a step from the answer before: "And then?", "What came before that?"
const steps: [RegExp, Relation][] = [
  [
    new RegExp(
      `${lead}(?:then(?: what)?|what then|(?:what|which) (?:comes?|came|happen(?:s|ed)|is|was|follows?|followed) ?(?:next|then|afterwards?|thereafter|${adverb}after(?:wards)?(?: (?:that|this|it))?)|what next|next|what follow(?:s|ed)(?: (?:that|this|it))?|${adverb}after(?:wards| that| this| it)|what about ${adverb}after(?:wards| that| this| it)|(?:what about )?the (?:one|line|sentence|thing) ${adverb}after(?: (?:that|this|it)(?: one)?)?|go on|continue|what happened)\\W*$`,
      'i',
    ),
    'after',
  ],
  [
    new RegExp(
      `${lead}(?:what about )?(?:${adverb}before (?:that|this|it)|the (?:one|line|sentence|thing) ${adverb}before(?: (?:that|this|it)(?: one)?)?|previously|beforehand|(?:what|which) (?:comes?|came|happen(?:s|ed)|is|was) (?:${adverb}before(?: (?:that|this|it))?|previously|beforehand)|what precede[sd](?: (?:that|this|it))?)\\W*$`,
      'i',
    ),
    'before',
  ],
  [new RegExp(`${lead}(?:meanwhile|at the same time|what else (?:was|is) there)\\W*$`, 'i'), 'during'],
]

// Words within a question that point at the moment of an earlier answer, with how it stands to that moment.
const pointers: [RegExp, (match: RegExpExecArray, text: string) => Relation | undefined][] = [
  [
    new RegExp(`\\b${adverb}(before|prior to|until|after|following|since) ${pointer}${clauseEnd}`, 'iu'),
    ([, word = '']) => (/before|prior|until/i.test(word) ? 'before' : 'after'),
  ],
  [
    new RegExp(
      `\\b(?:during|while|at|in|on|with|around|throughout) (?:that|this|the same|exactly that|that very) (?:moment|time|point|instant|scene|part|shot|${shownThing})\\b`,
      'i',
    ),
    () => 'during',
  ],
  [
    /\b(?:during (?:that|this|it)|meanwhile|at the same time|simultaneously|while that (?:is|was) \w+)(?=\W*$|\s*,)/i,
    () => 'during',
  ],
  [
    /\b(?:while|when|as) (?:(?:he|she|they|somebody|someone|the [\p{L}-]+) (?:says?|said|mentions?|mentioned|tells?|told|is saying|was saying) (?:that|this|it|so)|(?:that|this|it) (?:is|was|were) (?:being )?(?:said|shown|heard|mentioned|on screen|visible|displayed|spoken|played|seen|happening))\b/iu,
    () => 'during',
  ],
  [
    /\b(?:(?:right|just|immediately|directly|shortly|soon) )?(?:after|once|when) (?:it|that|this) (?:disappears?|disappeared|ends?|ended|stops?|stopped|is over|was over|goes away|went away|is gone|was gone|is said|was said|is shown|was shown|is heard|was heard)\b/i,
    () => 'after',
  ],
  [/\b(?:around|about) then(?=\W*$)/i, () => 'during'],
  [/(?<=\S )(?:(?:right|just) )?then(?=\W*$)/i, (_, text) => thenMeans(text)],
  [/(?<=\S )(?:next|afterwards?|thereafter|right after|just after|after)(?=\W*$)/i, () => 'after'],
  [/(?<=\S )(?:(?:right|just|immediately) before|beforehand|previously|before)(?=\W*$)/i, () => 'before'],
  [
    /\b(?:on|in|at|of) (?:that|this|the same) [\p{L}-]+(?=\W*$)/iu,
    (_, text) => (aboutMedia(text) ? 'during' : undefined),
  ],
  [/(?<=\b(?:written|shown|said|heard|visible|displayed|seen) )(?:on )?(?:there|it)(?=\W*$)/i, () => 'during'],
]

const neighbour = new RegExp(`\\bthe (next|following|previous|preceding) (?=(?:${mediaThing})\\b)([\\p{L}-]+)`, 'iu')
const bareNeighbour = new RegExp(
  `${lead}(?:what about )?the (?:next|following|previous|preceding) [\\p{L}-]+\\W*$`,
  'iu',
)
const pointedThing = new RegExp(
  `(?<!(?:before|after|since|until|following|prior to) )\\b((?:on|in|at) )?(?:that|this|the same) (${shownThing})\\b`,
  'i',
)

// "right after that", "what was on screen then", "the next slide": put as the span of the answer that they start from.
export function moments(reading: Reading, turn: PastTurn): Reading {
  const span = answerMoment(turn)
  if (!span) return reading
  const rows = turn.main
  const { text } = reading
  const spanText = (relation: Relation) =>
    `${relation === 'during' ? 'during' : `right ${relation}`} ${formatSpan(span)}`
  for (const [pattern, relation] of steps) {
    const match = pattern.exec(text)
    if (!match) continue
    const reference = refer(text.replace(/\W+$/, ''), 'moment', rows, span)
    return restate(reading, `What ${happens(rows, relation)} ${spanText(relation)}?`, reference)
  }
  const pointedAt = pointedThing.exec(text)
  if (pointedAt) {
    const by = `${pointedAt[1] ? 'on screen' : `the ${pointedAt[2]}`} ${spanText('during')}`
    return exchange(reading, pointedAt[0], pointedAt.index, by, refer(pointedAt[0], 'moment', rows, span))
  }
  for (const [pattern, relationOf] of pointers) {
    const match = pattern.exec(text)
    const relation = match && relationOf(match, text)
    if (!match || !relation) continue
    const near = /^(?:right|just|immediately|directly|shortly|soon|next)\b/i.test(match[0].trim())
    const by = near || relation === 'during' ? spanText(relation) : spanText(relation).replace(/^right /, '')
    return spoken(exchange(reading, match[0], match.index, by, refer(match[0], 'moment', rows, span)), rows)
  }
  const next = neighbour.exec(text)
  if (!next) return reading
  const [words, which = '', thing] = next
  const by = `the ${thing} ${spanText(/next|following/i.test(which) ? 'after' : 'before')}`
  const reference = refer(words, 'moment', rows, span)
  return bareNeighbour.test(text)
    ? restate(reading, `What is ${by}?`, reference)
    : spoken(exchange(reading, words, next.index, by, reference), rows)
}

// "What was on screen then" asks for the same moment, "what did she say then" for the next.
function thenMeans(text: string): Relation {
  return /\b(say|says|said|tell|told|do|does|did|happen\w*|come|comes|came|go|goes|went)\b/i.test(text) &&
    !/\b(on screen|shown|visible|displayed|written|seen|heard|playing|hear|see)\b/i.test(text)
    ? 'after'
    : 'during'
}

function aboutMedia(text: string): boolean {
  return /\b(written|shown|said|heard|visible|displayed|seen|screen|else|says?|mentioned|on screen)\b/i.test(text)
}

// A step goes on along the track that the answer lies on; beside it something else is looked for.
function happens(rows: readonly Evidence[], relation: Relation): string {
  const track = rows[0]?.track
  if (relation === 'during')
    return track === 'speech' ? 'is shown on screen' : track === 'text' ? 'is said' : 'is said or shown'
  if (track === 'speech') return 'is said'
  if (track === 'text') return 'is shown on screen'
  return 'happens'
}

// What a subtitle file calls a speaker is data of the video: only what looks like a name goes into a question.
const isName = /^\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}$|^[Ss]peaker \w+$/u

// Whoever spoke is "she" of "what did she say then".
function spoken(reading: Reading, rows: readonly Evidence[]): Reading {
  const speaker = rows
    .map(row => nameOfSpeaker(row.speaker ?? '') ?? row.speaker ?? '')
    .find(name => isName.test(name) && name.length <= 40)
  const text = reading.text.replace(
    /\b(did|does|do|had|has) (?:he|she|they)(?= (?:say|tell|mention|talk|speak|explain|announce|ask|add|said|told))/i,
    `$1 ${speaker ?? 'the speaker'}`,
  )
  return { ...reading, text }
}
