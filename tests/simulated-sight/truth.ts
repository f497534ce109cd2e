import type { ColourName, HairName } from '../../src/media/render/colours.ts'
import { bodyParts } from '../../src/media/render/figure/body.ts'
import { stepAt } from '../../src/media/render/figure/pose.ts'
import { type Bounds, computeBounds } from '../../src/media/render/outline.ts'
import {
  countFrames,
  type Doing,
  type FigureShape,
  isShown,
  type PaintedFigure,
  type Prop,
  pointOn,
  type Scene,
  type ScenePlace,
  type ScreenText,
  type Script,
  sceneStarts,
  type Thing,
} from '../../src/media/render/scene.ts'
import { colourName, hairName } from './name-colour.ts'

// What is on the picture at a moment, in words. Boxes are fractions of the picture, cut off at its edges.
export interface Truth {
  scene: number // its index
  place?: ScenePlace
  figures: SeenFigure[] // from left to right
  things: SeenThing[]
  texts: string[] // from above to below
}

export interface SeenFigure {
  who: string // the same for the same person everywhere: what is known of the script, and nothing that a picture shows
  named?: string // the text on this picture that names this person
  hair: HairName
  top: ColourName
  trousers: ColourName
  hat?: ColourName
  holds?: Prop
  doing: Doing
  box: Bounds
}

interface SeenThing {
  shape: FigureShape
  colour: ColourName
  box: Bounds
}

// While a scene fades in over the one before it, the truth is that of the new one.
export function truthAt(script: Script, time: number): Truth {
  const whole = Math.floor(time * script.fps + 1e-6)
  const frame = Math.min(Math.max(0, whole), countFrames(script) - 1)
  const starts = sceneStarts(script)
  const at = starts.findLastIndex(start => start <= frame)
  return computeTruth(script, at, frame - starts[at]!)
}

function computeTruth(script: Script, at: number, frame: number): Truth {
  const scene = script.scenes[at]!
  const { background } = scene
  const texts = listTexts(script, scene, frame)
  const figures = (scene.figures ?? []).filter(figure => isShown(figure, frame))
  return {
    scene: at,
    ...(background.kind === 'place' && { place: background.place }),
    figures: figures
      .map(figure => seenFigure(script, scene, figure, frame, texts))
      .filter(seen => isOnPicture(seen.box))
      .sort((a, b) => a.box.x - b.box.x),
    things: scene.things
      .filter(thing => isShown(thing, frame))
      .map(thing => seenThing(script, scene, thing, frame))
      .filter(seen => isOnPicture(seen.box)),
    texts,
  }
}

function seenFigure(
  script: Script,
  scene: Scene,
  figure: PaintedFigure,
  frame: number,
  texts: readonly string[],
): SeenFigure {
  const { who, hat, holds, doing } = figure
  const named = texts.find(text => names(text, who))
  return {
    who,
    ...(named !== undefined && { named }),
    hair: hairName(figure.hair),
    top: colourName(figure.top),
    trousers: colourName(figure.trousers),
    ...(hat && { hat: colourName(hat) }),
    ...(holds && { holds }),
    doing,
    box: figureBox(script, scene, figure, frame),
  }
}

function figureBox({ width, height, fps }: Script, scene: Scene, figure: PaintedFigure, frame: number): Bounds {
  const feet = pointOn(figure.path, figure, scene.frames, frame)
  const body = computeBounds(bodyParts(figure, stepAt(figure.doing, frame / fps)).flatMap(part => part.strokes))
  const across = (figure.size * height) / width
  return inPicture({
    x: feet.x + body.x * across,
    y: feet.y + body.y * figure.size,
    width: body.width * across,
    height: body.height * figure.size,
  })
}

function seenThing({ width, height }: Script, scene: Scene, thing: Thing, frame: number): SeenThing {
  const centre = pointOn(thing.path, thing, scene.frames, frame)
  const across = (thing.size * height) / width
  const box = { x: centre.x - across / 2, y: centre.y - thing.size / 2, width: across, height: thing.size }
  return { shape: thing.shape, colour: colourName(thing.colour), box: inPicture(box) }
}

const letterOfLine = 0.45 // about how wide a letter is, in heights of a line

function listTexts({ width, height, fps }: Script, scene: Scene, frame: number): string[] {
  const isSeen = (text: ScreenText) => {
    const x0 = text.at.x + (text.slide?.x ?? 0) * ((frame - (text.from ?? 0)) / fps)
    const across = (text.text.length * text.size * letterOfLine * height) / width
    return isShown(text, frame) && x0 < 1 && x0 + across > 0
  }
  return scene.texts
    .filter(isSeen)
    .sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x)
    .map(({ text }) => text)
}

function inPicture({ x, y, width, height }: Bounds): Bounds {
  const [left, top] = [Math.max(0, x), Math.max(0, y)]
  return { x: left, y: top, width: Math.min(1, x + width) - left, height: Math.min(1, y + height) - top }
}

function isOnPicture({ width, height }: Bounds): boolean {
  return width > 0 && height > 0
}

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
  const sceneNamings = script.scenes.flatMap((scene, at): Naming[] => {
    const written = scene.texts.map(({ text, from = 0 }) => ({ words: text, frame: from, by: 'text' as const }))
    const spoken = cues.flatMap(cue => {
      const frame = cue.at - starts[at]!
      return cue.kind === 'speech' && frame >= 0 && frame < scene.frames
        ? [{ words: cue.text, frame, by: 'speech' as const }]
        : []
    })
    return [...written, ...spoken].flatMap(({ words, frame, by }) =>
      (scene.figures ?? [])
        .filter(figure => isShown(figure, frame) && names(words, figure.who))
        .map(({ who }) => ({ who, by, words, time: (starts[at]! + frame) / fps })),
    )
  })
  return sceneNamings.sort((a, b) => a.time - b.time)
}

// Whether some words hold the whole name of somebody.
function names(words: string, who: string): boolean {
  return words.toLowerCase().includes(who.toLowerCase())
}
