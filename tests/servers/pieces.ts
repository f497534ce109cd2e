// The same pieces for the same seed: a small generator (mulberry32) is enough to cut bytes at unforeseen places.
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

// Cuts bytes into pieces of 1 to `longest`, without regard for characters or lines.
export function cutBytes(bytes: Uint8Array, random: () => number, longest = 23): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * longest)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

// Cuts a text into pieces as a model would stream it.
export function cutText(text: string, random: () => number): string[] {
  const letters = [...text]
  const pieces: string[] = []
  for (let at = 0; at < letters.length; ) {
    const length = 1 + Math.floor(random() * 6)
    pieces.push(letters.slice(at, at + length).join(''))
    at += length
  }
  return pieces
}
