import { foldNumbers, ordinalValue } from '../number-words.ts'

const patterns = [
  /\b(?:the )?(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th)) (?:speaker|voice|person (?:to speak|who speaks))\b/i,
  /\bspeaker (?:number |no\. ?|#)?(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b/i,
]

// "The second speaker", "speaker 2": the number in the order in which they first speak, and the question with "the speaker" instead.
export function numberedSpeaker(text: string): { number: number; rest: string } | undefined {
  for (const pattern of patterns) {
    const word = pattern.exec(text)?.[1]?.toLowerCase()
    if (!word) continue
    const number = ordinalValue(word) ?? Number(foldNumbers([word])[0]?.text)
    return { number, rest: text.replace(pattern, 'the speaker') }
  }
  return undefined
}
