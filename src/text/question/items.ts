import { quotesIn } from './topic.ts'

// The things whose order a question asks for: "which comes first, the red sign or the bell?", "does A appear before B?"
export function itemsToOrder(question: string): string[] {
  const compared = comparison.exec(question)
  if (compared) return compared.slice(1).map(clean)
  if (!asksOrder(question)) return []
  const quoted = quotesIn(question)
  if (quoted.length > 1) return quoted
  const list = lists.map(pattern => pattern.exec(question)?.[1]).find(found => found !== undefined)
  const items = list ? splitItems(list.replace(/(?<!\s)\s+or\s+/gi, ', ')) : []
  return items.length > 1 ? items : []
}

// "A, then B and C" or "A -> B -> C".
export function splitItems(text: string): string[] {
  return text
    .split(
      /(?<!\s)\s*(?:->|→|=>|>|;)\s*|(?<!\s)\s*,\s*(?:and then |then |and |or )?|(?<!\s)\s+(?:and then|then|followed by)\s+|(?<!\s)\s+(?:and|or)\s+/i,
    )
    .map(clean)
    .filter(item => /[\p{L}\p{N}]/u.test(item))
}

const happens = 'appear|shown|show up|said|mentioned|heard|spoken|displayed|happen|occur|come|played|seen|named'

// "Is the bell heard before the music?"
const comparison = new RegExp(
  `^(?:is|are|was|were|does|do|did)\\s+(.+?)\\s+(?:(?:get )?(?:${happens}|mention|play|ring|sound)\\w*\\s+)?(?:right |just |immediately )?(?:before|after|earlier than|later than)\\s+(.+?)\\??$`,
  'i',
)

function asksOrder(question: string): boolean {
  return [
    /\b(in (what|which) order|order (of|do|did|does|are|is|were)|sequence|chronological)/i,
    new RegExp(
      `\\b(comes?|came|(?:is|are|was|were) (?:first |last )?(?:${happens})|(?:${happens})\\w*) (first|last|earlier|later|earliest|latest)\\b`,
      'i',
    ),
    /\bwhich (is|was|of) .*\b(first|last|earlier|later)/i,
    /^(first|earlier)\b.* or /i,
  ].some(pattern => pattern.test(question))
}

const lists = [
  // "in what order do A, B and C appear on screen?"
  new RegExp(
    `\\border (?:do|does|did|are|is|were|was|of)\\s+(?!these|those|they|the following)(.+?)\\s+(?:first |last )?(?:get )?(?:${happens})\\w*\\b`,
    'i',
  ),
  /\border of\s+(?!these|those|the following)([^:?]+?(?:,|\band\b)[^:?]+)\??\s*$/i,
  // "put these in order: A, B, C" and "which comes first, A or B?"
  /:\s*([^:?]+(?:,|\bor\b|\band\b)[^:?]+)\??\s*$/i,
  /(?:first|last|earlier|later),\s*([^:?]+(?:,|\bor\b|\band\b)[^:?]+)\??\s*$/i,
  // "which comes first A or B?"
  /\b(?:first|last|earlier|later)\s+([^,?]+ or [^?]+)\??$/i,
  /^first\s+(.+ or .+?)\??$/i,
]

function clean(item: string): string {
  return item
    .trim()
    .replace(/^(the|a|an) (word|phrase|text|sign|slide|mention) (of )?/i, '')
    .replace(/^["'“‘]|["'”’]$/g, '')
    .replace(/^(the|a|an)\s+/i, '')
    .replace(new RegExp(`\\s+(?:is|are|was|were)?\\s*(?:${happens})\\w*(?: (?:on|in|first|last).*)?$`, 'i'), '')
    .trim()
}
