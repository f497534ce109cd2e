import type { Turn } from '../../core/agent.ts'
import type { Evidence } from '../../core/evidence.ts'
import { parseTime, type Span } from '../../core/time.ts'
import type { VideoIndex } from '../../core/video.ts'
import { coverage } from '../word-similarity.ts'
import { isStopWord, tokens } from '../words.ts'

const minCoverage = 0.35 // of the answer's words that a line must hold to support it
const maxRows = 3

// The rows that an earlier turn rests on. A reference answer names none, so the lines that say the same are looked up.
export async function rowsOfTurn(
  turn: Turn,
  index: VideoIndex,
  known: (id: string) => Evidence | undefined,
): Promise<Evidence[]> {
  const kept = new Map((turn.evidence ?? []).map(row => [row.id, row]))
  const cites = [...new Set((turn.answer?.sentences ?? []).flatMap(sentence => sentence.cites))]
  const rows = cites.map(id => kept.get(id) ?? known(id)).filter(row => row !== undefined)
  if (rows.length > 0 || turn.evidence) return rows.length > 0 ? rows : (turn.evidence ?? [])
  return turn.reference ? saying(turn.question.text, turn.reference, index) : []
}

async function saying(question: string, reference: string, index: VideoIndex): Promise<Evidence[]> {
  const stated = statedSpan(reference)
  const there = stated && index.evidence({ span: stated }).filter(isTelling)
  const hits = await index.search({ query: `${reference} ${question}`.slice(0, 400), k: 24 })
  const found = hits.map(hit => hit.evidence).filter(isTelling)
  const pool = there && there.length > 0 ? there : found
  const answer = telling(reference)
  const asked = telling(question)
  const scored = pool
    .map(row => {
      const said = coverage(answer, row.text)
      return { row, said, score: said + 0.4 * coverage(asked, row.text) }
    })
    .sort((a, b) => b.score - a.score)
  const [best] = scored
  if (!best || (best.said < minCoverage && !stated)) return []
  return scored
    .filter(({ score }) => score >= best.score - 0.1)
    .slice(0, maxRows)
    .map(({ row }) => row)
}

function statedSpan(text: string): Span | undefined {
  const times = [...text.matchAll(/\b\d{1,3}:\d{2}(?::\d{2})?\b/g)].flatMap(([time]) => parseTime(time) ?? [])
  const [first, second = 0] = times
  return first === undefined ? undefined : { start: Math.max(0, first - 1), end: Math.max(first + 1, second) }
}

function telling(text: string) {
  return tokens(text).filter(token => !isStopWord(token.text))
}

function isTelling(row: Evidence): boolean {
  return ['speech', 'text', 'sound'].includes(row.track) && row.text.trim() !== ''
}
