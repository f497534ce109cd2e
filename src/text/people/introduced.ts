import { capitalised, nameForm, splitPersonName } from './name-form.ts'
import { withCapitals } from './sentences.ts'

const patterns = [
  String.raw`\b(?:[Pp]lease|[Ll]et us|[Ll]et['’]s|[Ww]e)\s+(?:all\s+)?(?:give a warm )?welcome\s+(?:to\s+)?(NAME)`,
  String.raw`\b(?:[Mm]y|[Oo]ur)\s+(?:next |first |second |last |special )*(?:guest|speaker)(?:\s+(?:today|tonight|this evening|this morning))?\s+is\s+(NAME)`,
  String.raw`\b(?:[Ll]et me|I['’]d like to|I want to|I will|I['’]ll)\s+(?:now )?introduce\s+(?:you to |to you )?(NAME)`,
  String.raw`\b(?:[Gg]ive it up for|[Aa] warm welcome (?:to|for)|[Pp]lease give a (?:warm )?(?:hand|welcome) (?:to|for))\s+(NAME)`,
  String.raw`\b(?:I['’]m|I am|[Ww]e['’]re|[Ww]e are)\s+(?:now |also )?joined (?:today |tonight |now )?by\s+(NAME)`,
].map(pattern => new RegExp(pattern.replace('NAME', capitalised), 'gu'))

const otherTimes =
  /\b(?:yesterday|tomorrow|earlier|later|last (?:week|year|month|time)|next (?:week|year|month|time)|will be|not|never|once|used to)\b|n['’]t\b/i

// The one guest whom a host announces, who is to speak next; of several it is not known who does.
export function guestAnnounced(line: string): string | undefined {
  const text = withCapitals(line)
  if (otherTimes.test(text)) return undefined
  const matches = patterns.flatMap(pattern => [...text.matchAll(pattern)])
  const [first] = matches
  const name = first?.[1] && nameForm(first[1])?.name
  if (!first || !name || matches.length > 1) return undefined
  const rest = text.slice(first.index + first[0].length)
  return /^\s*(?:,\s*)?(?:and|or|&)\s+(?:\p{Lu}|his|her|their|my|our)/u.test(rest) || /^['’]/.test(rest)
    ? undefined
    : name
}

const asGuest =
  /\bfor (?:having|inviting) me\b|\b(?:great|good|happy|pleasure|glad|lovely|nice|delighted|honou?red|thrilled|excited|wonderful|honou?r|pleased) (?:it is |it['’]s )?to be (?:here|with you|on the show)\b|\bfor (?:the|that|your) (?:\w+ )?(?:introduction|welcome|kind words|invitation)\b/i

// A line that only somebody says who was just announced; whoever says the name speaks to its bearer.
export function answersAsGuest(line: string, name: string): boolean {
  const text = line.toLowerCase()
  return (
    asGuest.test(line) &&
    !/\bas (?:always|usual|ever)\b/i.test(line) &&
    !splitPersonName(name).some(part => text.includes(part))
  )
}
