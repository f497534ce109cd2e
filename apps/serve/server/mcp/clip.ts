// To so many characters as JSON writes them.
export function clip(text: string, max: number): string {
  let end = Math.min(text.length, max)
  while (JSON.stringify(text.slice(0, end)).length > max) end = Math.floor(end * 0.9)
  const whole = text.slice(0, end).replace(/[\ud800-\udbff]$/, '') // not in the middle of a character
  return end < text.length ? `${whole}\u2026` : text
}
