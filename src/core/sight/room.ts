// The side in pixels above which a model scales a picture down before it looks at it.
const sides: [name: RegExp, side: number][] = [
  [/gemma|llava|smolvlm|moondream/, 896],
  [/\bgpt-|\bo[1-9]\b/, 2048], // 768 on the shorter side: 16:9 of 1365
  [/qwen/, 2048],
  [/claude/, 1568],
  [/gemini|internvl|pixtral|mistral/, 1536],
]
const usualSide = 1280
const tokenPixels = 900 // of a picture, about: 32 x 32 of Qwen, 750 of Claude

function maxSide(model: string): number {
  return sides.find(([name]) => name.test(model.toLowerCase()))?.[1] ?? usualSide
}

// How wide each of so many pictures of one look is: one or two as wide as the model looks at, many of them smaller.
export function pictureWidth(model: string, count: number): number {
  return Math.min(maxSide(model), count <= 2 ? 2048 : count <= 8 ? 1280 : count <= 24 ? 768 : 512)
}

// What a picture takes of a prompt, about.
export function estimatePictureTokens(width: number, height: number): number {
  return Math.ceil((width * height) / tokenPixels)
}
