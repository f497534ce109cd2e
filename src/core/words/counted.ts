// "1 video", "2 videos", "1 copy", "2 copies".
export function countPhrase(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
