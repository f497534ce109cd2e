// Models write citations into the text as "[s12ab34cd56]"; they belong beside it.
export function bracketedCites(text: string): { text: string; cites: string[] } {
  const cites: string[] = []
  const bare = text.replace(
    /(?<!\s)\s*[[(](?:(?:evidence|id|cite)s?[:\s]+)?([a-z][0-9a-f]{10}(?:\s*[,;]\s*[a-z][0-9a-f]{10})*)[\])]/gi,
    (_, ids: string) => {
      cites.push(...ids.split(/(?<!\s)\s*[,;]\s*/))
      return ''
    },
  )
  return { text: bare, cites }
}
