import type { Generation } from './generation.ts'

// The token of a language that a person or an audio track names ("en", "eng", "English"); undefined where the model must
// find out by itself.
export function languageToken(language: string | undefined, { lang_to_id }: Generation): number | undefined {
  if (!language || !lang_to_id) return undefined
  return lang_to_id[`<|${shortName(language)}|>`]
}

function shortName(language: string): string {
  const lower = language.trim().toLowerCase()
  byName ??= languageNames()
  const named = byName.get(lower)
  if (named) return named
  try {
    return new Intl.Locale(lower).language
  } catch {
    return lower
  }
}

let byName: Map<string, string> | undefined // made when first asked for: ICU takes 10 ms and more for the names

// English names, and the old three-letter codes that Intl does not shorten.
function languageNames(): Map<string, string> {
  const old = { ger: 'de', fre: 'fr', dut: 'nl', chi: 'zh', cze: 'cs', gre: 'el', per: 'fa', rum: 'ro' }
  const found = new Map(Object.entries(old))
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  const codes = 'en zh de es ru ko fr ja pt tr pl nl ar sv it id hi fi vi he uk el cs ro da hu no th fa'
  for (const code of codes.split(' ')) found.set((names.of(code) ?? code).toLowerCase(), code)
  return found
}
