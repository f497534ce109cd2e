import type { Topic } from '../../../src/text/question/topic.ts'
import type { Wants } from '../../../src/text/question/wants.ts'
import { tokens } from '../../../src/text/words.ts'
import { dateIn } from './extract/date.ts'
import { numberIn } from './extract/number.ts'
import { colourIn, contactIn, mannerIn, phraseIn, reasonIn, rhythmIn } from './extract/patterns.ts'
import { personIn } from './extract/person.ts'
import { placeIn } from './extract/place.ts'
import { prepareLine, type TopicLine, valueIn } from './line.ts'
import { topicShare } from './match.ts'
import { firstLine } from './slides.ts'

// Extracts the short answer from a line, by the kind of answer that the question wants; undefined if there is none.
export function directAnswer(
  question: string,
  wants: Wants,
  topic: Topic,
  said: string,
  speaker?: string,
): string | undefined {
  if (wants === 'title') return firstLine(said) || undefined
  const topicLine = bestLine(topic, said)
  const whole = said.replace(/(?<!\s)\s*\n\s*/g, ', ')
  const read = (text: string) => pick(question, wants, topic, prepareLine(text, topic, speaker))
  const value = (topicLine && read(topicLine)) ?? read(whole)
  const clean = value?.replace(/^[\s,.:;-]+|(?<![\s,.:;!?-])[\s,.:;!?-]+$/g, '').trim()
  return clean && clean.length <= 80 ? clean : undefined
}

function pick(question: string, wants: Wants, topic: Topic, line: TopicLine): string | undefined {
  switch (wants) {
    case 'number':
      return numberIn(question, topic, line) ?? (/\bhow\b/i.test(question) ? undefined : valueIn(line))
    case 'date':
      return dateIn(topic, line.text)
    case 'person':
      return personIn(question, line)
    case 'place':
      return placeIn(question, line)
    case 'value':
      return valueIn(line)
    case 'colour':
      return colourIn(line.text)
    case 'reason':
      return reasonIn(line.text)
    case 'rhythm':
      return rhythmIn(line.text)
    case 'manner':
      return mannerIn(line.text)
    case 'phrase':
      return phraseIn(question, line.text)
    case 'contact':
      return contactIn(line.text)
    default:
      return undefined
  }
}

// The line of a slide that the question is about: "Visitors: 120" and not the budget above it.
function bestLine(topic: Topic, text: string): string | undefined {
  const lines = text.split('\n')
  if (lines.length < 2) return undefined
  const quoted = tokens(topic.quoted.join(' ')).map(token => token.stem)
  const unquotedTopic = { ...topic, quoted: [], terms: topic.terms.filter(term => !quoted.includes(term.stem)) }
  const scored = lines.map(line => ({ line, score: topicShare(unquotedTopic, line) })).sort((a, b) => b.score - a.score)
  const [best, second] = scored
  return best && second && best.score > 0 && best.score > second.score ? best.line : undefined
}
