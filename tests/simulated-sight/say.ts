import type { Doing, ScenePlace } from '../../src/media/render/scene.ts'
import type { SeenPerson, SeenScene, SeenThings } from './seen.ts'

// What was seen, in plain English. A person is described by looks, never named.

export const doingWords: Record<Doing, { does: string; doing: string }> = {
  stands: { does: 'stands', doing: 'standing' },
  walks: { does: 'walks', doing: 'walking' },
  waves: { does: 'waves', doing: 'waving' },
  sits: { does: 'sits', doing: 'sitting' },
  jumps: { does: 'jumps', doing: 'jumping' },
}

// "in a kitchen", "on a beach"
export function inPlace(place: ScenePlace, article: 'a' | 'the' = 'a'): string {
  return `${place === 'beach' || place === 'street' ? 'on' : 'in'} ${article === 'a' ? a(place) : `the ${place}`}`
}

// "a person with brown hair in a red top and blue trousers and an orange hat"
export function describeLooks({ hair, top, trousers, hat }: SeenPerson): string {
  const worn = [top && a(`${top} top`), trousers && `${trousers} trousers`, hat && a(`${hat} hat`)].filter(isSaid)
  const hairs = hair ? ` with ${hair} hair` : ''
  return `a person${hairs}${worn.length > 0 ? ` in ${joinWords(worn)}` : ''}`
}

// "walks and holds an umbrella"
export function describeActions({ does, holds }: SeenPerson): string {
  const acts = does.map(({ what }) => doingWords[what].does)
  const objects = holds.map(({ what }) => a(what))
  return joinWords([...acts, ...(objects.length > 0 ? [`holds ${joinWords(objects)}`] : [])])
}

export function describeThings({ count, colour, shape }: SeenThings): string {
  return count === 1 ? a(`${colour} ${shape}`) : `${count} ${colour} ${shape}${shape.endsWith('s') ? 'es' : 's'}`
}

export function personSentence(person: SeenPerson): string {
  const { name } = person
  const does = describeActions(person)
  return `${describeLooks(person)}${name ? `, whose name ${name} is written,` : ''}${does ? ` ${does}` : ' is there'}`
}

// "In a kitchen, a person in a red top waves; 3 blue circles are shown; the text reads "HOTEL LUNA"."
export function sceneSentence(scene: SeenScene): string {
  const { place, people, things, texts, invented } = scene
  const parts = [
    ...people.map(personSentence),
    ...(things.length > 0
      ? [`there ${things[0]?.count === 1 ? 'is' : 'are'} ${joinWords(things.map(describeThings))}`]
      : []),
    ...(texts.length > 0 ? [`the text reads ${joinWords(texts.map(({ text }) => `"${text}"`))}`] : []),
    ...(invented ? [`${a(invented)} is there`] : []),
  ]
  if (parts.length === 0) return place ? `${capital(a(place))} is seen.` : ''
  return `${capital(`${place ? `${inPlace(place)}, ` : ''}${parts.join('; ')}`)}.`
}

export function a(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined
}
