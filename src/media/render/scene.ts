// A scripted video: all that is seen and heard, to the frame. Whoever renders it, the truth about it is read from here.

export type HexColour = `#${string}` // "#rrggbb"

// A place on the picture as fractions of its width and height; what is outside 0..1 is not visible.
export interface PicturePoint {
  x: number
  y: number
}

export type Background =
  | { kind: 'plain'; colour: HexColour }
  | { kind: 'slide'; paper: HexColour; bar: HexColour } // a bar for the title above, paper below
  | { kind: 'gradient'; colours: [HexColour, HexColour]; drift: number } // picture heights a second, downwards
  | { kind: 'texture'; seed: number; colours: [HexColour, HexColour, HexColour]; from: PicturePoint; to: PicturePoint } // a pan from place to place
  | { kind: 'place'; place: ScenePlace; seed: number } // drawn; the seed varies what stands where

// `from` and `to` count frames of the scene; `to` is exclusive. Absent: the whole scene.
export interface FrameRange {
  from?: number
  to?: number
}

export interface ScreenText extends FrameRange {
  text: string
  size: number // height of a line as a fraction of the picture's height
  at: PicturePoint // its left upper corner
  colour: HexColour
  behind?: HexColour // a box behind it, as on signs
  bold?: boolean
  slide?: PicturePoint // it moves this far each second, as a ticker does
}

export type FigureShape = 'circle' | 'square' | 'triangle' | 'diamond' | 'ring' | 'cross'

export interface Thing extends FrameRange {
  shape: FigureShape
  colour: HexColour
  size: number // across, as a fraction of the picture's height
  path: [PicturePoint, PicturePoint] // its centre in the first and in the last frame it is shown
}

// A person, drawn simply. Whoever has the same `who` is the same person, in whatever scene.
export interface PaintedFigure extends FrameRange {
  who: string
  hair: HexColour
  top: HexColour
  trousers: HexColour
  hat?: HexColour
  holds?: Prop
  doing: Doing
  size: number // tall, as a fraction of the picture's height
  path: [PicturePoint, PicturePoint] // of the feet, in the first and in the last frame it is shown
}

export const props = ['umbrella', 'box', 'ball', 'book', 'lamp', 'flag'] as const
export type Prop = (typeof props)[number]

export const doings = ['stands', 'walks', 'waves', 'sits', 'jumps'] as const
export type Doing = (typeof doings)[number]

export const scenePlaces = ['kitchen', 'beach', 'forest', 'street', 'garden', 'office'] as const
export type ScenePlace = (typeof scenePlaces)[number]

type Opening = { kind: 'cut' } | { kind: 'dissolve'; frames: number } // the scene before shines through this long

export interface Scene {
  frames: number
  opens: Opening
  background: Background
  texts: ScreenText[]
  things: Thing[] // later ones lie above earlier ones
  figures?: PaintedFigure[] // in front of the things, behind the texts
}

export const voices = ['slt', 'rms', 'awb', 'kal16'] as const
export type SceneVoice = (typeof voices)[number]

const soundKinds = [
  'bell',
  'siren',
  'bark',
  'applause',
  'music',
  'beep',
  'knock',
  'silence', // nothing else is heard meanwhile
] as const
export type SceneSound = (typeof soundKinds)[number]

// `at` counts frames of the whole video.
export type AudioCue =
  | { kind: 'speech'; at: number; text: string; voice: SceneVoice; level?: number }
  | { kind: 'sound'; at: number; sound: SceneSound; frames: number; seed?: number; level?: number }

export interface Script {
  title: string
  width: number // even
  height: number // even
  fps: number // whole
  scenes: Scene[]
  cues: AudioCue[]
}

export function countFrames(script: Script): number {
  return script.scenes.reduce((sum, scene) => sum + scene.frames, 0)
}

// The first frame of each scene on the video's own count.
export function sceneStarts(script: Script): number[] {
  let at = 0
  return script.scenes.map(scene => {
    at += scene.frames
    return at - scene.frames
  })
}

// The point of a path at a frame of the scene: the path lasts as long as what moves on it is shown.
export function pointOn(
  path: [PicturePoint, PicturePoint],
  { from = 0, to }: FrameRange,
  sceneFrames: number,
  frame: number,
): PicturePoint {
  const last = Math.min(to ?? sceneFrames, sceneFrames) - 1
  const share = last > from ? Math.min(1, (frame - from) / (last - from)) : 0
  const [start, end] = path
  return { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share }
}

export function isShown(shown: FrameRange, frame: number): boolean {
  return frame >= (shown.from ?? 0) && frame < (shown.to ?? Number.POSITIVE_INFINITY)
}
