import { isShown, type Script, sceneStarts } from './scene.ts'

// A moment at which the script says or shows the name of somebody who is seen then.
interface Naming {
  who: string
  by: 'speech' | 'text'
  time: number // where the words begin
  words: string
}

// Who is named when: the whole name is said or written while the person is seen.
export function namings(script: Script): Naming[] {
  const { fps, cues } = script
  const starts = sceneStarts(script)
  const found = script.scenes.flatMap((scene, at): Naming[] => {
    const written = scene.texts.map(({ text, from = 0 }) => ({ words: text, frame: from, by: 'text' as const }))
    const said = cues.flatMap(cue => {
      const frame = cue.at - starts[at]!
      return cue.kind === 'speech' && frame >= 0 && frame < scene.frames
        ? [{ words: cue.text, frame, by: 'speech' as const }]
        : []
    })
    return [...written, ...said].flatMap(({ words, frame, by }) =>
      (scene.figures ?? [])
        .filter(figure => isShown(figure, frame) && names(words, figure.who))
        .map(({ who }) => ({ who, by, words, time: (starts[at]! + frame) / fps })),
    )
  })
  return found.sort((a, b) => a.time - b.time)
}

// Whether some words hold the whole name of somebody.
export function names(words: string, who: string): boolean {
  return words.toLowerCase().includes(who.toLowerCase())
}
