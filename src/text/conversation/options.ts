import { coverage } from '../alike.ts'
import { tokens } from '../words.ts'
import type { PastTurn } from './past-turn.ts'

// What an earlier question let choose from, and which of it the answer took.
export function optionsOf({ question, choice, answer }: PastTurn): { texts: string[]; chosen?: number } {
  const given = question.options ?? []
  const texts = (given.length > 0 ? given : listedIn(question.text.slice(0, 1000))).map(text =>
    text.replace(/^\s*\(?[A-J][).:]\s+/, ''),
  )
  if (given.length > 0 && choice !== undefined) return { texts, chosen: choice }
  // "First the weather, then the whales": what is named first is what was taken.
  const places = texts.map(text => answer.toLowerCase().indexOf(text.toLowerCase().replace(/^(the|an?) /, '')))
  if (places.length > 1 && places.every(place => place >= 0))
    return { texts, chosen: places.indexOf(Math.min(...places)) }
  const scores = texts.map(text => coverage(tokens(text), answer))
  const best = Math.max(0, ...scores)
  const chosen = scores.indexOf(best)
  return best >= 0.5 && scores.filter(score => score === best).length === 1 ? { texts, chosen } : { texts }
}

// "Is it the red or the blue one?", "Which is named: Rome, Oslo or Bern?"
function listedIn(question: string): string[] {
  const list =
    /[:,]\s*((?:[^,?:]+,\s*)*[^,?:]+,?\s+or\s+[^,?]+)\??\s*$/i.exec(question)?.[1] ??
    /\b((?:the |an? )?[\p{L}\d'-]+(?: [\p{L}\d'-]+)? or (?:the |an? )?[\p{L}\d'-]+(?: [\p{L}\d'-]+)?)\??\s*$/iu.exec(
      question,
    )?.[1]
  if (!list) return []
  const items = list.split(/(?<!\s)\s*,\s*(?:or\s+)?|(?<!\s)\s+or\s+/i).map(item => item.trim())
  return items.filter(item => item !== '')
}
