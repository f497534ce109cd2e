const last = new WeakMap<object, { query: string; vector: Promise<Float32Array | undefined> }>()

// The vector of a query by one encoder; asked again for the next video, it is not worked out again.
export function queryVector(
  encoder: object,
  query: string,
  encode: () => Promise<Float32Array | undefined>,
): Promise<Float32Array | undefined> {
  const known = last.get(encoder)
  if (known?.query === query) return known.vector
  const vector = encode()
  last.set(encoder, { query, vector })
  vector.catch(() => last.delete(encoder))
  return vector
}
