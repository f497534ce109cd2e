const longest = 20_000 // characters of JSON

// The arguments of a call as plain JSON of bounded length: what a model sends may be circular, endless or nested without end.
export function plainArguments(given: unknown): { value: unknown } | { refusal: string } {
  let json: string | undefined
  try {
    json = JSON.stringify(given)
  } catch {
    return { refusal: 'The arguments are no JSON.' }
  }
  if (json === undefined) return { value: {} }
  if (json.length > longest) return { refusal: `The arguments are too long: ${json.length} characters.` }
  return { value: JSON.parse(json) }
}

// What of the arguments is kept of a call that was not run.
export function shownArguments(given: unknown): unknown {
  const plain = plainArguments(given)
  if ('refusal' in plain) return {}
  const json = JSON.stringify(plain.value)
  return json.length <= 2000 ? plain.value : { cut: json.slice(0, 500) }
}
