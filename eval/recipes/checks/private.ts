import type { ItemCheck } from '../item.ts'
import { eachItem } from './parts/verdicts.ts'

// K18. What may be somebody's own goes to people first.
export const privateData: ItemCheck = {
  k: 18,
  name: 'private',
  run: (items, { record }) =>
    eachItem(items, item => {
      const cited = new Set(item.rows)
      const rows = record(item.video).rows.filter(row => cited.has(row.id))
      const { question, answer, options = [] } = item
      const kind = privateIn([question, answer, ...options, ...rows.map(row => row.text)].join('\n'))
      return kind && { outcome: 'flag', detail: `it may hold ${kind}` }
    }),
}

// Only the kind is named: the value does not belong in a log.
function privateIn(text: string): string | undefined {
  if (/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u.test(text)) return 'an e-mail address'
  if (/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/.test(text)) return 'an account number'
  const runs = text.match(/(?<![\p{L}\p{N}.,:])\+?\(?\d(?:[ ()/.-]{0,2}\d){6,21}(?![\p{L}\p{N}:])/gu) ?? []
  if (runs.some(isCard)) return 'a card number'
  if (/\b(?:account|konto|acct)\b\D{0,20}\d{6,}/i.test(text)) return 'an account number'
  if (runs.some(isPhone)) return 'a phone number'
}

// Luhn's check digit (ISO/IEC 7812), 13 to 19 digits.
function isCard(run: string): boolean {
  const digits = [...run.replace(/\D/g, '')].map(Number).reverse()
  if (digits.length < 13 || digits.length > 19) return false
  const sum = digits.reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  )
  return sum % 10 === 0
}

// A date, or a plain large number, is none: a phone number has a plus or parts.
function isPhone(run: string): boolean {
  const digits = run.replace(/\D/g, '').length
  if (digits < 7 || digits > 15 || /^\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}$|^\d{1,2}[-./ ]\d{1,2}[-./ ]\d{4}$/.test(run))
    return false
  const parts = run.split(/[ ()/.-]+/).filter(part => part !== '')
  const isGrouped = parts.slice(1).every(part => part.length === 3) && /^\d{1,3}(?: \d{3})+$/.test(run)
  return run.startsWith('+') || (parts.length >= 2 && !isGrouped && parts.some(part => part.length >= 3))
}
