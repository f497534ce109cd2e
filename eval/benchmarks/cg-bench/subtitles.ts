import { toEven } from '../../metrics/rounding.ts'
import type { Cue } from '../../protocols/cues.ts'
import { strip } from '../../python/text.ts'
import { floatText } from '../../python/value.ts'

interface SubtitleSettings {
  times: boolean // [start, end] before each line
  // The released reader turns <i> into {\i1}, and the model is shown that; `plain` leaves markup out.
  markup: 'as released' | 'plain'
}

// The lines that a model is shown with its frames: for each frame in order the cues around it, each different line once.
// A cue that starts or ends exactly at the frame is not around it.
export function subtitleLines(
  cues: readonly Cue[],
  frames: readonly number[],
  framesPerSecond: number,
  settings: SubtitleSettings,
): string[] {
  const around = frames.flatMap(frame => {
    const time = toEven(frame * (1000 / framesPerSecond))
    return cues.filter(cue => cue.start < time && cue.end > time)
  })
  return allLines(around, settings)
}

// Every cue in order, each different line once.
export function allLines(cues: readonly Cue[], { markup, times }: SubtitleSettings): string[] {
  const lines = cues.map(({ start, end, text }) => {
    const words = (markup === 'plain' ? withoutMarkup(text) : withTags(text)).replaceAll('\n', ' ')
    return times ? `[${floatText(start / 1000)}, ${floatText(end / 1000)}] ${words}` : words
  })
  return [...new Set(lines.filter(line => strip(line) !== ''))]
}

function withTags(text: string): string {
  const tagged = ['i', 's', 'u', 'b'].reduce(
    (before, tag) =>
      before
        .replace(new RegExp(`< *${tag} *>`, 'g'), `{\\${tag}1}`)
        .replace(new RegExp(`< */ *${tag} *>`, 'g'), `{\\${tag}0}`),
    text,
  )
  return without(tagged, anyTag, '>')
}

function withoutMarkup(text: string): string {
  return without(without(text, anyTag, '>'), /\{\\[^}]*\}/g, '}')
}

const anyTag = /< *(?:\/ *)?[a-zA-Z][^>]*>/g

// No match ends behind the last closing sign: looking for one there would take the square of the text.
function without(text: string, pattern: RegExp, closing: string): string {
  const end = text.lastIndexOf(closing) + 1
  return text.slice(0, end).replace(pattern, '') + text.slice(end)
}
