export const maxReply = 8000 // characters of the text, and of the JSON
const maxWords = 1500 // characters of one line of strangers' words
const room = 6600 // for lines and what is said of them; the rest is for the frame around them

export interface PageLine<Item> {
  item: Item // goes to the JSON
  words: string // go to the fence
}

export interface ReplyPage<Item> {
  items: Item[]
  words: string[]
  left: number // lines that did not fit
  cursor?: string // of the next page
}

// So many lines, from the cursor on, as a reply can hold: at least one.
export function fillPage<Item>(lines: readonly PageLine<Item>[], cursor = '0', taken = 0): ReplyPage<Item> {
  const first = Number(cursor)
  const items: Item[] = []
  const words: string[] = []
  let used = taken
  for (const line of lines.slice(first)) {
    const clipped = clip(line.words)
    used += JSON.stringify(clipped).length + JSON.stringify(line.item).length + 2
    if (used > room) break // the first of a page always fits: lines are clipped
    items.push(line.item)
    words.push(clipped)
  }
  const end = first + items.length
  return { items, words, left: Math.max(0, lines.length - end), ...(end < lines.length && { cursor: String(end) }) }
}

// To so many characters as JSON writes them.
export function clip(text: string, max = maxWords): string {
  let end = Math.min(text.length, max)
  while (JSON.stringify(text.slice(0, end)).length > max) end = Math.floor(end * 0.9)
  const whole = text.slice(0, end).replace(/[\ud800-\udbff]$/, '') // not in the middle of a character
  return end < text.length ? `${whole}\u2026` : text
}
