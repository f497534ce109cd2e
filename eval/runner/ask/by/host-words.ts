import type { Question, Turn } from '../../../../src/core/agent.ts'
import { type Evidence, stamp } from '../../../../src/core/evidence.ts'
import { clampSpan, formatMoment } from '../../../../src/core/time.ts'
import type { Video } from '../../../../src/core/video.ts'
import { visibleFileName } from '../../../../src/core/words/visible-text.ts'
import { isNone } from '../../../../src/text/option.ts'
import { statedTimes } from '../../../../src/text/times-in-prose.ts'
import { letterIndex, optionLines } from '../../../metrics/choice/options.ts'
import { readReplyChoice } from '../../../metrics/choice/read-choice.ts'
import type { AskResult } from '../agent.ts'

const maxAnswer = 20_000 // characters

// A question as every host gets it, whatever carries it.
export function hostQuestion({ text, options }: Question, turns: readonly Turn[], video: Video): string {
  const before = turns.map(
    turn => `Earlier question: ${turn.question.text}\nIts answer: ${turn.reference ?? turn.answer?.text ?? 'none'}`,
  )
  return [
    `About the video ${visibleFileName(video.name)} (${video.id}, ${formatMoment(video.duration)} long). Use the longtake tools; the video is indexed.`,
    ...before,
    `Question: ${text}`,
    ...(options ? [`Options:\n${optionLines(options)}`] : []),
    'Name the times that the answer rests on as [3:20.5-3:24.0].',
    options
      ? 'End with a line "Answer: " and the letter of one option.'
      : 'End with a line "Answer: " and the answer alone, in a few words if they are enough. If the video does not tell, say so there.',
  ].join('\n\n')
}

// The answer that a host wrote: its last "Answer:", the option that it chose, and the times that it names, as rows that it cites.
export function readHostAnswer(
  text: string,
  question: Question,
  { video, by }: { video: Video; by: string },
): Pick<AskResult, 'answer' | 'evidence'> {
  const reply = text.trim().slice(-maxAnswer)
  const ending = [...reply.matchAll(/^[*_#\s]*answer[*_]*\s*:[*_]*[ \t]*/gim)].at(-1)
  const last = ending ? reply.slice(ending.index + ending[0].length).trim() : ''
  const { options } = question
  const { letter } = options ? readReplyChoice(reply, { count: options.length, texts: options }) : {}
  const choice = letterIndex(letter)
  const evidence = namedSpans(reply, video).map(span => stamp(span, video.id, by))
  const cites = evidence.map(row => row.id)
  const answerText = last || reply
  const abstained = isNone(choice === undefined ? answerText : (options?.[choice] ?? ''))
  const sentences = [{ text: answerText, cites, verdict: 'unseen' as const }] // nobody has checked it
  const answer = { text: answerText, sentences, confidence: 0, abstained, degraded: [] }
  return { answer: { ...answer, ...(choice !== undefined && { choice }) }, evidence }
}

function namedSpans(reply: string, { duration }: Video): Pick<Evidence, 'span' | 'track' | 'text'>[] {
  return statedTimes(reply).flatMap(({ text, seconds: [start = duration, end = start] }) =>
    start < 0 || start >= duration || end < start
      ? []
      : [{ span: clampSpan({ start, end }, duration), track: 'claim' as const, text }],
  )
}
