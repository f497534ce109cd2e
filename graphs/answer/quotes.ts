import { byTime, type Evidence } from '../../src/core/evidence.ts'
import type { Coverage } from '../../src/core/video.ts'
import { damageAsked } from '../../src/text/question/damage-asked.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'
import type { DraftSentence } from '../state.ts'

// "Not in the video", said as far as it was looked at, with the moments that come nearest.
export function abstain(question: string, ledger: readonly Evidence[], coverage: Coverage): DraftSentence[] {
  const near = nearestRows(question, ledger, 2)
  const unseen = unindexedTracks(coverage)
  const damage = damageAsked(question, coverage)
  const first = damage
    ? `The question cannot be answered: ${damage}.`
    : `The video does not seem to answer this, as far as it is indexed${unseen ? ` (${unseen})` : ''}.`
  return [{ text: first, cites: [] }, ...near.map(row => ({ text: `The nearest is: ${quote(row)}`, cites: [row.id] }))]
}

// What there is that fits the question best, as quotes: the answer when no model may be called any more.
export function lastAnswer(question: string, ledger: readonly Evidence[], always = false): DraftSentence[] {
  const near = nearestRows(question, ledger, 3)
  const any = near.length === 0 && always ? ledger.filter(row => row.text.trim() !== '').slice(0, 1) : near
  return any.map(row => ({ text: quote(row), cites: [row.id] }))
}

export function nearestRows(question: string, ledger: readonly Evidence[], count: number): Evidence[] {
  const terms = tokens(question).filter(token => !isStopWord(token.text))
  return ledger
    .filter(row => row.text.trim() !== '')
    .map(row => ({ row, score: coverage(terms, row.text) }))
    .filter(({ score }) => score > 0.15)
    .sort((a, b) => b.score - a.score || byTime(a.row, b.row))
    .slice(0, count)
    .map(({ row }) => row)
}

export function quote(row: Evidence): string {
  const text = row.text.replace(/\s+/g, ' ').trim()
  const short = text.length > 240 ? `${text.slice(0, 237)}...` : text
  const how = { speech: 'said', text: 'on screen', sound: 'heard', picture: 'seen' }[row.track as string]
  return how ? `${how}: "${short}"` : `"${short}"`
}

function unindexedTracks(coverage: Coverage): string {
  return (['speech', 'text', 'sound', 'picture'] as const)
    .filter(track => coverage[track].state !== 'indexed')
    .map(track => `${track}: ${coverage[track].state}`)
    .join(', ')
}
