// The address of a video by its YouTube id, which many benchmarks name their files by; undefined if it is not such an id.
export function youtubeAddress(id: string): string | undefined {
  return /^[\w-]{11}$/.test(id) ? `https://www.youtube.com/watch?v=${id}` : undefined
}

// Of YouTube or of Bilibili, told by the form of the id: 11 characters, or BV and ten.
export function sourceAddress(id: string): string | undefined {
  return /^BV[0-9A-Za-z]{10}$/.test(id) ? `https://www.bilibili.com/video/${id}` : youtubeAddress(id)
}
