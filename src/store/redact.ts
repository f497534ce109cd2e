// Takes secrets out of a value before it is written. Everything a run writes goes through one of these.
export type Redact = <T>(value: T) => T

const hidden = '[redacted]'

// What keys look like, for those that came in by another way than the configuration. Each quantifier is bounded, so that time grows with
// the text and no faster.
const patterns: [RegExp, string][] = [
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, hidden],
  [/\bhf_[A-Za-z0-9]{20,}/g, hidden],
  [/\bgh[oprsu]_[A-Za-z0-9]{20,}/g, hidden],
  [/\bgithub_pat_[A-Za-z0-9_]{20,}/g, hidden],
  [/\bAKIA[0-9A-Z]{16}\b/g, hidden],
  [/\bAIza[0-9A-Za-z_-]{30,}/g, hidden],
  [/\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, hidden],
  [/\beyJ[A-Za-z0-9_-]{10,1000}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/g, hidden], // a signed web token
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/._~=-]{12,}/gi, `$1 ${hidden}`],
  [/(\bpostgres(?:ql)?:\/\/)[^\s"'@]{1,300}(?:@[^\s"'@]{0,300}){0,3}@/gi, `$1${hidden}@`], // a password may hold signs of addresses
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"']+@/gi, `$1${hidden}@`],
  [/([?&](?:api[-_]?key|key|access_token|token|secret|password|sig|signature)=)[^&\s"'#]+/gi, `$1${hidden}`],
]

// What every pattern begins with or holds. Most texts hold none of it, and one search says so.
const mayHoldKey = /[spr]k-|hf_|gh[oprsu]_|github_pat_|AKIA|AIza|xox|eyJ|bearer|basic|:\/\/|[?&]/i

const secretNames =
  /^(?:api[-_]?key|access[-_]?token|auth[-_]?token|password|passphrase|secret|client[-_]?secret|authorization)$/i

// Hides the given values wherever they stand, and whatever looks like a key. Short values are left alone: local servers
// are given keys such as "none", and hiding that word would spoil every text that holds it.
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const values = secrets.filter(secret => secret !== undefined && secret.length >= 8) as string[]
  const spellings = [...new Set(values.flatMap(value => [value, encodeURIComponent(value)]))]
  spellings.sort((a, b) => b.length - a.length) // a key that begins another must not leave its rest behind

  const redactText = (text: string) => {
    let clean = text
    for (const spelling of spellings) clean = clean.replaceAll(spelling, hidden)
    if (!mayHoldKey.test(clean)) return clean
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
    return clean
  }

  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value)
    if (Array.isArray(value)) return value.map(redact)
    if (!value || typeof value !== 'object' || value instanceof Uint8Array) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        redactText(name),
        secretNames.test(name) && typeof item === 'string' && item !== '' ? hidden : redact(item),
      ]),
    )
  }

  return <T>(value: T) => redact(value) as T
}

// What must never reach a file: values of variables that are named like secrets.
export function listSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && value.length >= 8 && /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)/i.test(name) ? [value] : [],
  )
}
