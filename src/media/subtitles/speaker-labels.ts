import type { SubtitleCue } from './parse-subtitles.ts'

const nameWord = String.raw`\p{Lu}[\p{Lu}\p{N}.'’-]{0,30}`
const dash = '(?:[-–] ?|>> ?)?'
const anyLabel = new RegExp(String.raw`(?<=^|\s)${dash}(${nameWord}(?: ${nameWord}){0,2}):\s+(?=\S)`, 'gu')
const labelAtLineStart = new RegExp(
  String.raw`^\s{0,4}${dash}(${nameWord}(?: ${nameWord}){0,2}):[ \t]+\S[^\n]{0,200}?\p{Ll}`,
  'gmu',
)

// What stands before a colon in capitals and is nobody's name.
const notNames =
  /^(note|notes|warning|caution|danger|attention|important|tip|hint|example|question|answer|q|a|step|part|chapter|section|figure|table|fact|result|breaking|update|live|ps|nb|todo|fig|music|sound|url|http|https|www)\b/i

// The labels that begin two lines or more: "ANNA: Hello." One that stands once may be a heading.
export function labelsIn(lines: string): Set<string> {
  const counts = new Map<string, number>()
  for (const [, name = ''] of lines.matchAll(labelAtLineStart)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Set(
    [...counts].filter(([name, count]) => count > 1 && name.length > 1 && !notNames.test(name)).map(([name]) => name),
  )
}

// Cues that name their speaker in capitals before a colon become cues of that speaker. Cues that have one already stay.
export function withSpeakerLabels(cues: readonly SubtitleCue[]): SubtitleCue[] {
  const labels = labelsIn(cues.map(cue => cue.text).join('\n'))
  return labels.size === 0 ? [...cues] : cues.flatMap(cue => (cue.speaker ? [cue] : splitParts(cue, labels)))
}

function splitParts(cue: SubtitleCue, known: ReadonlySet<string>): SubtitleCue[] {
  const labelMatches = [...cue.text.matchAll(anyLabel)].filter(match => known.has(match[1] ?? ''))
  const ends = [...labelMatches.slice(1).map(match => match.index), cue.text.length]
  const before = cue.text.slice(0, labelMatches[0]?.index ?? cue.text.length).trim()
  const parts = labelMatches.map((match, at) => ({
    ...cue,
    text: cue.text.slice(match.index + match[0].length, ends[at]).trim(),
    speaker: match[1],
  }))
  return [...(before === '' ? [] : [{ ...cue, text: before }]), ...parts].filter(part => part.text !== '')
}
