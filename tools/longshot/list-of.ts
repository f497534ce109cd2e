import { z } from 'zod'

// A list that may also come as one text, with commas between its items.
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess(value => (typeof value === 'string' ? split(value) : value), z.array(item))
}

function split(text: string): string[] {
  return text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(/\s*[,;|]\s*/)
    .map(item => item.replace(/^["']|["']$/g, '').trim())
    .filter(Boolean)
}
