import type { Answer } from '../../../../src/core/agent.ts'
import { byTime, type Evidence } from '../../../../src/core/evidence.ts'
import { formatTime } from '../../../../src/core/time.ts'
import { escapeMarkup } from '../../../../src/core/words/escape-markup.ts'
import { visibleLine } from '../../../../src/core/words/visible-text.ts'

interface Citation {
  start: number // characters of the whole text
  end: number
  url: string
  title: string
}

export interface AnswerContent {
  pieces: string[] // a sentence each
  text: string
  citations: Citation[]
}

type CitedRow = Pick<Evidence, 'id' | 'span' | 'track' | 'text'>

const titleLength = 80

// The checked answer as text, each sentence with the moments that it cites: "The room is 31 [12:34]."
export function writeAnswerContent(
  answer: Answer,
  evidence: readonly CitedRow[],
  link: (row: CitedRow) => string,
): AnswerContent {
  const rows = new Map(evidence.map(row => [row.id, row]))
  const citations: Citation[] = []
  const pieces: string[] = []
  let length = 0
  const add = (text: string, marks: readonly Mark[]) => {
    for (const { at, end, row } of marks)
      citations.push({ start: length + at, end: length + end, url: link(row), title: citationTitle(row) })
    pieces.push(text)
    length += text.length
  }
  const head = answerHead(answer)
  if (head === undefined) {
    const cited = [...new Set(answer.sentences.flatMap(({ cites }) => cites))].flatMap(id => rows.get(id) ?? [])
    const text = escapeMarkup(answer.text)
    add(
      text,
      cited.map(row => ({ at: text.length, end: text.length, row })),
    )
  } else {
    for (const [index, { text, cites }] of answer.sentences.entries()) {
      const sentence = withMoments(
        index > 0 ? text : `${head}${text.trim()}`,
        cites.flatMap(id => rows.get(id) ?? []),
        index > 0 ? ' ' : '',
      )
      add(sentence.text, sentence.marks)
    }
  }
  return { pieces, text: pieces.join(''), citations }
}

// What stands before the sentences, as the letter of a choice; undefined if the text is not made of them.
function answerHead({ text, sentences }: Answer): string | undefined {
  let end = 0
  let head: string | undefined
  for (const sentence of sentences) {
    const body = splitSentenceEnd(sentence.text).body
    const at = body === '' ? -1 : text.indexOf(body, end)
    if (at < 0) return undefined
    head ??= text.slice(0, at)
    end = at + body.length
  }
  return head
}

interface Mark {
  at: number
  end: number
  row: CitedRow
}

function withMoments(given: string, rows: readonly CitedRow[], before: string): { text: string; marks: Mark[] } {
  if (rows.length === 0) return { text: `${before}${escapeMarkup(given)}`, marks: [] }
  const { body, end } = splitSentenceEnd(given)
  let text = `${before}${escapeMarkup(body)}`
  const marks: Mark[] = []
  let last = ''
  for (const row of [...rows].sort(byTime)) {
    const moment = `[${formatTime(row.span.start)}]`
    if (moment !== last) text += ` ${moment}`
    last = moment
    marks.push({ at: text.length - moment.length, end: text.length, row })
  }
  return { text: `${text}${end || '.'}`, marks }
}

function splitSentenceEnd(sentence: string): { body: string; end: string } {
  const [, body = '', end = ''] = /^([\s\S]*?)(?<![.!?])([.!?]*)$/.exec(sentence.trim()) ?? []
  return { body, end }
}

function citationTitle({ span, track, text }: CitedRow): string {
  const line = visibleLine(text).replace(/\s+/g, ' ').trim()
  const short = line.length > titleLength ? `${line.slice(0, titleLength - 1)}…` : line
  return `${formatTime(span.start)}-${formatTime(span.end)} ${track} "${escapeMarkup(short)}"`
}
