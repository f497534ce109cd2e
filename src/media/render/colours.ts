import type { HexColour } from './scene.ts'

// The colours of scripted scenes by the words that people have for them: what is painted, asked about and told is one table.
export const sceneColours = {
  red: '#d81818',
  blue: '#1c3ce0',
  green: '#109828',
  yellow: '#f4d810',
  orange: '#f47c08',
  purple: '#7c1cb8',
  pink: '#f48cc0',
  white: '#f4f4f4',
  black: '#1c1c1c',
  grey: '#909090',
  brown: '#7c4a1c',
} as const satisfies Record<string, HexColour>
export type ColourName = keyof typeof sceneColours

export const hairColours = {
  black: '#1c1814',
  brown: '#6c4020',
  blond: '#ecc860',
  red: '#c04c14',
  grey: '#a8a8a8',
} as const satisfies Record<string, HexColour>
export type HairName = keyof typeof hairColours
