import { parseTime } from '../../src/core/time.ts'

const declines =
  /\b(?:(?:does|do|did|is|are|was|were|could|can|has|have)(?:n't| not)\b[^.]{0,40}\b(?:say|said|mention\w*|show\w*|tell|told|state\w*|contain\w*|found|find|seen|heard|given|determine\w*|answer\w*|appear\w*|specif\w*|in the video)|not in the video|nothing (?:in the video|is said|was found|about)|no (?:mention|information|evidence)|unknown|cannot be (?:told|known|answered|determined))\b/i

// Whether an answer says that the video does not tell. `abstained` is what the answerer itself says, where it says so apart from the text.
export function abstains({ text, abstained }: { text: string; abstained?: boolean }): boolean {
  return abstained === true || text.trim() === '' || declines.test(text)
}

export const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?`

// The moments that a text names, in seconds, in its order: "1:24", or where no clock time is given "84 s", "1 minute 24 seconds".
export function momentsIn(text: string): number[] {
  const clocks = [...text.matchAll(new RegExp(clock, 'g'))].flatMap(([time]) => parseTime(time) ?? [])
  if (clocks.length > 0) return clocks
  const spelled =
    /(\d+)\s*(?:m|min|minutes?)\b(?:\s*(?:and\s*)?(\d+)\s*(?:s|sec|seconds?)\b)?|(\d+(?:\.\d+)?)\s*(?:s|sec|seconds?)\b/gi
  return [...text.matchAll(spelled)].map(([, minutes, rest, seconds]) =>
    minutes ? Number(minutes) * 60 + Number(rest ?? 0) : Number(seconds),
  )
}
