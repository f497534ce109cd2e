import { quotesIn } from './topic.ts'

// The things whose order a question asks for: "which comes first, the red sign or the bell?", "does A appear before B?"
export function itemsToOrder(question: string): string[] {
  const asksOrder =
    /\b(in (what|which) order|order (of|do|did|does|are|is|were)|sequence|chronological|comes? (first|last|earlier|later)|came (first|last|earlier|later)|(appears?|shown|said|mentioned|heard|happens?|spoken|displayed|occurs?) (first|last|earlier|later)|which (is|was|of) .*\b(first|last|earlier|later)|^(first|earlier)\b.* or )/i.test(
      question,
    )
  const compares =
    /^(is|are|was|were|does|do|did)\s+(.+?)\s+(?:(?:come|appear|happen|occur|shown|said|mentioned|heard|spoken|displayed|play|played|mention|get mentioned)\w*\s+)?(?:right |just |immediately )?(before|after|earlier than|later than)\s+(.+?)\??$/i.exec(
      question,
    )
  if (compares) return [compares[2], compares[4]].map(clean)
  if (!asksOrder) return []
  const quoted = quotesIn(question)
  if (quoted.length > 1) return quoted
  const list =
    /[:,]\s*([^:?]+(?:,|\bor\b|\band\b)[^:?]+)\??\s*$/.exec(question)?.[1] ??
    /\border (?:do|does|did|are|is|were|was|of)\s+(.+?)\s*(?:appear|shown|mentioned|said|come|happen|heard|occur|displayed|get)\w*\b/i.exec(
      question,
    )?.[1] ??
    /^(?:which|what) (?:is|was|comes|came|appears|appeared|happens|is (?:shown|said|heard|mentioned))[^,]*?(?:first|earlier|last)\s+(.+ or .+?)\??$/i.exec(
      question,
    )?.[1]
  if (!list) return []
  const items = list
    .split(/\s*,\s*(?:and |or |then )?|\s+(?:and|or)\s+(?!the same)/i)
    .map(clean)
    .filter(item => /[\p{L}\p{N}]/u.test(item))
  return items.length > 1 ? items : []
}

// "A, then B and C" or "A -> B -> C".
export function splitItems(text: string): string[] {
  return text
    .split(/\s*(?:->|→|=>|>|;)\s*|\s*,\s*(?:and then |then |and |or )?|\s+(?:and then|then|followed by)\s+|\s+and\s+/i)
    .map(clean)
    .filter(item => /[\p{L}\p{N}]/u.test(item))
}

function clean(item: string): string {
  return item
    .replace(/^(the|a|an) (word|phrase|text|sign|slide|mention) (of )?/i, '')
    .replace(/^["'“]|["'”]$/g, '')
    .replace(/^(the|a|an)\s+/i, '')
    .trim()
}
