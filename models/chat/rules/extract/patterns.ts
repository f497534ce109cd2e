// Kinds of answer that a pattern finds by itself.

export function colourIn(text: string): string | undefined {
  return /\b(?:(?:dark|light|bright|pale) )?(?:red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ea]y|gold|silver|turquoise|beige|cyan|magenta)\b/i.exec(
    text,
  )?.[0]
}

export function reasonIn(text: string): string | undefined {
  return /\b(?:because(?: of)?|due to|so that|in order to|since|thanks to|as a result of)\s+([^.!?;]{3,90})/i.exec(
    text,
  )?.[0]
}

export function rhythmIn(text: string): string | undefined {
  return /\b(?:every|each) (?:other )?(?:[\w-]+ ){0,2}(?:seconds?|minutes?|hours?|days?|nights?|mornings?|evenings?|weeks?|months?|years?|quarters?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b|\b(?:once|twice|[\w-]+ times) (?:a|an|per|every|each) \w+|\b(?:hourly|daily|weekly|monthly|yearly|annually)\b/i.exec(
    text,
  )?.[0]
}

// An e-mail address, a web address or a telephone number.
export function contactIn(text: string): string | undefined {
  return contact.exec(text)?.[0]
}

export const contact =
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?:\/\/|www\.)\S+|\b[\w-]+\.(?:com|org|net|edu|gov|io|de|uk|example)(?:\/\S*)?\b|\+?\d[\d ()-]{5,}\d/i

// By what means: "by train", "with a hammer".
export function mannerIn(text: string): string | undefined {
  return /\b(?:by|with|using|via|through|on) (?!(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)(?:the |a |an )?[\p{L}-]+(?: (?!and\b|but\b|to\b|for\b|on\b|in\b|at\b)[\p{L}-]+)?/iu.exec(
    text,
  )?.[0]
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
