// What a model makes of one picture: the side in pixels above which it is scaled down before it is looked at.
const sides: [name: RegExp, side: number][] = [
  [/gemma|llava|smolvlm|moondream/, 896],
  [/\bgpt-|\bo[1-9]\b/, 1024], // 768 on the shorter side: 16:9 of 1365
  [/qwen|gemini|claude|internvl|pixtral|mistral/, 1280],
]
const usualSide = 1024
const widest = 4 // cells beside each other

// How wide a frame of a sheet is, so that four beside each other are looked at as they are.
export function cellWidth(model: string): number {
  const side = sides.find(([name]) => name.test(model.toLowerCase()))?.[1] ?? usualSide
  return Math.floor(side / widest / 2) * 2
}
