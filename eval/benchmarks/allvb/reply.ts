import { type ChoiceRule, readChoice } from '../../metrics/choice/read-choice.ts'
import { closestOption } from '../../metrics/choice/similarity.ts'
import type { Scoring } from '../sample.ts'

export interface AllvbReading {
  letter?: string
  rule: ChoiceRule | 'closest'
}

// How alike a reply without a letter must be to an option. The paper names no measure and takes the closest; strict wants
// it clearly so.
const closeEnough: Record<Scoring, { similarity: number; margin: number }> = {
  official: { similarity: 0, margin: 0 },
  strict: { similarity: 0.4, margin: 0.1 },
}
const declines = /\b(?:cannot|can't|can not|unable|not (?:possible|able|sure|enough))\b/i

export function readAnswer(
  reply: string | null | undefined,
  options: readonly string[],
  scoring: Scoring,
): AllvbReading {
  const reading = readChoice(reply, { count: options.length, texts: [...options] })
  if (reading.rule !== 'none' || declines.test(reply ?? '')) return reading
  const closest = closestOption((reply ?? '').replace(/^[\s\S]*?best answer\s*:/i, ''), options)
  const needed = closeEnough[scoring]
  if (!closest || closest.similarity < needed.similarity || closest.margin < needed.margin) return reading
  return { letter: String.fromCharCode(65 + closest.index), rule: 'closest' }
}

const numbered = [/(?:question|q)\s*(\d+)\s*(?:\*\*)?\s*[:.)]/gi, /^[ \t]*(?:\*\*)?(\d+)\s*[.):]/gm]

// The answers of one reply to all questions of a film, in the order asked; undefined where there is none. The first answer
// to a question counts. Without numbers, a bare list of as many letters as questions is taken in order.
export function readBatch(reply: string | null, count: number, offered = 5): (string | undefined)[] {
  const answers = new Array<string | undefined>(count).fill(undefined)
  const text = reply ?? ''
  for (const pattern of numbered) {
    const marks = [...text.matchAll(pattern)]
    if (marks.length === 0) continue
    marks.forEach((mark, i) => {
      const place = Number(mark[1]) - 1
      const said = text.slice(mark.index + mark[0].length, marks[i + 1]?.index).replace(/\*\*/g, ' ')
      if (place >= 0 && place < count)
        answers[place] ??= readChoice(said.trim().split('\n')[0], { count: offered }).letter
    })
    return answers
  }
  const letters = text.split(/[\s,;]+/).filter(part => part !== '')
  const bare = letters.map(part => /^[([]?([A-Z])[)\].]?$/.exec(part)?.[1])
  return bare.length === count && bare.every(Boolean) ? bare : answers
}
