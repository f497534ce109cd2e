// What a model makes of one picture: the side in pixels above which it is scaled down before it is looked at; of a sheet, and of a
// single picture.
const sides: [name: RegExp, sheet: number, single: number][] = [
  [/gemma|llava|smolvlm|moondream/, 896, 896],
  [/\bgpt-|\bo[1-9]\b/, 1024, 2048], // 768 on the shorter side: 16:9 of 1365
  [/qwen/, 1280, 2048],
  [/claude/, 1280, 1568],
  [/gemini|internvl|pixtral|mistral/, 1280, 1536],
]
const usualSides = [undefined, 1024, 1280] as const
const widest = 4 // cells beside each other
const tokenPixels = 900 // of a picture, about: 32 x 32 of Qwen, 750 of Claude

function sidesOf(model: string) {
  return sides.find(([name]) => name.test(model.toLowerCase())) ?? usualSides
}

// How wide a frame of a sheet is, so that four beside each other are looked at as they are.
export function cellWidth(model: string): number {
  return Math.floor(sidesOf(model)[1] / widest / 2) * 2
}

// How wide each of so many pictures of one look is: one or two as wide as the model looks at, many of them smaller.
export function pictureWidth(model: string, count: number): number {
  const [, , side] = sidesOf(model)
  return Math.min(side, count <= 2 ? 2048 : count <= 8 ? 1280 : count <= 24 ? 768 : 512)
}

// What a picture takes of a prompt, about.
export function pictureTokens(width: number, height: number): number {
  return Math.ceil((width * height) / tokenPixels)
}
