import { type Script, sceneStarts } from '../../src/media/render/scene.ts'
import { namings, type SeenFigure, truthAt } from '../simulated-sight/truth.ts'

// Answers questions about people by looking at nothing but the script: what the makers of questions know is not used.

export interface Solution {
  answers: string[] // all that fit; a question is ambiguous where there are several
  needed: number[] // a moment of each hop
}

export interface Seen extends SeenFigure {
  place: string
  start: number // of the scene, in seconds
  middle: number
  alone: boolean
}

export function seenIn(script: Script): Seen[] {
  const starts = sceneStarts(script)
  return script.scenes.flatMap((scene, i) => {
    const middle = (starts[i]! + scene.frames / 2) / script.fps
    const { place = '', figures } = truthAt(script, middle)
    const start = starts[i]! / script.fps
    return figures.map(figure => ({ ...figure, place, start, middle, alone: figures.length === 1 }))
  })
}

type Solve = (found: string[], script: Script) => Solution

const solvers: [RegExp, Solve][] = [
  [
    /^Who holds the (\w+) \w+ the (\w+)\?$/,
    ([prop, place], script) => named(script, seen => seen.holds === prop && seen.place === place),
  ],
  [
    /^Who (\w+) \w+ the (\w+)\?$/,
    ([doing, place], script) => named(script, seen => seen.doing === doing && seen.place === place),
  ],
  [
    /shirt of the person who holds the (\w+) \w+ the (\w+)\?$/,
    ([prop, place], script) => worn(script, 'top', seen => seen.holds === prop && seen.place === place),
  ],
  [
    /trousers of the person who (\w+) \w+ the (\w+)\?$/,
    ([doing, place], script) => worn(script, 'trousers', seen => seen.doing === doing && seen.place === place),
  ],
  [
    /^What does (the person in .+) hold \w+ the (\w+)\?$/,
    ([words, place], script) => held(script, one(dressed(script, words!)), place!),
  ],
  [
    /introduced as (.+) hold \w+ the (\w+)\?$/,
    ([name, place], script) => withNaming(script, name!, held(script, name!, place!)),
  ],
  [/^Why does (.+) take the (\w+)\?$/, ([whom, prop], script) => reasons(script, whom!, prop!)],
  [/takes the (\w+) because (.+)\?$/, ([prop, clause], script) => shirtByReason(script, prop!, clause!)],
  [
    /^Where is the person who says "(.+)" seen (next|last before that)\?$/,
    ([words, when], script) => moved(script, words!, when!),
  ],
  [
    /^Who is seen with an? (\w+) in more scenes, (.+) or (.+)\?$/,
    ([prop, a, b], script) => most(script, [a!, b!], seen => seen.holds === prop),
  ],
  [/^Who wears a hat, (.+) or (.+)\?$/, ([a, b], script) => most(script, [a!, b!], seen => seen.hat !== undefined)],
  [/^Who is seen first in the video, (.+) or (.+)\?$/, ([a, b], script) => earlier(script, [a!, b!])],
]

export function solve(question: string, script: Script): Solution | undefined {
  for (const [pattern, solver] of solvers) {
    const found = pattern.exec(question)
    if (found) return solver(found.slice(1), script)
  }
}

type Fits = (seen: Seen) => boolean

function named(script: Script, fits: Fits): Solution {
  const all = seenIn(script).filter(fits)
  const who = unique(all.map(seen => seen.who))
  return { answers: who, needed: [...all.map(seen => seen.middle), ...who.flatMap(name => namedAt(script, name))] }
}

function worn(script: Script, piece: 'top' | 'trousers', fits: Fits): Solution {
  const all = seenIn(script).filter(fits)
  const several = unique(all.map(seen => seen.who)).length > 1
  return {
    answers: several ? all.map(seen => seen.who) : unique(all.map(seen => seen[piece])),
    needed: all.map(seen => seen.middle),
  }
}

function held(script: Script, who: string, place: string): Solution {
  const all = seenIn(script).filter(seen => seen.who === who && seen.place === place)
  return { answers: unique(all.map(seen => seen.holds ?? 'nothing')), needed: all.map(seen => seen.middle) }
}

function dressed(script: Script, words: string): string[] {
  const [, top, trousers] = /^the person in the (\w+) shirt(?: and (\w+) trousers)?$/.exec(words) ?? []
  const fits = (seen: Seen) => seen.top === top && (trousers === undefined || seen.trousers === trousers)
  return unique(
    seenIn(script)
      .filter(fits)
      .map(seen => seen.who),
  )
}

interface ReasonSaid {
  who: string
  prop: string
  clause: string
  time: number
}

function reasonsSaid(script: Script): ReasonSaid[] {
  const people = unique(seenIn(script).map(seen => seen.who))
  return script.cues.flatMap(cue => {
    const [, first, prop, clause] =
      (cue.kind === 'speech' && /^(\w+) takes the (\w+) because (.+)\.$/.exec(cue.text)) || []
    const who = one(
      people.filter(name => name.split(' ')[0] === first),
      first !== undefined,
    )
    return first ? [{ who, prop: prop!, clause: clause!, time: cue.at / script.fps }] : []
  })
}

function reasons(script: Script, whom: string, prop: string): Solution {
  const byClothes = whom.startsWith('the person')
  const who = byClothes ? one(dressed(script, whom)) : whom
  const said = reasonsSaid(script).filter(reason => reason.who === who && reason.prop === prop)
  const needed = [...said.map(({ time }) => time), ...(byClothes ? namedAt(script, who) : [])]
  return { answers: said.map(({ clause }) => `because ${clause}`), needed }
}

function shirtByReason(script: Script, prop: string, clause: string): Solution {
  const said = reasonsSaid(script).filter(reason => reason.prop === prop && reason.clause === clause)
  const all = seenIn(script).filter(seen => said.some(({ who }) => who === seen.who))
  const needed = [...said.map(({ time }) => time), ...said.flatMap(({ who }) => namedAt(script, who))]
  return { answers: unique(all.map(seen => seen.top)), needed }
}

function moved(script: Script, words: string, when: string): Solution {
  const all = seenIn(script)
  const times = script.cues.flatMap(cue =>
    cue.kind === 'speech' && cue.text.toLowerCase() === `${words.toLowerCase()}.` ? [cue.at / script.fps] : [],
  )
  const time = one(times)
  const speaker = all.findLast(seen => seen.start <= time)!
  if (!speaker.alone) throw new Error(`"${words}" is said while several are seen.`)
  const own = all.filter(seen => seen.who === speaker.who)
  const found = when === 'next' ? own.find(seen => seen.start > time) : own.findLast(seen => seen.start < speaker.start)
  return { answers: found ? [found.place] : [], needed: [time, found?.middle ?? -1] }
}

function most(script: Script, pair: string[], fits: Fits): Solution {
  const count = (name: string) => seenIn(script).filter(seen => seen.who === name && fits(seen)).length
  const [a, b] = pair as [string, string]
  const answers = count(a) === count(b) ? pair : [count(a) > count(b) ? a : b]
  return { answers, needed: pair.flatMap(name => namedAt(script, name)) }
}

function earlier(script: Script, pair: string[]): Solution {
  const [first, second] = pair.map(name => seenIn(script).find(seen => seen.who === name)!) as [Seen, Seen]
  const answers = first.start === second.start ? pair : [first.start < second.start ? first.who : second.who]
  return { answers, needed: [first.middle, second.middle, ...pair.flatMap(name => namedAt(script, name))] }
}

function withNaming(script: Script, name: string, { answers, needed }: Solution): Solution {
  return { answers, needed: [...needed, ...namedAt(script, name)] }
}

function namedAt(script: Script, name: string): number[] {
  return namings(script)
    .filter(({ who }) => who === name)
    .map(({ time }) => time)
}

function one<Item>(items: readonly Item[], isNeeded = true): Item {
  if (isNeeded && items.length !== 1)
    throw new Error(`One was expected, and there are ${items.length}: ${items.join(', ')}`)
  return items[0]!
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)]
}
