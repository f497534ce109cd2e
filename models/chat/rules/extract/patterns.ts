// Sorts of answer that a pattern alone finds.

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
