import { splitItems } from '../../../src/text/question/items.ts'

// The options that a question lists itself: "which of these towns is named: Rome, Oslo or Bern?"
export function choicesIn(question: string): string[] {
  const list = lists.map(pattern => pattern.exec(question)?.[1]).find(found => found !== undefined)
  const items = list ? splitItems(list) : []
  return items.length > 1 ? items : []
}

const lists = [
  /\bwhich (?:one )?of (?:these|those|the following)\b[^:?]*:\s*([^?]+)\??\s*$/i,
  /^(?:and |but )?(?:which|what|who|where|was it|is it|did|does)\b[^?]*[:,]\s*((?:[^,?:]+,\s*)*[^,?:]+,?\s+or\s+[^,?]+)\??\s*$/i,
]
