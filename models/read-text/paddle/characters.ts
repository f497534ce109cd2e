// The characters of a recogniser, in the order of its classes: a line each, or the list "character_dict" of its inference.yml.
export function readCharacters(text: string, isYaml: boolean): string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  if (!isYaml) return lines
  const from = lines.findIndex(line => /^\s*character_dict:\s*$/.test(line)) + 1
  if (from === 0) return []
  const items = lines.slice(from)
  const end = items.findIndex(line => !/^\s*- /.test(line))
  return (end < 0 ? items : items.slice(0, end)).map(line => scalar(line.replace(/^\s*- /, '')))
}

// YAML's three ways to write one character: plain, in single quotes, in double quotes.
function scalar(written: string): string {
  const single = /^'(.*)'\s*$/s.exec(written)
  if (single) return single[1]!.replaceAll("''", "'")
  const double = /^"(.*)"\s*$/s.exec(written)
  if (!double) return written.replace(/[ \t]+$/, '') // a wide space is a character
  return double[1]!.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gi,
    (_, two?: string, four?: string, eight?: string, letter?: string) => {
      const code = two ?? four ?? eight
      return code ? String.fromCodePoint(Number.parseInt(code, 16)) : (escapes[letter!] ?? letter!)
    },
  )
}

const escapes: Record<string, string> = {
  ...{ '0': '\0', a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b' },
  ...{ N: '\u0085', _: '\u00a0', L: '\u2028', P: '\u2029' },
}
