import { ordinalValue } from '../number-words.ts'

const counted =
  /\bsecond (slide|sign|sentence|line|sound|shot|scene|beep|word|thing|time|text|title|caption|one|speaker|person|bell|bark|knock|tone|noise|topic|question|step|point|item|chapter|part|mention|occurrence)/i

// "the third beep", "the last slide": which of several; "second" alone is a measure of time.
export function parseNth(text: string): number | 'last' | undefined {
  if (/\b(last|final)\b(?! (name|week|year|month|night|summer|winter))/i.test(text)) return 'last'
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const value = ordinalValue(word)
    if (value !== undefined && (word !== 'second' || counted.test(text))) return value
  }
  return undefined
}

export function pickNth<Item>(items: readonly Item[], nth: number | 'last'): Item | undefined {
  return nth === 'last' ? items.at(-1) : items[nth - 1]
}
