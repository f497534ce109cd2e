// A text of a stranger on one line, without what steers a terminal, hides or turns letters round.
export function plain(text: string, max: number): string {
  const line = text
    .replace(/\p{Cs}|[\p{Cc}\p{Cf}\p{Co}\s]+|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu, ' ')
    .replace(/\p{Variation_Selector}/gu, '')
    .trim()
  return line.length > max ? `${line.slice(0, max).replace(/\p{Cs}$/u, '')}...` : line
}
