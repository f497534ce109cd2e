import type { Prop, ScenePlace } from '../../../../src/media/render/scene.ts'

// What people are called, wear and say. The words are common, so that recognisers of speech know them.

export const women = ['Diane', 'Helen', 'Laura', 'Rachel', 'Barbara', 'Patricia']
export const men = ['Mark', 'Peter', 'Oliver', 'Victor', 'Gordon', 'Stanley']
export const lastNames = ['Miller', 'Bennett', 'Harrison', 'Sullivan', 'Jenkins', 'Wallace', 'Fletcher', 'Dawson']
export const jobPool = ['baker', 'dentist', 'plumber', 'tailor', 'librarian', 'carpenter', 'butcher', 'barber']

export const tops = ['red', 'green', 'yellow', 'orange', 'purple', 'pink'] as const
export const trousers = ['black', 'grey', 'brown', 'white', 'blue'] as const
export const hats = ['red', 'blue', 'black', 'yellow', 'white'] as const

export const sayings = [
  'I have to call my brother tonight',
  'somebody has stolen my bicycle',
  'I would like a cup of tea',
  'we are late for dinner again',
  'my uncle lives on an island',
  'I never learned how to swim',
  'the bank closes at noon',
  'my left shoe is too small',
]

export const atPlace: Record<ScenePlace, string> = {
  kitchen: 'in the kitchen',
  beach: 'on the beach',
  forest: 'in the forest',
  street: 'on the street',
  garden: 'in the garden',
  office: 'in the office',
}

// "takes the umbrella because the roof leaks": an answer names the matter and what is the matter with it.
export interface Reason {
  prop: Prop
  clause: string
  matter: string
  trouble: string[]
}

const reason = (prop: Prop, clause: string, matter: string, ...trouble: string[]): Reason => ({
  prop,
  clause,
  matter,
  trouble,
})

export const storyReasons: Reason[] = [
  reason('umbrella', 'the roof leaks', 'roof', 'leaks', 'leaking', 'leak'),
  reason('umbrella', 'the rain will not stop', 'rain', 'stop', 'stopping', 'stops'),
  reason('box', 'the shelf is full', 'shelf', 'full'),
  reason('box', 'the drawer is broken', 'drawer', 'broken'),
  reason('ball', 'the children are waiting', 'children', 'waiting', 'wait'),
  reason('ball', 'the game begins soon', 'game', 'begins', 'beginning', 'begin'),
  reason('book', 'the journey is long', 'journey', 'long'),
  reason('book', 'the exam is on Monday', 'exam', 'Monday'),
  reason('lamp', 'the cellar is dark', 'cellar', 'dark'),
  reason('lamp', 'the candles are gone', 'candles', 'gone'),
  reason('flag', 'the team has won', 'team', 'won', 'win'),
  reason('flag', 'the queen is coming', 'queen', 'coming', 'comes'),
]
