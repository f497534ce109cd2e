import { z } from 'zod'

// A list of one item or more that may also come as one text, with commas between.
export function listOf<Item extends z.ZodType>(item: Item, most: number) {
  return z.preprocess(value => (typeof value === 'string' ? split(value) : value), z.array(item).min(1).max(most))
}

function split(text: string): string[] {
  return text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(/(?<!\s)\s*[,;|]\s*/)
    .map(item => item.replace(/^["']|["']$/g, '').trim())
    .filter(Boolean)
}
