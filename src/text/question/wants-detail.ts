import type { Question } from '../../core/agent.ts'
import { chooseRoute } from './route.ts'

const wishes =
  /\b(describe|explain|elaborate|discuss|outline|in (?:more |full |some |great )?detail|detailed|thorough(?:ly)?|walk (?:me|us) through|tell (?:me|us) (?:all |more |everything )?about)\b/i

// Whether a question asks for more than its one fact.
export function wantsDetail({ text, options }: Question): boolean {
  if (options && options.length > 0) return false
  return wishes.test(text) || ['summary', 'compare'].includes(chooseRoute(text))
}
