// The colours that people name, in the order of the vector's parts.
export const colourNames = [
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
  'brown',
  'black',
  'grey',
  'white',
] as const
export type ColourName = (typeof colourNames)[number]

// Words that mean one of them.
export const colourWords: Record<string, ColourName> = {
  ...Object.fromEntries(colourNames.map(name => [name, name])),
  gray: 'grey',
  silver: 'grey',
  gold: 'yellow',
  golden: 'yellow',
  cyan: 'blue',
  turquoise: 'blue',
  navy: 'blue',
  teal: 'green',
  violet: 'purple',
  magenta: 'pink',
  crimson: 'red',
  scarlet: 'red',
  maroon: 'red',
  beige: 'brown',
  reddish: 'red',
  bluish: 'blue',
  greenish: 'green',
  dark: 'black',
  bright: 'white',
} as Record<string, ColourName>

// Which named colour a pixel is, as a person would say at a glance; the borders were set by eye on hue, saturation, value.
export function colourOf(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  const value = most / 255
  const saturation = most === 0 ? 0 : (most - least) / most
  if (value < 0.16) return index.black
  if (saturation < 0.16) return value > 0.82 ? index.white : value < 0.25 ? index.black : index.grey
  const hue = hueOf(red, green, blue, most, least)
  if (hue < 14 || hue >= 345) return value > 0.75 && saturation < 0.55 ? index.pink : index.red
  if (hue < 45) return value < 0.65 ? index.brown : index.orange
  if (hue < 68) return value < 0.45 ? index.brown : index.yellow
  if (hue < 165) return index.green
  if (hue < 255) return index.blue
  if (hue < 295) return index.purple
  return index.pink
}

const index = Object.fromEntries(colourNames.map((name, at) => [name, at])) as Record<ColourName, number>

function hueOf(red: number, green: number, blue: number, most: number, least: number): number {
  const range = most - least
  const sixth =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4
  return sixth * 60
}
