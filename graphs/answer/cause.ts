import type { Answer, Cause, StopReason } from '../../src/core/agent.ts'
import { damageAsked, tracksAsked } from '../../src/text/question/damage-asked.ts'
import type { GraphParts } from '../parts.ts'

type Parts = Pick<GraphParts, 'index' | 'planner' | 'vision'> & { question: { text: string } }

// Why there is no answer and what would help. `stated` is what the writer says of it.
export function findCause(
  { question, index, planner, vision }: Parts,
  stop: StopReason,
  stated?: Cause,
): Required<Pick<Answer, 'cause' | 'mend'>> {
  const { coverage } = index
  const tracks = tracksAsked(question.text)
  const states = tracks.map(track => coverage[track].state)
  const sees = vision || planner.accepts.has('image') || coverage.caption !== undefined
  const present = tracks.filter(track => coverage[track].state !== 'absent')
  const onlySeen = present.length > 0 && present.every(track => track === 'picture' || track === 'text')
  const isUnseen = onlySeen && !sees && coverage.text.items === 0
  if (stop in budgets) return { cause: 'budget', mend: budgets[stop as keyof typeof budgets] }
  if (stated === 'not-understood')
    return { cause: stated, mend: 'Ask in English, or add a language model: longtake setup.' }
  if (damageAsked(question.text, coverage))
    return { cause: 'unreadable', mend: 'Get an undamaged copy of the file and index it.' }
  if (stated === 'unreadable' && !isUnseen)
    return { cause: stated, mend: 'Get a copy of a higher resolution, or ask about a moment that shows it larger.' }
  if (states.every(state => state === 'failed'))
    return { cause: 'unreadable', mend: `Index the video again: ${tracks.join(' and ')} could not be indexed.` }
  if (states.every(state => state === 'off'))
    return { cause: 'not-looked', mend: `Index the video with ${tracks.join(' and ')} switched on.` }
  if (stop === 'failed')
    return { cause: 'not-looked', mend: 'A model gave no usable reply: "longtake doctor" checks the models.' }
  if (stated === 'not-looked' || isUnseen)
    return { cause: 'not-looked', mend: 'Add a model that sees: longtake setup.' }
  return { cause: stated ?? 'absent', mend: 'Ask in other words, or about a moment: "at 1:20".' }
}

// What a model says that it looked at and could not read, in its own words.
export function isIllegible(text: string): boolean {
  return /\b(?:too (?:small|blurr(?:y|ed)|dark|faint|grainy)|illegible|unreadable|not (?:legible|readable)|(?:can(?:no|['’])t|can not|could not|couldn['’]t) (?:be (?:read|made out|deciphered)|read|make out|decipher))\b/i.test(
    text,
  )
}

const budgets = {
  steps: 'Allow more rounds: --max-steps.',
  tokens: 'Allow more tokens: --max-tokens.',
  frames: 'Allow more frames: --max-frames.',
  seconds: 'Allow more time: --max-seconds.',
  money: 'Allow more money: --max-money.',
  interrupted: 'Resume the run: it was interrupted.',
}
