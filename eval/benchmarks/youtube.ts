// The address of a video by its YouTube id, which many benchmarks name their files by; undefined where it is no such id.
export function youtubeAddress(id: string): string | undefined {
  return /^[\w-]{11}$/.test(id) ? `https://www.youtube.com/watch?v=${id}` : undefined
}
