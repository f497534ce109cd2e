import type { Draft } from '../../core/brief.ts'
import type { Evidence } from '../../core/evidence.ts'
import { bracketedCites } from '../bracketed-cites.ts'
import { comesFrom, statedTimes } from '../times-in-prose.ts'

type DraftSentence = Draft['sentences'][number]

// A time in an answer comes from the ledger, and so does a citation. Any other is taken out of the sentence; a sentence of
// which nothing is left goes.
export function validate(
  draft: readonly DraftSentence[],
  ledger: ReadonlyMap<string, Evidence>,
): { sentences: DraftSentence[]; notes: string[] } {
  const notes: string[] = []
  const sentences = draft.flatMap(sentence => {
    const written = bracketedCites(sentence.text)
    const citedIds = [...new Set([...sentence.cites, ...written.cites])]
    const cites = citedIds.filter(id => ledger.has(id))
    for (const id of citedIds)
      if (!ledger.has(id)) notes.push(`A citation of unknown evidence (${id.slice(0, 20)}) was taken out.`)
    const rows = cites.map(id => ledger.get(id)).filter(row => row !== undefined)
    const text = withoutStrangeTimes(written.text, rows, notes)
    return /[\p{L}\p{N}]/u.test(text) ? [{ text, cites }] : []
  })
  return { sentences, notes }
}

function withoutStrangeTimes(text: string, rows: readonly Evidence[], notes: string[]): string {
  let clean = text
  // Taking one out can join what stood around it into another, so this goes on until none is left.
  for (;;) {
    const strange = statedTimes(clean).filter(stated => !comesFrom(stated, rows))
    if (strange.length === 0) break
    for (const stated of strange.reverse()) {
      const before = clean
        .slice(0, stated.start)
        .replace(/(?<!\s)\s*\b(?:at|from|around|about|between|in|on|by|near|until|to)\s*$/i, '')
      clean = `${before} ${clean.slice(stated.end)}`
      notes.push(`The time "${stated.text}" is in no cited evidence and was taken out.`)
    }
  }
  return tidy(clean)
}

function tidy(text: string): string {
  return text
    .replace(/\(\s*\)|\[\s*\]/g, '')
    .replace(/(?<!\s)\s+([.,;:!?])/g, '$1')
    .replace(/\s{2,}/g, ' ')
    .replace(/^[\s,;:-]+/, '')
    .trim()
}
