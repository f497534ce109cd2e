// Which of eleven basic colours, and which of three tones, a colour is: shares that add up to one in each group, so that
// a colour between two names belongs to both and a little noise changes little.

export const basicColours = [
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
  'brown',
  'black',
  'white',
  'grey',
] as const
export const brightnesses = ['dark', 'middle', 'bright'] as const
export type Hue = (typeof basicColours)[number]
export type Tone = (typeof brightnesses)[number]

export const colourClasses = basicColours.length + brightnesses.length

const levels = 32 // of each channel

// The shares of the colours and then of the tones, for every class of pixels that has been asked for.
export const classShares = new Float32Array(levels ** 3 * colourClasses)
const isFilled = new Uint8Array(levels ** 3)

// Where the shares of a pixel begin. Classes are worked out when a picture first holds them.
export function sharesAt(red: number, green: number, blue: number): number {
  const index = ((red >> 3) * levels + (green >> 3)) * levels + (blue >> 3)
  if (isFilled[index] === 0) {
    isFilled[index] = 1
    classShares.set(computeShares(index), index * colourClasses)
  }
  return index * colourClasses
}

function computeShares(index: number): number[] {
  const channel = (step: number) => ((Math.floor(index / step) % levels) * 8 + 4) / 255
  const [red, green, blue] = [channel(levels ** 2), channel(levels), channel(1)]
  const named = colourShares(red, green, blue)
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue
  const dark = 1 - ramp(luma, 0.18, 0.38)
  const bright = ramp(luma, 0.62, 0.82)
  return [...basicColours.map(name => named[name] ?? 0), dark, 1 - dark - bright, bright]
}

function colourShares(red: number, green: number, blue: number): Partial<Record<Hue, number>> {
  const value = Math.max(red, green, blue)
  const chroma = value - Math.min(red, green, blue)
  const saturation = value === 0 ? 0 : chroma / value
  // Dark pixels have large saturations that nobody sees, so both must be there.
  const vivid = Math.min(ramp(saturation, 0.12, 0.32), ramp(chroma, 0.06, 0.16))
  const shares: Partial<Record<Hue, number>> = {}
  const add = (name: Hue, share: number) => {
    shares[name] = (shares[name] ?? 0) + share
  }
  const white = ramp(value, 0.75, 0.92)
  const black = 1 - ramp(value, 0.12, 0.3)
  add('white', (1 - vivid) * white)
  add('black', (1 - vivid) * black)
  add('grey', (1 - vivid) * (1 - white - black))
  for (const [name, share] of hueShares(hue(red, green, blue, value, chroma))) {
    const weight = vivid * share
    if (name === 'orange' || name === 'yellow') {
      const brown = (1 - ramp(value, 0.5, 0.75)) * (name === 'orange' ? 1 : 0.5)
      add('brown', weight * brown)
      add(name, weight * (1 - brown))
    } else if (name === 'red') {
      const pale = (1 - ramp(saturation, 0.35, 0.6)) * ramp(value, 0.6, 0.85)
      add('pink', weight * pale)
      add('red', weight * (1 - pale))
    } else add(name, weight)
  }
  return shares
}

// The degrees of the hue circle at which a colour is purely itself; between two colours it is a mixture.
const hues: [Hue, from: number, to: number][] = [
  ['red', 0, 12],
  ['orange', 30, 44],
  ['yellow', 56, 64],
  ['green', 90, 160],
  ['blue', 192, 248],
  ['purple', 274, 296],
  ['pink', 318, 336],
  ['red', 350, 360],
]

function hueShares(degrees: number): [Hue, number][] {
  const next = hues.findIndex(([, , to]) => to > degrees)
  const [name, from] = hues[next]!
  if (degrees >= from) return [[name, 1]]
  const [before, , end] = hues[next - 1]!
  const share = (degrees - end) / (from - end)
  return [
    [before, 1 - share],
    [name, share],
  ]
}

function hue(red: number, green: number, blue: number, value: number, chroma: number): number {
  if (chroma === 0) return 0
  const sixth =
    value === red ? (green - blue) / chroma : value === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma
  return (sixth * 60 + 360) % 360
}

function ramp(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}
