// What a stage does, as a person reads it. A stage without a line here goes by its own name.
const doings: Readonly<Record<string, string>> = {
  decode: 'reading frames',
  vectors: 'comparing pictures',
  text: 'reading text',
  voices: 'finding voices',
  sounds: 'listening to sounds',
  speech: 'transcribing',
  speakers: 'telling speakers apart',
  captions: 'describing scenes',
  story: 'writing the overview',
  overview: 'finding chapters',
  people: 'finding people',
  faces: 'finding faces',
  meaning: 'building search',
  nearest: 'building search',
  words: 'building search',
}

export function stageDoing(stage: string): string {
  return doings[stage] ?? stage
}
