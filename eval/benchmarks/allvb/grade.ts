import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { Scoring } from '../../data/sample.ts'
import type { Grade } from '../../data/sample-line.ts'
import { closestOption, letterAt } from '../../metrics/choice/options.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import type { Sum } from '../benchmark.ts'
import { countGrades, countReasons, meanInPercent } from '../grades.ts'
import { missing } from '../multiple-choice/grade.ts'
import { type AllvbRecord, allvbTasks } from './record.ts'

// What cannot be read counts as wrong in both scorings; they differ in how alike a reply without a letter must be to an
// option.
export function gradeAllvb({ options, answer }: AllvbRecord, reply: string | null | undefined): Grade {
  const read = (scoring: Scoring) => {
    const { letter, rule } = readAllvbAnswer(reply, options, scoring)
    const reason = letter === undefined ? missing(rule) : undefined
    return { score: Number(letter === answer), rule, value: letter, reason }
  }
  return { ...read('strict'), official: read('official') }
}

// Accuracy by task, and over all questions at once (the reported average is the micro average).
export const sumAllvb: Sum<AllvbRecord> = (graded, scoring) => {
  const accuracy = (of: typeof graded) =>
    meanInPercent(of.map(item => Number(countGrades(item, 'answer', scoring).score === 1)))
  const byTask = groupBy(graded, item => item.record.task)
  return {
    metrics: { average: accuracy(graded) },
    groups: Object.fromEntries(
      allvbTasks.flatMap(task => {
        const of = byTask.get(task)
        return of ? [[task, { n: of.length, accuracy: accuracy(of) }]] : []
      }),
    ),
    excluded: countReasons(graded, ['answer'], scoring),
  }
}

// How alike a reply without a letter must be to an option. The paper names no measure and takes the closest; strict wants
// it clearly so.
const closeEnough: Record<Scoring, { similarity: number; margin: number }> = {
  official: { similarity: 0, margin: 0 },
  strict: { similarity: 0.4, margin: 0.1 },
}
const declines = /\b(?:cannot|can't|can not|unable|not (?:possible|able|sure|enough))\b/i

export function readAllvbAnswer(
  reply: string | null | undefined,
  options: readonly string[],
  scoring: Scoring,
): { letter?: string; rule: string } {
  const reading = readReplyChoice(reply, { count: options.length, texts: [...options] })
  if (reading.rule !== 'none' || declines.test(reply ?? '')) return reading
  const closest = closestOption((reply ?? '').replace(/^[\s\S]*?best answer\s*:/i, ''), options)
  const needed = closeEnough[scoring]
  if (!closest || closest.similarity < needed.similarity || closest.margin < needed.margin) return reading
  return { letter: letterAt(closest.index), rule: 'closest' }
}

const numbered = [/(?:question|q)\s*(\d+)\s*(?:\*\*)?\s*[:.)]/gi, /^[ \t]*(?:\*\*)?(\d+)\s*[.):]/gm]

// The answers of one reply to all questions of a film, in the order asked; undefined if there is none. The first answer
// to a question counts. Without numbers, a bare list of as many letters as questions is taken in order.
export function readBatch(reply: string | null, count: number): (string | undefined)[] {
  const answers = new Array<string | undefined>(count).fill(undefined)
  const text = reply ?? ''
  for (const pattern of numbered) {
    const marks = [...text.matchAll(pattern)]
    if (marks.length === 0) continue
    marks.forEach((mark, i) => {
      const position = Number(mark[1]) - 1
      const statement = text.slice(mark.index + mark[0].length, marks[i + 1]?.index).replace(/\*\*/g, ' ')
      if (position >= 0 && position < count)
        answers[position] ??= readReplyChoice(statement.trim().replace(/\n[\s\S]*/, ''), { count: 5 }).letter
    })
    return answers
  }
  const letters = text.split(/[\s,;]+/).filter(part => part !== '')
  const bare = letters.map(part => /^[([]?([A-Z])[)\].]?$/.exec(part)?.[1])
  return bare.length === count && bare.every(Boolean) ? bare : answers
}
