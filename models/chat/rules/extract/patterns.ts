import type { Wants } from '../../../../src/text/question/wants.ts'

// Kinds of answer that a pattern finds by itself.
export const answerPatterns = {
  colour:
    /\b(?:(?:dark|light|bright|pale) )?(?:red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ea]y|gold|silver|turquoise|beige|cyan|magenta)\b/i,
  reason: /\b(?:because(?: of)?|due to|so that|in order to|since|thanks to|as a result of)\s+([^.!?;]{3,90})/i,
  rhythm:
    /\b(?:every|each) (?:other )?(?:[\w-]+ ){0,2}(?:seconds?|minutes?|hours?|days?|nights?|mornings?|evenings?|weeks?|months?|years?|quarters?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b|\b(?:once|twice|[\w-]+ times) (?:a|an|per|every|each) \w+|\b(?:hourly|daily|weekly|monthly|yearly|annually)\b/i,
  // An e-mail address, a web address or a telephone number.
  contact:
    /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?:\/\/|www\.)\S+|\b[\w-]+\.(?:com|org|net|edu|gov|io|de|uk|example)(?:\/\S*)?\b|\+?\d[\d ()-]{5,}\d/i,
  // By what means: "by train", "with a hammer".
  manner:
    /\b(?:by|with|using|via|through|on) (?!(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)(?:the |a |an )?[\p{L}-]+(?: (?!and\b|but\b|to\b|for\b|on\b|in\b|at\b)[\p{L}-]+)?/iu,
} satisfies Partial<Record<Wants, RegExp>>

export type PatternKind = keyof typeof answerPatterns

export function findAnswer(wants: PatternKind, text: string): string | undefined {
  return answerPatterns[wants].exec(text)?.[0]
}

// "What was it for?" wants the words after "for".
export function phraseIn(question: string, text: string): string | undefined {
  const preposition = /\b(for|with|by|about)\s*\?*$/i.exec(question.trim())?.[1]
  if (!preposition) return undefined
  const match = new RegExp(
    `\\b${preposition} (?:the |a |an |his |her |their |my |our )?[\\p{L}-]+(?: (?!and\\b|but\\b|on\\b|in\\b|at\\b|with\\b|by\\b|because\\b)[\\p{L}-]+){0,3}`,
    'iu',
  ).exec(text)
  return match?.[0]
}
