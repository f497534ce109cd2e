import { groupBy } from '../../src/core/basics/group-by.ts'
import { type ColourName, type HairName, hairColours, sceneColours } from '../../src/media/render/colours.ts'
import { doings, props, type Script, sceneStarts } from '../../src/media/render/scene.ts'
import { half } from './errors.ts'
import { boxShares, pictureShare } from './legible.ts'
import { type Look, type TrueFrame, timeBucket } from './look.ts'
import type { SeenPerson } from './seen.ts'
import { type SeenFigure, truthAt } from './truth.ts'

type Sight = { frame: TrueFrame; figure: SeenFigure }

// The people of a scene in the order in which they come. A name is known where a line that was read names the person.
export function peopleIn(look: Look, read: readonly string[]): SeenPerson[] {
  const sights = look.frames.flatMap(frame =>
    frame.truth.figures
      .filter(({ box }) => pictureShare(box, frame) >= look.smallest)
      .map((figure): Sight => ({ frame, figure })),
  )
  return [...groupBy(sights, ({ figure }) => figure.who).values()].flatMap(own => personIn(look, own, read) ?? [])
}

// A fact is missed or taken for another with the whole rate; where all of a person is missed, or the person is taken for another,
// that counts for the facts of that person, so the two chances together come to the rate.
function personIn(look: Look, sights: Sight[], read: readonly string[]): SeenPerson | undefined {
  const { errors, scene } = look
  const [{ frame: first, figure }] = sights as [Sight]
  const missed = half(errors.misses)
  if (errors.happens(missed, 'miss', scene, figure.who, timeBucket(first))) return undefined
  const other = takenFor(look, sights[0]!)
  const confused = otherLooks(look, figure.who).length > 0 ? half(errors.confusions) : errors.confusions
  const fact = <Value extends string>(
    part: keyof typeof boxShares,
    of: (figure: SeenFigure) => Value | undefined,
    all: readonly Value[],
    rate = errors.confusions,
    stands?: SeenFigure, // somebody else, for whom this person is taken
  ): { what: Value; frame: number }[] => {
    const seen = sights.filter(
      ({ frame, figure }) => pictureShare(figure.box, frame) * boxShares[part] >= look.smallest,
    )
    const values = seen.flatMap(({ frame, figure }) => {
      const right = of(figure)
      return right === undefined ? [] : [{ right, frame }]
    })
    return changes(values).flatMap(({ right, frame }) => {
      const key = [scene, figure.who, part, right, timeBucket(frame)]
      if (errors.happens(missed, 'miss', ...key)) return []
      const what = (stands && of(stands)) ?? errors.taken(rate, right, all, ...key)
      return [{ what, frame: frame.at }]
    })
  }
  const worn = (part: 'top' | 'trousers' | 'hat') =>
    fact(part, one => one[part], Object.keys(sceneColours) as ColourName[], confused, other)[0]?.what
  const hair = fact('hair', one => one.hair, Object.keys(hairColours) as HairName[], confused, other)[0]?.what
  const [top, trousers, hat] = [worn('top'), worn('trousers'), worn('hat')]
  const name = sights.find(({ figure: { named } }) => named && read.includes(named))?.figure.who
  return {
    who: figure.who,
    frames: sights.map(({ frame }) => frame.at),
    ...(name && { name }),
    ...(hair && { hair }),
    ...(top && { top }),
    ...(trousers && { trousers }),
    ...(hat && { hat }),
    holds: fact('holds', one => one.holds, props),
    does: fact('does', one => one.doing, doings),
  }
}

// The values that follow one another, each with the first frame that shows it.
function changes<Value>(values: { right: Value; frame: TrueFrame }[]): { right: Value; frame: TrueFrame }[] {
  return values.filter(({ right }, i) => values.findIndex(one => one.right === right) === i)
}

// Whom this person is taken for, if for anybody: one who looks as different as can be.
function takenFor(look: Look, { frame, figure }: Sight): SeenFigure | undefined {
  const { errors, scene } = look
  if (!errors.happens(half(errors.confusions), 'confusion', scene, figure.who, timeBucket(frame))) return undefined
  const neighbours = otherLooks(look, figure.who)
  const alike = (other: SeenFigure) =>
    (['top', 'trousers', 'hair', 'hat'] as const).filter(part => other[part] === figure[part]).length
  const least = Math.min(...neighbours.map(alike))
  const unlike = neighbours.filter(other => alike(other) === least)
  return errors.pick(unlike, 'confusion', scene, figure.who, timeBucket(frame))
}

function otherLooks({ script }: Look, who: string): SeenFigure[] {
  return everybody(script).filter(figure => figure.who !== who)
}

const figureCache = new WeakMap<Script, SeenFigure[]>()

// Each person of the video once, as seen when he or she first comes.
function everybody(script: Script): SeenFigure[] {
  const cached = figureCache.get(script)
  if (cached) return cached
  const starts = sceneStarts(script)
  const people = new Map<string, SeenFigure>()
  for (const [at, { figures = [] }] of script.scenes.entries())
    for (const { who, from = 0 } of figures) {
      if (people.has(who)) continue
      const seen = truthAt(script, (starts[at]! + from) / script.fps).figures.find(figure => figure.who === who)
      if (seen) people.set(who, seen)
    }
  figureCache.set(script, [...people.values()])
  return [...people.values()]
}
