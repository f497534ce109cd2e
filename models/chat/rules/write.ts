import type { Draft, WriteBrief } from '../../../src/core/brief.ts'
import type { Asked, Kind } from '../../../src/text/question/asked.ts'
import { understand } from '../../../src/text/question/understand.ts'
import { about, contents } from './answers/about.ts'
import { atTime } from './answers/at-time.ts'
import { compared } from './answers/compared.ts'
import { count, countUnits } from './answers/count.ts'
import { damaged } from './answers/damaged.ts'
import { fact } from './answers/fact.ts'
import { during, neighbour } from './answers/neighbour.ts'
import { order } from './answers/order.ts'
import { picture } from './answers/picture.ts'
import { pointed } from './answers/pointed.ts'
import { presence } from './answers/presence.ts'
import { summary } from './answers/summary.ts'
import { when } from './answers/when.ts'
import { choicesIn } from './choices.ts'
import { choose } from './options.ts'
import { speakersOf, spokenBy } from './speakers.ts'

export type AnswerKind = (asked: Asked, brief: WriteBrief) => Draft

const answers: Record<Kind, AnswerKind> = {
  fact,
  about,
  contents,
  when,
  count,
  'count-units': countUnits,
  order,
  neighbour,
  during,
  'at-time': atTime,
  presence,
  summary,
  picture,
}

// Writes the answer out of the words of the evidence.
export function writeDraft(brief: WriteBrief): Draft {
  const source = pointed(brief)
  if (source) return source
  const asked = understand(brief.question, brief.duration, brief.turns, speakersOf(brief))
  const options = brief.question.options ?? []
  const listed = asked.kind !== 'order' ? choicesIn(brief.question.text) : []
  const moved = asked.kind === 'neighbour' || asked.kind === 'during' // the moment asked about may be another's words
  const own = moved ? brief : { ...brief, evidence: spokenBy(asked.speaker, brief.evidence) }
  const found = (asked.yesNo ? compared(asked, own) : undefined) ?? answers[asked.kind](asked, own)
  const plain = damaged(asked, brief) ?? found
  const draft = listed.length > 0 ? chooseListed(asked, listed, own, plain) : plain
  return options.length > 0 ? choose(asked, options, own, draft) : draft
}

// One of the things that the question lists itself: said as a sentence, and only where something speaks for it.
function chooseListed(asked: Asked, listed: readonly string[], brief: WriteBrief, draft: Draft): Draft {
  const { choice, sentences, confidence } = choose(asked, listed, brief, draft)
  if (
    choice === undefined ||
    (confidence ?? 0) <= 1 / listed.length + 0.05 ||
    sentences.every(one => one.cites.length === 0)
  )
    return draft
  const [first, ...rest] = sentences
  return { sentences: [{ ...first, text: `${listed[choice]} — ${first.text}` }, ...rest], confidence }
}
