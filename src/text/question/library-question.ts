import type { Question } from '../../core/agent.ts'
import { optionText } from '../option.ts'
import { parseTopic } from './topic.ts'

const kinds =
  '(?:videos?|films?|movies?|recordings?|clips?|files?|lectures?|talks?|episodes?|lessons?|interviews?|presentations?|meetings?|songs?|poems?|readings?)'
const several = new RegExp(`\\b(?:which|what|how many|all(?: the)?) (?:of the )?${kinds.replaceAll('s?', 's')}\\b`, 'i')
const inWhich = new RegExp(
  `^\\s*(?:in|on|during|from|at) (?:which|what) (?:one )?(?:of (?:the|these|my) )?${kinds}\\b,?\\s*`,
  'i',
)

// What is looked for in all videos: the telling words of the question and of its options.
export function questionWords({ text, options = [] }: Question): string {
  const [words, ...others] = [withoutWhich(text), ...options.map(optionText)].map(one => parseTopic(one).words || one)
  return [words, ...others].join(' ').trim()
}

// The question as one video can be asked it: "In which lecture is it explained, and by whom?" is "When is it explained, and by whom?"
export function insideQuestion(question: Question): Question {
  return { ...question, text: withoutWhich(question.text) }
}

// Whether more than one video is asked for.
export function wantsSeveral({ text }: Question): boolean {
  return several.test(text)
}

function withoutWhich(text: string): string {
  if (!inWhich.test(text)) return text
  return text.replace(inWhich, 'When ').replace(/,?\s+and (?:when|at what time|where)(?=\s*[?.!]*\s*$)/i, '')
}
