import type { Line } from '../line.ts'

const is = 'is|was|are|were|will be|would be'

// "The password is blue falcon": what stands on the other side of "is", or after a colon.
export function valueIn({ text, words, at }: Line): string | undefined {
  if (at.length === 0) return undefined
  const last = words[at[at.length - 1]]
  const first = words[at[0]]
  const after = text.slice(last.end)
  const stated = new RegExp(
    String.raw`^[^.!?;,]{0,30}?(?:\b(?:${is}|called|named|equals|means|costs?|reads?|says?)\b|[:=]|\s[-–]\s)\s*(?:called |named )?([^.!?;\n]{1,80})`,
    'i',
  ).exec(after)
  if (stated) return boundary(stated[1])
  const before = new RegExp(
    String.raw`([^.!?;,\n]{1,60}?)\s+\b(?:${is})\b\s+(?:the |our |my |his |her |its |their |a |an )?$`,
    'i',
  ).exec(text.slice(0, first.start))
  const value = before?.[1].trim().replace(/^(?:and|so|but|well|now)\s+/i, '')
  return value && !/^(?:this|that|it|he|she|there|here|what|who)\b/i.test(value) ? value : undefined
}

function boundary(value: string): string {
  const cut = value.split(
    /,|(?<!\s)\s+(?:and (?:then|i|we|he|she|it|they|my|you|this|the|there)|but|because|which|that is|so|who)\s+/i,
  )[0]
  return cut.split(/\s+/).slice(0, 9).join(' ')
}
