import type { ColourName, HairName } from '../../src/media/render/colours.ts'
import type { Doing, FigureShape, Prop, ScenePlace } from '../../src/media/render/scene.ts'

// What was made out in the frames of a request, right or wrong, scene by scene.

// A frame that was shown, and how many share its picture.
export interface PerceivedFrame {
  time: number
  cells: number
}

export interface SeenScene {
  scene: number // its index in the script, which tells scenes apart and is never told
  frames: number[] // of the request, from 0
  place?: ScenePlace
  people: SeenPerson[] // in the order in which they come
  things: SeenThings[]
  texts: SeenText[]
  invented?: string // an object that is not there
}

export interface SeenPerson {
  who: string // who it truly is, which is never told
  frames: number[] // in which they are seen
  name?: string // written on one of the frames
  hair?: HairName
  top?: ColourName
  trousers?: ColourName
  hat?: ColourName
  holds: { what: Prop; frame: number }[] // and the frame from which on
  does: { what: Doing; frame: number }[]
}

export interface SeenThings {
  shape: FigureShape
  colour: ColourName
  count: number
  frame: number
}

export interface SeenText {
  text: string
  frame: number
}
