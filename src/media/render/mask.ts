import { UsageError } from '../../core/errors.ts'
import type { Planes, Yuv } from './planes.ts'

// How much of each pixel a letter or a shape covers, 0..255, for the luma plane and for the chroma planes of half size.
export interface Mask {
  width: number // even
  height: number // even
  luma: Uint8Array
  chroma: Uint8Array
}

export function buildMask(width: number, height: number, luma: Uint8Array): Mask {
  const half = width / 2
  const chroma = new Uint8Array(half * (height / 2))
  for (let y = 0; y < height / 2; y++)
    for (let x = 0; x < half; x++) {
      const at = y * 2 * width + x * 2
      chroma[y * half + x] = (luma[at]! + luma[at + 1]! + luma[at + width]! + luma[at + width + 1]! + 2) >> 2
    }
  return { width, height, luma, chroma }
}

export function boxMask(width: number, height: number): Mask {
  return buildMask(width, height, new Uint8Array(width * height).fill(255))
}

// Paints a colour through a mask, its left upper corner at x, y (even); what is outside the picture is clipped.
export function paint(planes: Planes, mask: Mask, x: number, y: number, [light, blue, red]: Yuv): void {
  paintPlane(planes.y, planes.width, planes.height, mask.luma, mask.width, x, y, light)
  const width = planes.width / 2
  paintPlane(planes.u, width, planes.height / 2, mask.chroma, mask.width / 2, x / 2, y / 2, blue)
  paintPlane(planes.v, width, planes.height / 2, mask.chroma, mask.width / 2, x / 2, y / 2, red)
}

function paintPlane(
  plane: Uint8Array,
  width: number,
  height: number,
  mask: Uint8Array,
  maskWidth: number,
  x: number,
  y: number,
  value: number,
): void {
  const x0 = Math.max(0, -x)
  const right = Math.min(maskWidth, width - x)
  const bottom = Math.min(mask.length / maskWidth, height - y)
  for (let row = Math.max(0, -y); row < bottom; row++) {
    const from = row * maskWidth
    const to = (row + y) * width + x
    for (let column = x0; column < right; column++) {
      const cover = mask[from + column]!
      if (cover === 255) plane[to + column] = value
      else if (cover > 0) plane[to + column]! += ((value - plane[to + column]!) * cover) / 255
    }
  }
}

const family = 'DejaVu Sans'
const lineOfEm = 1.3 // a line's height, in font sizes
const widestLetter = 1.1

// One line of text as a mask, `lineHeight` pixels high. Any characters may be in it: they travel as an image description,
// never in a filter string. What the font lacks shows as its empty box.
export async function textMask(text: string, lineHeight: number, bold: boolean): Promise<Mask> {
  await fontIsThere()
  return draw(text, lineHeight, bold)
}

let font: Promise<void> | undefined

// Another font would be put in its place without a word, and the same script would look otherwise elsewhere.
function fontIsThere(): Promise<void> {
  font ??= draw('MMMMMMMMMM', 130, false).then(mask => {
    const advance = mask.width / 1000
    if (Math.abs(advance - 0.863) > 0.03)
      throw new UsageError(`The font "${family}", in which text is drawn, was not found.`, {
        hint: 'apt-get install -y fonts-dejavu-core',
      })
  })
  font.catch(() => {
    font = undefined
  })
  return font
}

async function draw(text: string, lineHeight: number, bold: boolean): Promise<Mask> {
  const { default: sharp } = await import('sharp')
  const em = lineHeight / lineOfEm
  const height = Math.ceil(lineHeight / 2) * 2
  const room = Math.ceil((text.length + 1) * em * widestLetter) + 4
  const weight = bold ? ' font-weight="bold"' : ''
  const image =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${room}" height="${height}">` +
    `<text xml:space="preserve" x="0" y="${(em * 1.0).toFixed(2)}" font-family="${family}" font-size="${em.toFixed(2)}"${weight} fill="#fff">` +
    `${escaped(text)}</text></svg>`
  const { data, info } = await sharp(Buffer.from(image)).extractChannel(3).raw().toBuffer({ resolveWithObject: true })
  const width = Math.max(2, Math.ceil(inkWidth(data, info.width, info.height) / 2) * 2)
  const luma = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    luma.set(data.subarray(y * info.width, y * info.width + Math.min(width, info.width)), y * width)
  return buildMask(width, height, luma)
}

function inkWidth(alpha: Uint8Array, width: number, height: number): number {
  for (let x = width - 1; x >= 0; x--) for (let y = 0; y < height; y++) if (alpha[y * width + x]! > 0) return x + 1
  return 0
}

// XML has no place for control characters and half characters, escaped or not.
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu, ' ')
    .replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)
}
