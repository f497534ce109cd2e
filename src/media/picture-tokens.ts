interface Size {
  width: number
  height: number
}

// What a picture costs by the rule of a model's family, as its makers state it.
const families: [name: RegExp, tokens: (size: Size) => number][] = [
  [/qwen-?3/, size => cells(size, 32) + 2],
  [/qwen/, size => cells(size, 28) + 2],
  [/gemma-?4/, () => 280],
  [/gemma/, () => 256],
  [/gemini/, size => 258 * (Math.max(size.width, size.height) <= 384 ? 1 : cells(size, 768))],
  [/\bgpt-|\bo[1-9]\b/, size => 85 + 170 * cells(shrunk(size), 512)],
]

const unreadable: Size = { width: 768, height: 768 }

// Estimates the tokens of a JPEG or PNG picture; a model of an unknown family is taken to see patches of 28 pixels.
export function countPictureTokens(model: string, bytes: Uint8Array): number {
  return tokensOfSize(model, pictureSize(bytes) ?? unreadable)
}

export function tokensOfSize(model: string, size: Size): number {
  const family = families.find(([name]) => name.test(model.toLowerCase()))
  return family ? family[1](size) : cells(size, 28)
}

function cells({ width, height }: Size, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side)
}

// OpenAI's tiles are those of the picture at no more than 2048 pixels, and 768 on its shorter side.
function shrunk({ width, height }: Size): Size {
  const scale = Math.min(1, 2048 / Math.max(width, height), 768 / Math.min(width, height))
  return { width: Math.floor(width * scale), height: Math.floor(height * scale) }
}

// From the header of the file.
function pictureSize(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const has = (end: number) => end <= view.byteLength
  if (has(24) && view.getUint32(0) === 0x89504e47) return sized(view.getUint32(16), view.getUint32(20))
  if (!has(2) || view.getUint16(0) !== 0xffd8) return undefined
  for (let at = 2; has(at + 9) && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1)
    if (startsFrame(marker)) return sized(view.getUint16(at + 7), view.getUint16(at + 5))
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

function startsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function sized(width: number, height: number): Size | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined
}
